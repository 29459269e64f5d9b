/// Two sweeps of a box in 3D at once, the second one a line and a plane behind: what lies between them is
/// stored once, and read where it is still in registers or L1.
#if defined(JACOBI_PAIR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_PAIR_INL
#undef JACOBI_PAIR_INL
#else
#define JACOBI_PAIR_INL
#endif

#include "sweep/stencil/skewing/box-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Unknowns [from, to) of a line.
struct Range {
  Index from, to;
};

/// Level 1 of line y in P planes z ..., from u to v, and level 2 of line y - 1 in planes z - 1 ..., from v to
/// where it goes, one vector behind. Per vector of a plain sweep: 4 + 5 / 2P loads, 1 store, 2 shifts (or 2
/// loads more), 5 additions, 1 multiply-add. Masked: of some lanes only.
template <int P, Kind K, StepKind S, bool OneG, bool Masked, class T>
struct Pair {
  using A = Vector<T>;
  using V = typename A::V;
  using Tag = typename A::Tag;
  static constexpr Index lanes() { return A::lanes(); }
  static constexpr int last = static_cast<int>(lanes()) - 1;

  const T* plane[P + 3];      ///< u of line y, planes z - 2 ...
  Index at, north, south;     ///< to the present vector, and of lines beside, of u
  Index g, g_below;           ///< and of g
  Index v, v_below, v_south;  ///< and of v, lines y, y - 1, y - 2
  Index to;                   ///< and of level 2, line y - 1
  V c[K == Kind::constant ? 6 : 1], one_g;
  const Step* step;
  V west[P], here[P];  ///< of u, line y: the vector before and the present one
  V here2[P];          ///< of v, line y - 1: the vector before
  V made[P];           ///< of v, line y: the vector before

  HWY_INLINE Pair(const Sources<T, 3>& w, const T* u_array, const T* v_array, const T* out, Index p,
                  Index begin, const Step* steps)
      : at(begin),
        north(begin + w.stride[1]),
        south(begin - w.stride[1]),
        g(begin + distance(w.g, u_array)),
        g_below(g - w.stride[1]),
        v(begin + distance(v_array, u_array)),
        v_below(v - w.stride[1]),
        v_south(v_below - w.stride[1]),
        to(south + distance(out, u_array)),
        one_g(A::set(w.one_g)),
        step(steps) {
    JACOBI_UNROLL
    for (int k = 0; k < (K == Kind::constant ? 6 : 1); ++k) c[k] = A::set(w.c[k]);
    JACOBI_UNROLL
    for (int i = 0; i < P + 3; ++i) plane[i] = u_array + p + (i - 2) * w.stride[2];
    JACOBI_UNROLL
    for (int i = 0; i < P; ++i) {
      west[i] = A::load(plane[i + 2] + at - lanes());
      here[i] = A::load(plane[i + 2] + at);
      here2[i] = A::load(plane[i + 1] + v_below - lanes());
      made[i] = A::load(plane[i + 2] + v - lanes());
    }
  }

  /// Of the vector at `from`: by shifts, or by a load of its own, where it takes two shifts.
  static HWY_INLINE V west_of(V before, V present, const T* from) {
    return has_shift ? joined<last>(before, present) : A::load(from - 1);
  }
  static HWY_INLINE V east_of(V present, V next, const T* from) {
    return has_shift ? joined<1>(present, next) : A::load(from + 1);
  }

  /// D^-1 (b - R u), in the order of plain_value().
  HWY_INLINE V value(V w, V e, V s, V n, V b, V f, const T* from_g) const {
    const V source = OneG ? one_g : A::load(from_g);
    if constexpr (K == Kind::equal) {
      const V sum = A::add(A::add(A::add(n, e), A::add(w, s)), A::add(b, f));
      return A::fma(c[0], sum, source);
    } else {
      V result = A::fma(c[5], f, source);
      result = A::fma(c[4], b, result);
      result = A::fma(c[3], n, result);
      result = A::fma(c[2], s, result);
      result = A::fma(c[1], e, result);
      return A::fma(c[0], w, result);
    }
  }
  /// Makes the step from `before` to `value` and stores it.
  static HWY_INLINE V finish(V value, V before, const Step& step, hn::Mask<Tag> inside, T* to) {
    if constexpr (S != StepKind::plain)
      value = A::fma(A::set(static_cast<T>(step.omega)), A::sub(value, before), before);
    if constexpr (S == StepKind::three_term) {
      const V old = A::load(to);
      value = A::fma(A::set(static_cast<T>(step.rho)), A::sub(value, old), old);
    }
    if constexpr (Masked)
      store_some(value, inside, to);
    else
      hn::StoreU(value, Tag(), to);
    return Masked ? A::load(to) : value;
  }

