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

/// K sweeps in one pass over a column, in place: step j brings row j in and makes row j - 2 t of level t from
/// the three newest rows of level t - 1, which stay in registers. Two rows apart, no level waits for another.
/// Per vector: 1 load and 1 store of u, K loads of g, K adds, K multiply-adds.
template <class T, StepKind S, int K>
struct Together {
  using A = Vector<T>;
  using V = typename A::V;
  static HWY_INLINE Index lanes() { return static_cast<Index>(hn::MaxLanes(typename A::Tag())); }

  T* u;        ///< rows -1 ... n, the outer two of which stay
  const T* g;  ///< rows 0 ... n - 1
  Index n;
  T c;
  T omega[K];
  V rows[3][K];  ///< the newest rows of levels 0 ... K - 1: row j of level 0 in place j % 3, the others alike

  /// A row of level t, g given at that row, from the three newest of level t - 1, the first at place
  /// `oldest`.
  HWY_INLINE V value(int t, int oldest, const T* g_at) const {
    const V sum = A::add(rows[oldest][t - 1], rows[(oldest + 2) % 3][t - 1]);
    const V plain = A::fma(A::set(c), sum, A::load(g_at));
    if constexpr (S == StepKind::plain) return plain;
    const V here = rows[(oldest + 1) % 3][t - 1];
    return A::fma(A::set(omega[t - 1]), A::sub(plain, here), here);
  }

  /// Steps near the ends, where some level is at a ghost or beyond.
  HWY_NOINLINE void edge(Index first, Index last) {
    const typename A::Tag tag;
    const V low = A::load(u - lanes()), high = A::load(u + n * lanes());
    for (Index j = first; j < last; ++j) {
      const int oldest = static_cast<int>(j % 3);
      for (int t = K; t >= 0; --t) {
        const Index row = j - 2 * t;
        const V next = row < 0    ? low
                       : row >= n ? high
                       : t == 0   ? A::load(u + row * lanes())
                                  : value(t, oldest, g + row * lanes());
        if (t < K)
          rows[oldest][t] = next;
        else if (row >= 0)
          hn::StoreU(next, tag, u + row * lanes());
      }
    }
  }

  template <int oldest>
  HWY_INLINE void step(T* u_at, const T* g_at) {
    const Index two = 2 * lanes();
    hn::StoreU(value(K, oldest, g_at - K * two), typename A::Tag(), u_at - K * two);
    JACOBI_UNROLL
    for (int t = K - 1; t > 0; --t) rows[oldest][t] = value(t, oldest, g_at - t * two);
    rows[oldest][0] = A::load(u_at);
  }

  /// Three steps at a time, from a multiple of 3 on; returns where it stopped.
  HWY_NOINLINE Index middle(Index first, Index last) {
    Together local = *this;  // which the compiler keeps in registers
    T* u_at = u + first * lanes();
    const T* g_at = g + first * lanes();
    for (; first + 3 <= last; first += 3, u_at += 3 * lanes(), g_at += 3 * lanes()) {
      local.template step<0>(u_at, g_at);
      local.template step<1>(u_at + lanes(), g_at + lanes());
      local.template step<2>(u_at + 2 * lanes(), g_at + 2 * lanes());
    }
    *this = local;
    return first;
  }

  void run(const Step* steps) {
    for (int t = 0; t < K; ++t) {
      omega[t] = static_cast<T>(steps[t].omega);
      rows[0][t] = rows[1][t] = rows[2][t] = A::load(u - lanes());
    }
    const Index start = (2 * K + 2) / 3 * 3;
    edge(0, std::min(start, n));
    edge(n < start ? n : middle(start, n), n + 2 * K);
  }
};

template <class T>
struct Batch {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr int deep = HWY_TARGET <= HWY_AVX3 || !HWY_ARCH_X86 ? 8 : 4;  ///< as registers allow
  static HWY_INLINE Index lanes() { return static_cast<Index>(hn::MaxLanes(typename A::Tag())); }

  static Index columns(const Workspace<T, 2>& w) { return (w.n[0] + lanes() - 1) / lanes(); }

  /// Worth it, and able to: a column is copied out and back.
  static bool takes(const Workspace<T, 2>& w, std::span<const Step> steps) {
    return w.kind == Kind::lines && !w.has_copies && steps.size() >= 4 &&
           std::none_of(steps.begin(), steps.end(),
                        [](const Step& s) { return kind_of(s) == StepKind::three_term; });
  }

  /// K sweeps of one kind.
  template <int K>
  static void together(T* u, const T* g, const Workspace<T, 2>& w, std::span<const Step> steps) {
    if (kind_of(steps[0]) == StepKind::plain)
      Together<T, StepKind::plain, K>{u, g, w.n[1], w.c[2], {}, {}}.run(steps.data());
    else
      Together<T, StepKind::weighted, K>{u, g, w.n[1], w.c[2], {}, {}}.run(steps.data());
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
    for (std::size_t j = 0; j + 1 < steps.size();) {
      const auto next = steps.subspan(j, std::min<std::size_t>(deep, steps.size() - 1 - j));
      const bool alike = std::all_of(next.begin(), next.end(),
                                     [&](const Step& s) { return kind_of(s) == kind_of(next[0]); });
      const bool all = alike && next.size() == deep;
      all ? together<deep>(u, g, w, next) : together<1>(u, g, w, next);
      j += all ? deep : 1;
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
