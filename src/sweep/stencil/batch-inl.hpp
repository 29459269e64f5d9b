/// A batch of 1D problems side by side (Kind::lines). A vector holds one unknown of each of its problems, so
/// that neighbours are aligned vectors; a column of vectors makes all its sweeps before the next is touched.
#if defined(JACOBI_BATCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_BATCH_INL
#undef JACOBI_BATCH_INL
#else
#define JACOBI_BATCH_INL
#endif

#include "sweep/stencil/box-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// K sweeps in one pass over a column, in place: a step brings a row in and makes, two rows behind each
/// other, one of each level 1 ... K from the three newest rows of the level below, which stay in registers:
/// no level waits for another. Per vector: 1 / K loads and stores of u, 1 load of g, 1 add, 1 multiply-add.
template <class T, StepKind S, int K>
struct Together {
  using A = Vector<T>;
  using V = typename A::V;
  using Tag = typename A::Tag;
  static constexpr Index lanes = A::lanes();
  static constexpr int first_steps = (2 * K + 4) / 3 * 3;  ///< until every level has reached row 0

  T* u;        ///< rows -1 ... n, the outer two of which stay
  const T* g;  ///< rows 0 ... n - 1
  Index n;     ///< at least least_rows_of_batch
  V c;
  V omega[K];

  /// The newest rows of levels 0 ... K - 1, of step s in place s % 3.
  using Rows = V[3][K];

  Together(T* unknowns, const T* sides, Index rows, T coefficient, const Step* steps)
      : u(unknowns), g(sides), n(rows), c(A::set(coefficient)) {
    for (int t = 0; t < K; ++t) omega[t] = A::set(static_cast<T>(steps[t].omega));
  }

  /// A row of level t > 0, g given there, from the three newest of level t - 1, the first at place `oldest`.
  HWY_INLINE V value(const Rows& rows, int t, int oldest, const T* g_at) const {
    const V sum = A::add(rows[oldest][t - 1], rows[(oldest + 2) % 3][t - 1]);
    const V plain = A::fma(c, sum, A::load(g_at));
    if constexpr (S == StepKind::plain) return plain;
    const V here = rows[(oldest + 1) % 3][t - 1];
    return A::fma(omega[t - 1], A::sub(plain, here), here);
  }

  /// Steps s ... first_steps - 1. Step s brings row s - before in, where 0 <= before <= 2.
  template <int s = 0>
  HWY_INLINE void begin(Rows& rows, Index before, V low) const {
    if constexpr (s < first_steps) {
      const Index row = s - before;
      JACOBI_UNROLL
      for (int t = K; t >= 0; --t) {
        const Index ahead = s - 2 * t;  // rows that are not reached keep the ghost
        if (ahead < 0) continue;
        const bool is_ghost = ahead < 2 && ahead < before;
        const T* const g_at = g + (row - 2 * t) * lanes;
        if (t == K) {
          if (!is_ghost) hn::StoreU(value(rows, K, s % 3, g_at), Tag(), u + (row - 2 * K) * lanes);
        } else if (t > 0) {
          rows[s % 3][t] = is_ghost ? low : value(rows, t, s % 3, g_at);
        } else {
          rows[s % 3][0] = is_ghost ? low : A::load(u + row * lanes);
        }
      }
      begin<s + 1>(rows, before, low);
    }
  }

  template <int oldest>
  HWY_INLINE void step(Rows& rows, T* u_at, const T* g_at) const {
    hn::StoreU(value(rows, K, oldest, g_at - K * 2 * lanes), Tag(), u_at - K * 2 * lanes);
    JACOBI_UNROLL
    for (int t = K - 1; t > 0; --t) rows[oldest][t] = value(rows, t, oldest, g_at - t * 2 * lanes);
    rows[oldest][0] = A::load(u_at);
  }