  /// Level 1 of the present vector.
  HWY_INLINE void first_level(hn::Mask<Tag> inside) {
    V next[P];
    JACOBI_UNROLL
    for (int i = 0; i < P; ++i) {
      const T* const p = plane[i + 2];
      next[i] = A::load(p + at + lanes());
      const V b = i == 0 ? A::load(plane[1] + at) : here[i - 1];
      const V f = i == P - 1 ? A::load(plane[P + 2] + at) : here[i + 1];
      made[i] = value(west_of(west[i], here[i], p + at), east_of(here[i], next[i], p + at),
                      A::load(p + south), A::load(p + north), b, f, p + g);
      made[i] = finish(made[i], here[i], step[0], inside, const_cast<T*>(p) + v);
    }
    JACOBI_UNROLL
    for (int i = 0; i < P; ++i) west[i] = here[i], here[i] = next[i];
  }

  /// Level 2 of the vector before.
  HWY_INLINE void second_level(hn::Mask<Tag> inside) {
    V next[P];
    JACOBI_UNROLL
    for (int i = 0; i < P; ++i) {
      const T* const p = plane[i + 1];
      const T* const before = p + v_below - lanes();
      next[i] = A::load(p + v_below);
      const V b = i == 0 ? A::load(plane[0] + v_below - lanes()) : here2[i - 1];
      const V f = i == P - 1 ? A::load(plane[P + 1] + v_below - lanes()) : here2[i + 1];
      const V n = i == 0 ? A::load(p + v - lanes()) : made[i - 1];
      const V made2 =
          value(west_of(A::load(before - lanes()), here2[i], before), east_of(here2[i], next[i], before),
                A::load(p + v_south - lanes()), n, b, f, p + g_below - lanes());
      finish(made2, here2[i], step[1], inside, const_cast<T*>(p) + to - lanes());
    }
    JACOBI_UNROLL
    for (int i = 0; i < P; ++i) here2[i] = next[i];
  }

  HWY_INLINE void next_vector() {
    step_on(at, lanes());
    step_on(north, lanes());
    step_on(south, lanes());
    step_on(g, lanes());
    step_on(g_below, lanes());
    step_on(v, lanes());
    step_on(v_below, lanes());
    step_on(v_south, lanes());
    step_on(to, lanes());
  }

  /// Lanes of the vector at x.
  static HWY_INLINE hn::Mask<Tag> inside(Range range, Index x) {
    const auto up_to = [](Index count) HWY_ATTR {
      return hn::FirstN(Tag(), static_cast<std::size_t>(std::clamp<Index>(count, 0, lanes())));
    };
    return hn::AndNot(up_to(range.from - x), up_to(range.to - x));
  }

  HWY_INLINE void run(Range one, Range two, Index from, Index end) {
    for (Index x = from; x < end; x += lanes()) {
      second_level(Masked ? inside(two, x - lanes()) : hn::Mask<Tag>());
      first_level(Masked ? inside(one, x) : hn::Mask<Tag>());
      next_vector();
    }
  }
};

/// What all lines have in common.
template <class T>
struct PairOfSweeps {
  const Sources<T, 3> w;
  T *u, *v, *out;  ///< levels 0, 1, 2
  const Step* steps;
  Range one, two;  ///< of x
};

constexpr int planes_together = has_32_registers ? 6 : 4;

/// How two sweeps of a box are made at once. One function does for all kinds: what differs is called per
/// line.
template <class T>
struct PairKernels {
  using Vectors = void (*)(const PairOfSweeps<T>& all, Index p, Index from, Index to);
  using LevelKernel = void (*)(const Workspace<T, 3>& w, const Box<3>& box, Index tile, Partial* partials,
                               const T* u, T* out, Step step);
  Vectors whole[planes_together], masked[planes_together];  ///< of 1, 2, ... planes
  LevelKernel level;                                        ///< a sweep of its own

  /// The line whose first unknown is p, in so many planes: its ends under masks.
  void line(const PairOfSweeps<T>& all, Index p, Index planes) const {
    constexpr Index lanes = Vector<T>::lanes();
    const auto down = [](Index i) { return i / lanes * lanes; };
    const Range one = all.one, two = all.two;
    const Index from = down(std::min(one.from, two.from)), to = std::max(one.to, two.to + lanes);
    const Index low = std::max(down(one.from + lanes - 1), down(two.from + lanes - 1) + lanes);
    const Index high = std::max(low, down(std::min(one.to, two.to + lanes)));
    masked[planes - 1](all, p, from, low);
    whole[planes - 1](all, p, low, high);
    masked[planes - 1](all, p, high, to);
  }

  /// In direction d: where level 1 is made together with level 2 of the row before. The first row waits for
  /// the second one where a ghost copies that.
  static Range both(const Workspace<T, 3>& w, const Box<3>& one, const Box<3>& two, int d) {
    const bool waits = two.from[d] == 0 && w.ghosts.source[d][0] > 0;
    const Index low = std::min(two.from[d] + (waits ? 2 : 1), one.to[d]);
    return {low, std::max(low, std::min(one.to[d], two.to[d] + 1))};
  }

