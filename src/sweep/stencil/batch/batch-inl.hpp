/// A batch of 1D problems side by side (Kind::lines). A vector holds one unknown of each of its problems, so
/// that neighbours are aligned vectors; a column of vectors makes all its sweeps before the next is touched.
#if defined(JACOBI_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_BATCH_INL
#undef JACOBI_BATCH_INL
#else
#define JACOBI_BATCH_INL
#endif

#include <algorithm>
#include <span>

#include "core/team.hpp"
#include "sweep/stencil/batch/batch.hpp"
#include "sweep/stencil/order/select-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// K sweeps in one pass over a column, in place, R rows at a time: step after step, K blocks of R rows, each
/// a level above and a row before the one below it. The two last rows of each level's block stay in registers
/// for the next step, and so do the rows of g that the next level shares. Per vector: (2 R + K - 1) / (R K)
/// loads, 1 / K stores, 1 add, 1 multiply-add; a level's R updates wait for nothing but the level below.
template <class T, StepKind S, int R, int K>
struct Together {
  using A = Vector<T>;
  using V = typename A::V;
  using Tag = typename A::Tag;
  static constexpr Index lanes = A::lanes();
  enum class Part {
    begin,
    middle,
    end
  };  ///< of the column: some rows lie before it, none outside, some after it
  static constexpr int first_steps = (K + 2 * (R - 1)) / R;  ///< until no level has a row before row 0
  static constexpr int last_steps = (K + R - 1) / R;

  T* u;        ///< rows -1 ... n, which stay as they are; what lies before, R - 1 rows, is read and written
  const T* g;  ///< rows 0 ... n - 1; R - 1 before are read
  Index n;     ///< at least least_rows_of_batch
  V c;
  V omega[K];

  /// Of each level, rows -2 and -1 as seen from its next block.
  using Last = V[K][2];

  Together(T* unknowns, const T* sides, Index rows, T coefficient, const Step* steps)
      : u(unknowns), g(sides), n(rows), c(A::set(coefficient)) {
    for (int t = 0; t < K; ++t) omega[t] = A::set(static_cast<T>(steps[t].omega));
  }

  HWY_INLINE V value(int t, V west, V here, V east, V g_here) const {
    const V plain = A::fma(c, A::add(west, east), g_here);
    return S == StepKind::plain ? plain : A::fma(omega[t - 1], A::sub(plain, here), here);
  }

  /// Step s from the beginning of the column, or from its end: rows R s + r - t of level t, counted from row
  /// -before, or n. Rows outside the column are `ghost`.
  template <Part part, int s>
  HWY_INLINE void step(Last& last, T* u_at, const T* g_at, Index before, V ghost) const {
    const auto made = [](int t, int r) {
      return part == Part::middle || (part == Part::begin) == (R * s + r - t >= 0);
    };
    const auto is_ghost = [&](int t, int r) {
      return !made(t, r) || (part == Part::begin && R * s + r - t < R - 1 && R * s + r - t < before);
    };
    V row[R], sides[R];
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) row[r] = is_ghost(0, r) ? ghost : A::load(u_at + r * lanes);
    JACOBI_UNROLL
    for (int r = 1; r < R; ++r) sides[r - 1] = made(0, r - 1) ? A::load(g_at + (r - 1) * lanes) : ghost;
    JACOBI_UNROLL
    for (int t = 1; t <= K; ++t) {
      JACOBI_UNROLL
      for (int r = R - 1; r > 0; --r) sides[r] = sides[r - 1];
      sides[0] = made(t, 0) ? A::load(g_at - t * lanes) : ghost;
      V above[R];
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) {
        const V west = r < 2 ? last[t - 1][r] : row[r - 2], here = r < 1 ? last[t - 1][1] : row[r - 1];
        above[r] = is_ghost(t, r) ? ghost : value(t, west, here, row[r], sides[r]);
      }
      last[t - 1][0] = row[R - 2];
      last[t - 1][1] = row[R - 1];
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) row[r] = above[r];
    }
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r)
      if (made(K, r)) hn::StoreU(row[r], Tag(), u_at + (r - K) * lanes);
  }

  template <Part part, int steps, int s = 0>
  HWY_INLINE void steps_at(Last& last, T* u_at, const T* g_at, Index before, V ghost) const {
    if constexpr (s < steps) {
      step<part, s>(last, u_at + R * s * lanes, g_at + R * s * lanes, before, ghost);
      steps_at<part, steps, s + 1>(last, u_at, g_at, before, ghost);
    }
  }

  /// On a copy, of which the compiler knows that no store changes it.
  HWY_NOINLINE void run() const { Together(*this).run_here(); }

 private:
  HWY_INLINE void run_here() const {
    static_assert(R * first_steps <= least_rows_of_batch);
    const Index before = (R - n % R) % R;  // whole blocks then end with the last row
    const V low = A::load(u - lanes), high = A::load(u + n * lanes);
    Last last;
    JACOBI_UNROLL
    for (int t = 0; t < K; ++t) last[t][0] = last[t][1] = low;
    steps_at<Part::begin, first_steps>(last, u - before * lanes, g - before * lanes, before, low);
    T* u_at = u + (R * first_steps - before) * lanes;
    const T* g_at = g + (R * first_steps - before) * lanes;
    for (const T* const end_of_u = u + n * lanes; u_at < end_of_u; u_at += R * lanes, g_at += R * lanes)
      step<Part::middle, 0>(last, u_at, g_at, 0, low);
    steps_at<Part::end, last_steps>(last, u_at, g_at, 0, high);
  }
};