  /// The last 2 K steps: row s beyond the last unknown, and so on.
  template <int s = 0>
  HWY_INLINE void end(Rows& rows, V high) const {
    if constexpr (s < 2 * K) {
      const T* const g_at = g + (n + s) * lanes;
      hn::StoreU(value(rows, K, s % 3, g_at - K * 2 * lanes), Tag(), u + (n + s - 2 * K) * lanes);
      JACOBI_UNROLL
      for (int t = K - 1; t >= 0; --t)
        rows[s % 3][t] = 2 * t <= s ? high : value(rows, t, s % 3, g_at - t * 2 * lanes);
      end<s + 1>(rows, high);
    }
  }

  /// On a copy, of which the compiler knows that no store changes it.
  HWY_NOINLINE void run() const { Together(*this).run_here(); }

 private:
  HWY_INLINE void run_here() const {
    static_assert(first_steps <= least_rows_of_batch);
    const Index before = (3 - n % 3) % 3;  // the last row then is that of a step 3 i - 1
    const V low = A::load(u - lanes), high = A::load(u + n * lanes);
    Rows rows;
    JACOBI_UNROLL
    for (int t = 0; t < K; ++t) rows[0][t] = rows[1][t] = rows[2][t] = low;
    begin(rows, before, low);
    T* u_at = u + (first_steps - before) * lanes;
    const T* g_at = g + (first_steps - before) * lanes;
    for (const T* const last = u + n * lanes; u_at < last; u_at += 3 * lanes, g_at += 3 * lanes) {
      step<0>(rows, u_at, g_at);
      step<1>(rows, u_at + lanes, g_at + lanes);
      step<2>(rows, u_at + 2 * lanes, g_at + 2 * lanes);
    }
    end(rows, high);
  }
};

template <class T>
struct Batch {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr int deep = levels_of_batch(has_32_registers);
  static constexpr Index lanes() { return A::lanes(); }

  static Index columns(const Workspace<T, 2>& w) { return (w.n[0] + lanes() - 1) / lanes(); }

  /// Worth it, and able to: a column is copied out and back.
  static bool takes(const Workspace<T, 2>& w, std::span<const Step> steps) {
    return w.kind == Kind::lines && !w.has_copies && steps.size() >= 4 && w.n[1] >= least_rows_of_batch &&
           std::none_of(steps.begin(), steps.end(),
                        [](const Step& s) { return kind_of(s) == StepKind::three_term; });
  }

  /// Some sweeps of one kind, K at a time, then fewer.
  template <int K>
  static void together(T* u, const T* g, const Workspace<T, 2>& w, std::span<const Step> steps) {
    std::size_t j = 0;
    for (; j + K <= steps.size(); j += K)
      if (kind_of(steps[0]) == StepKind::plain)
        Together<T, StepKind::plain, K>(u, g, w.n[1], w.c[2], &steps[j]).run();
      else
        Together<T, StepKind::weighted, K>(u, g, w.n[1], w.c[2], &steps[j]).run();
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
    T* const u = scratch + lanes();
    T* const g = u + (n + 1) * lanes();
    for (Index row = -1; row <= n; ++row)
      hn::StoreU(A::load(w.u + first + row * w.stride[1]), tag, u + row * lanes());
    for (Index row = 0; row < n; ++row)
      hn::StoreU(A::load(w.g + first + row * w.stride[1]), tag, g + row * lanes());
    for (auto rest = steps.first(steps.size() - 1); !rest.empty();) {
      const auto other = std::find_if(rest.begin(), rest.end(),
                                      [&](const Step& s) { return kind_of(s) != kind_of(rest[0]); });
      const auto alike = static_cast<std::size_t>(other - rest.begin());
      together<deep>(u, g, w, rest.first(alike));
      rest = rest.subspan(alike);
    }
    return finish(u, g, w, column, steps.back());
  }

  static Norms advance(Workspace<T, 2>& w, std::span<const Step> steps) {
    const Index count = columns(w);
    const int threads = static_cast<int>(std::min<Index>(w.threads, count));
    run_team(threads, [&](const Member& me) HWY_ATTR {
      T* const scratch = w.scratch + me.number * w.scratch_size;
      me.share(count, [&](Index i) HWY_ATTR { w.level_partials[i] = sweep(w, steps, i, scratch); });
    });
    record(w, "tiled", steps.size(), threads);
    return sum_of({w.level_partials.data(), static_cast<std::size_t>(count)});
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