  static void renew_ghosts(const Workspace<T, 3>& w, Range x, Index y, Range planes, T* array) {
    for (Index z = planes.from; z < planes.to; ++z)
      w.renew_ghosts({x.from + y * w.stride[1] + z * w.stride[2], x.to - x.from, {x.from, y, z}}, array);
  }

  /// Of boxes that lie as a tile's do: the second one begins, in each direction, at most one behind the
  /// first. Not where lines are periodic in y: the first line waits for the last one.
  HWY_NOINLINE void run(const Workspace<T, 3>& w, const Box<3>& one, const Box<3>& two, T* u, T* v,
                        const Step* steps) const {
    const PairOfSweeps<T> all{w, u, v, u, steps, {one.from[0], one.to[0]}, {two.from[0], two.to[0]}};
    const Range y = both(w, one, two, 1), z = both(w, one, two, 2);
    const auto sweep = [&](const Box<3>& box, Range rows, Range planes, const T* from, T* to, Step step) {
      if (rows.from < rows.to && planes.from < planes.to)
        level(w, {{box.from[0], rows.from, planes.from}, {box.to[0], rows.to, planes.to}}, 0, nullptr, from,
              to, step);
    };
    const auto first = [&](Range rows, Range planes) { sweep(one, rows, planes, u, v, steps[0]); };
    const auto second = [&](Range rows, Range planes) { sweep(two, rows, planes, v, u, steps[1]); };
    first({one.from[1], one.to[1]}, {one.from[2], z.from});
    for (Index plane = z.from, count; plane < z.to; plane += count) {
      count = std::min<Index>(planes_together, z.to - plane);
      const Range planes{plane, plane + count}, below{plane - 1, plane + count - 1};
      first({one.from[1], y.from}, planes);
      for (Index row = y.from; row < y.to; ++row) {
        line(all, row * w.stride[1] + plane * w.stride[2], count);
        if (!w.ghosts.has_copies) continue;
        renew_ghosts(w, all.one, row, planes, v);
        renew_ghosts(w, all.two, row - 1, below, u);
      }
      first({y.to, one.to[1]}, planes);
      second({two.from[1], y.from - 1}, below);
      second({y.to - 1, two.to[1]}, below);
    }
    first({one.from[1], one.to[1]}, {z.to, one.to[2]});
    second({two.from[1], two.to[1]}, {two.from[2], z.from - 1});
    second({two.from[1], two.to[1]}, {z.to - 1, two.to[2]});
  }
};

/// Two sweeps of one kind.
template <class T, Kind K, StepKind S, bool OneG = false>
struct PairLoop {
  template <int P, bool Masked>
  static HWY_NOINLINE void vectors(const PairOfSweeps<T>& all, Index p, Index from, Index to) {
    Pair<P, K, S, OneG, Masked, T>(all.w, all.u, all.v, all.out, p, from, all.steps)
        .run(all.one, all.two, from, to);
  }
  template <int... P>
  static constexpr PairKernels<T> kernels(std::integer_sequence<int, P...>) {
    return {{vectors<P + 1, false>...}, {vectors<P + 1, true>...}, BoxLoop<T, 3, K, S, false, OneG>::run};
  }
  static constexpr PairKernels<T> table = kernels(std::make_integer_sequence<int, planes_together>());
};

/// Where vectors of neighbours are had by shifts, or by loads that cost no more.
constexpr bool has_pairs = has_shift || HWY_TARGET == HWY_AVX2;

/// Two sweeps at once; none where they cannot be.
template <class T, int D>
const PairKernels<T>* pair_kernels([[maybe_unused]] const Workspace<T, D>& w,
                                   [[maybe_unused]] StepKind step) {
  if constexpr (D == 3 && has_pairs) {
    constexpr auto E = Kind::equal, C = Kind::constant;
    constexpr auto P = StepKind::plain, W = StepKind::weighted, R = StepKind::three_term;
    static constexpr const PairKernels<T>* equal[] = {&PairLoop<T, E, P>::table, &PairLoop<T, E, W>::table,
                                                      &PairLoop<T, E, R>::table};
    static constexpr const PairKernels<T>* constant[] = {&PairLoop<T, C, P>::table, &PairLoop<T, C, W>::table,
                                                         &PairLoop<T, C, R>::table};
    if (w.is_periodic(1)) return nullptr;
    if (w.kind == E && step == P && w.has_one_g) return &PairLoop<T, E, P, true>::table;
    if (w.kind == E) return equal[static_cast<int>(step)];
    if (w.kind == C) return constant[static_cast<int>(step)];
  }
  return nullptr;
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