template <class T>
struct Batch {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr BatchBlock block = batch_block(has_32_registers);
  static constexpr Index lanes() { return A::lanes(); }

  static Index columns(const Workspace<T, 2>& w) { return (w.n[0] + lanes() - 1) / lanes(); }

  /// Some sweeps of one kind, K at a time, then fewer.
  template <int K>
  static void together(T* u, const T* g, const Workspace<T, 2>& w, std::span<const Step> steps) {
    std::size_t j = 0;
    for (; j + K <= steps.size(); j += K)
      if (kind_of(steps[0]) == StepKind::plain)
        Together<T, StepKind::plain, block.rows, K>(u, g, w.n[1], w.c[2], &steps[j]).run();
      else
        Together<T, StepKind::weighted, block.rows, K>(u, g, w.n[1], w.c[2], &steps[j]).run();
    if constexpr (K > 1) together<K / 2>(u, g, w, steps.subspan(j));
  }

  /// The last sweep: back into the workspace, the iterate before it too, and measured.
  static Partial finish(const T* u, const T* g, const Workspace<T, 2>& w, Index column, Step step) {
    const typename A::Tag tag;
    const Index first = column * lanes();
    const std::size_t count = static_cast<std::size_t>(std::min(lanes(), w.n[0] - first));
    const auto inside = hn::FirstN(tag, count);
    const V c = A::set(w.c[2]), omega = A::set(static_cast<T>(step.omega));
    LaneSums<T> sums;
    for (Index row = 0; row < w.n[1]; ++row) {
      const T* const at = u + row * lanes();
      const Index p = first + row * w.stride[1];
      const V here = A::load(at);
      V value = A::fma(c, A::add(A::load(at - lanes()), A::load(at + lanes())), A::load(g + row * lanes()));
      if (kind_of(step) == StepKind::weighted) value = A::fma(omega, A::sub(value, here), here);
      hn::BlendedStore(here, inside, tag, w.v + p);
      hn::BlendedStore(value, inside, tag, w.u + p);
      sums.add(A::only(inside, A::sub(value, here)));
    }
    return sums.total();
  }

  /// All sweeps of a column; x_n ends in u, x_(n-1) in v.
  static Partial sweep(const Workspace<T, 2>& w, std::span<const Step> steps, Index column, T* scratch) {
    const typename A::Tag tag;
    const Index n = w.n[1], first = column * lanes();
    T* const u = scratch + block.rows * lanes();
    T* const g = u + (n + 1) * lanes();
    for (Index row = -1; row <= n; ++row)
      hn::StoreU(A::load(w.u + first + row * w.stride[1]), tag, u + row * lanes());
    for (Index row = 0; row < n; ++row)
      hn::StoreU(A::load(w.g + first + row * w.stride[1]), tag, g + row * lanes());
    for (auto rest = steps.first(steps.size() - 1); !rest.empty();) {
      const auto other = std::find_if(rest.begin(), rest.end(),
                                      [&](const Step& s) { return kind_of(s) != kind_of(rest[0]); });
      const auto alike = static_cast<std::size_t>(other - rest.begin());
      together<block.levels>(u, g, w, rest.first(alike));
      rest = rest.subspan(alike);
    }
    return finish(u, g, w, column, steps.back());
  }

  static Norms advance(Workspace<T, 2>& w, BatchScratch<T>& own, std::span<const Step> steps) {
    const Index count = columns(w);
    const int threads = static_cast<int>(std::min<Index>(w.threads, count));
    run_team(threads, [&](const Member& me) HWY_ATTR {
      T* const scratch = own.scratch.get() + me.number * own.size;
      me.share(count, [&](Index i) HWY_ATTR {
        own.partials[static_cast<std::size_t>(i)] = sweep(w, steps, i, scratch);
      });
    });
    record(w, steps.size(), threads);
    return sum_of({own.partials.data(), static_cast<std::size_t>(count)});
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
