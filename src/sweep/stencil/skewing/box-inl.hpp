/// One sweep of a box of unknowns: several lines at a time, whole vectors, the last one of a line masked.
#if defined(JACOBI_BOX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_BOX_INL
#undef JACOBI_BOX_INL
#else
#define JACOBI_BOX_INL
#endif

#include "sweep/stencil/layout/measure-inl.hpp"
#include "sweep/stencil/order/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Unknowns [from, to) in every direction.
template <int D>
struct Box {
  std::array<Index, D> from, to;
};

/// M lines of a box, swept together: what one line reads of the next is loaded once. Where all neighbours
/// weigh the same, the sum north + east of a line is, one unknown further, west + south of the next line:
/// it is shifted instead of added again.
template <int M, Kind K, StepKind S, bool Measured, bool OneG, class T, int D>
struct LinesTogether {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr bool shares = has_shift && K == Kind::equal && M > 1;
  static constexpr bool streams = has_shift && (K == Kind::equal || K == Kind::constant) && M > 1;
  static constexpr Index lanes() { return A::lanes(); }
  static constexpr int last = static_cast<int>(lanes()) - 1;

  const Sources<T, D>& w;
  const T* line[M + 2];  ///< u of the line below, of these, of the line above
  Index u = 0, g, out;   ///< from a line of u to the same unknown of u, g and the new values
  Index up, back = 0, front = 0;
  V c[K == Kind::constant ? 2 * D : 1];  ///< the coefficients, where they are the same everywhere
  Index first;                           ///< offset of the first unknown
  T omega, rho;
  V before[M];  ///< north + east, one vector to the left
  V ahead[M];   ///< of these lines, of the next vector
  // NOLINTNEXTLINE(bugprone-branch-clone): M may be 1
  static constexpr int west_lines = K == Kind::equal ? 1 : M;  ///< whose west is not shared
  V behind[west_lines];                                        ///< of these, of the vector before
  LaneSums<T> sums[Measured ? M : 1];                          // NOLINT(bugprone-branch-clone): M may be 1

  HWY_INLINE LinesTogether(const Sources<T, D>& sources, Index p, const T* from, T* to, Step step)
      : w(sources),
        g(distance(sources.g, from)),
        out(distance<T>(to, from)),
        up(D > 1 ? sources.stride[D > 1 ? 1 : 0] : 0),
        first(p),
        omega(static_cast<T>(step.omega)),
        rho(static_cast<T>(step.rho)) {
    if constexpr (D == 3) back = -w.stride[2], front = w.stride[2];
    JACOBI_UNROLL
    for (int k = 0; k < (K == Kind::constant ? 2 * D : 1); ++k) c[k] = A::set(w.c[k]);
    JACOBI_UNROLL
    for (int i = 0; i < M + 2; ++i) line[i] = from + p + (i - 1) * up;
    if constexpr (shares) {
      JACOBI_UNROLL
      for (int i = 0; i + 1 < M; ++i)
        before[i] = A::add(A::load(line[i + 2] - lanes()), A::load(line[i + 1] - lanes() + 1));
    }
  }

  HWY_INLINE void next() {
    step_on(u, lanes());
    step_on(g, lanes());
    step_on(out, lanes());
    if constexpr (D == 3) step_on(back, lanes()), step_on(front, lanes());
  }

  /// Of line i, whose present vector is `here`.
  template <bool Streams>
  HWY_INLINE V west_of(V here, int i) const {
    return Streams ? joined<last>(behind[i], here) : A::load(line[i + 1] + u - 1);
  }
  template <bool Streams>
  HWY_INLINE V east_of(V here, int i) const {
    return Streams ? joined<1>(here, ahead[i]) : A::load(line[i + 1] + u + 1);
  }

  /// D^-1 (b - R u), in the order of plain_value(). Streams: every line's next vector is loaded, whose first
  /// lane is this one's last eastern neighbour, and kept: no load then crosses a line of the cache.
  template <bool Streams>
  HWY_INLINE void plain_values(V (&row)[M + 2], V (&value)[M]) {
    JACOBI_UNROLL
    for (int i = 0; i < M + 2; ++i)
      if (Streams && i > 0 && i <= M)
        row[i] = ahead[i - 1];
      else if (D > 1 || i == 1)
        row[i] = A::load(line[i] + u);
    if constexpr (Streams) {
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i) ahead[i] = A::load(line[i + 1] + u + lanes());
    }
    if constexpr (K == Kind::equal) {
      V north_east[M], sum[M];
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i) {
        const V east = east_of<Streams>(row[i + 1], i);
        north_east[i] = D == 1 ? east : A::add(row[i + 2], east);
        if (shares && i > 0) {
          sum[i] = A::add(north_east[i], joined<last>(before[i - 1], north_east[i - 1]));
        } else {
          const V west = west_of<Streams>(row[i + 1], i);
          sum[i] = D == 1 ? A::add(west, east) : A::add(north_east[i], A::add(west, row[i]));
        }
      }
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i) {
        if constexpr (shares) before[i] = north_east[i];
        if constexpr (D == 3)
          sum[i] = A::add(sum[i], A::add(A::load(line[i + 1] + back), A::load(line[i + 1] + front)));
        value[i] = A::fma(c[0], sum[i], OneG ? A::set(w.one_g) : A::load(line[i + 1] + g));
      }
    } else if constexpr (K == Kind::lines) {
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i)
        value[i] = A::fma(A::set(w.c[2]), A::add(row[i], row[i + 2]), A::load(line[i + 1] + g));
    } else {
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i) {
        value[i] = A::load(line[i + 1] + g);
        JACOBI_UNROLL
        for (int k = 2 * D - 1; k >= 0; --k) {
          const V neighbour = k == 0   ? west_of<Streams>(row[i + 1], i)
                              : k == 1 ? east_of<Streams>(row[i + 1], i)
                              : k == 2 ? row[i]
                              : k == 3 ? row[i + 2]
                                       : A::load(line[i + 1] + (k == 4 ? back : front));
          const V weight = K == Kind::variable ? A::load(w.c_arrays[k] + first + i * up + u) : c[k];
          value[i] = A::fma(weight, neighbour, value[i]);
        }
      }
    }
    JACOBI_UNROLL
    for (int i = 0; Streams && i < west_lines; ++i) behind[i] = row[i + 1];
  }

  /// One vector of every line; store(value, where) writes, load(where) reads what it overwrites,
  /// counted(difference) leaves what counts of it.
  template <bool Streams, class Store, class Load, class Counted>
  HWY_INLINE void vectors(Store&& store, Load&& load, Counted&& counted) {
    V row[M + 2], value[M];
    plain_values<Streams>(row, value);
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) {
      if constexpr (S == StepKind::undivided)
        value[i] = undivided<A>(value[i], row[i + 1], w.diagonals + first + i * up + u, omega);
      else if constexpr (S != StepKind::plain)
        value[i] = A::fma(A::set(omega), A::sub(value[i], row[i + 1]), row[i + 1]);
      if constexpr (S == StepKind::three_term) {
        const V old = load(line[i + 1] + out);
        value[i] = A::fma(A::set(rho), A::sub(value[i], old), old);
      }
    }
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) {
      store(value[i], const_cast<T*>(line[i + 1]) + out);
      if constexpr (Measured) sums[i].add(counted(A::sub(value[i], row[i + 1])));
    }
  }

  /// Whole vectors.
  HWY_INLINE Partial run(Index count) {
    const typename A::Tag tag;
    for (; u + lanes() <= count; next())
      vectors<false>([&](V value, T* to) HWY_ATTR { hn::StoreU(value, tag, to); }, A::load,
                     [](V difference) HWY_ATTR { return difference; });
    return Measured ? sums[0].total() : Partial{};
  }

  /// Lanes [skip, end), counted from the first vector on. All are stored under a mask, which costs nothing:
  /// so one loop does for both ends too, and begins once.
  HWY_INLINE void run_through(Index skip, Index end) {
    const typename A::Tag tag;
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) ahead[i] = A::load(line[i + 1] + u);
    JACOBI_UNROLL
    for (int i = 0; i < west_lines; ++i) behind[i] = A::load(line[i + 1] + u - lanes());
    const auto up_to = [&](Index count) HWY_ATTR { return hn::FirstN(tag, static_cast<std::size_t>(count)); };
    for (auto inside = hn::AndNot(up_to(skip), up_to(end)); u < end; inside = up_to(end - u)) {
      vectors<true>([&](V value, T* to) HWY_ATTR { hn::BlendedStore(value, inside, tag, to); }, A::load,
                    [](V difference) HWY_ATTR { return difference; });
      next();
    }
  }

  /// One vector, of which lanes [skip, end) count.
  HWY_INLINE Partial run_masked(Index skip, Index end) {
    const typename A::Tag tag;
    const auto inside = hn::AndNot(hn::FirstN(tag, static_cast<std::size_t>(skip)),
                                   hn::FirstN(tag, static_cast<std::size_t>(end)));
    // in 1D a lane outside may be the ghost that another thread renews
    const auto load_inside = [&](const T* from) HWY_ATTR {
      if constexpr (D > 1) return A::load(from);
      HWY_ALIGN T lane[HWY_MAX_BYTES / sizeof(T)] = {};
      for (Index i = skip; i < end; ++i) lane[i] = from[i];
      return A::load(lane);
    };
    const auto store = [&](V value, T* to) HWY_ATTR {
      if constexpr (D > 1) return store_some(value, inside, to);
      hn::BlendedStore(value, inside, tag, to);
    };
    vectors<false>(store, load_inside, [&](V difference) HWY_ATTR { return A::only(inside, difference); });
    return Measured ? sums[0].total() : Partial{};
  }
};

/// How M lines are swept together: whole vectors, the part of one that lies in the box, or all that does.
/// Functions of their own, so that the compiler sees one small loop.
template <class T, int D>
struct GroupSweep {
  Partial (*whole)(const Sources<T, D>& w, Index p, Index count, const T* u, T* out, Step step);
  Partial (*edge)(const Sources<T, D>& w, Index p, Index skip, Index end, const T* u, T* out, Step step);
  void (*through)(const Sources<T, D>& w, Index p, Index skip, Index end, const T* u, T* out, Step step);

  /// Lanes [skip, end), counted from the vector at p on.
  Partial run(const Sources<T, D>& w, Index p, Index skip, Index end, const T* u, T* out, Step step) const {
    constexpr Index lanes = Vector<T>::lanes();
    if (through) return through(w, p, skip, end, u, out, step), Partial{};
    Partial sum;
    if (skip > 0 || end < lanes) {
      sum += edge(w, p, skip, std::min(end, lanes), u, out, step);
      p += lanes;
      end -= lanes;
    }
    if (end >= lanes) {
      const Index count = end - end % lanes;
      sum += whole(w, p, count, u, out, step);
      p += count;
      end -= count;
    }
    if (end > 0) sum += edge(w, p, 0, end, u, out, step);
    return sum;
  }
};

/// How a box is swept: lines together, as long as there are enough of them, the others one by one.
template <class T, int D>
struct LineSweeps {
  bool measured;
  Index together;
  GroupSweep<T, D> several, one;
};

/// visit(position, lines) for the lines of a box, so many together as long as there are enough, else one: all
/// planes before the next lines, which are in L1 when the next plane needs them.
template <int D, class Visit>
HWY_INLINE void for_each_group(const Box<D>& box, Index together, Visit&& visit) {
  auto position = box.from;
  const Index planes = D == 3 ? box.to[D - 1] - box.from[D - 1] : 1;
  const Index rows = D > 1 ? box.to[D > 1 ? 1 : 0] - box.from[D > 1 ? 1 : 0] : 1;
  for (Index y = 0, lines; y < rows; y += lines) {
    lines = y + together <= rows ? together : 1;
    for (Index z = 0; z < planes; ++z) {
      if constexpr (D > 1) position[1] = box.from[1] + y;
      if constexpr (D == 3) position[2] = box.from[2] + z;
      visit(position, lines);
    }
  }
}

/// One sweep of a box, and its ghosts. The lines of a box belong to one thread, their ghosts included.
/// Partial norms go to the pieces number `tile` of its lines. One function for all kinds: what differs is
/// called per line.
template <class T, int D>
HWY_NOINLINE void sweep_box(const LineSweeps<T, D>& sweeps, const Workspace<T, D>& shared, const Box<D>& box,
                            Index tile, Partial* partials, const T* u, T* out, Step step) {
  const Sources<T, D> w = shared;
  const Index count = box.to[0] - box.from[0];
  const Index skip = box.from[0] % Vector<T>::lanes(), end = skip + count;
  for_each_group(box, sweeps.together, [&](const std::array<Index, D>& position, Index lines) HWY_ATTR {
    Piece<D> piece{position[0], count, position};
    for (int d = 1; d < D; ++d) piece.first += position[d] * w.stride[d];
    const GroupSweep<T, D>& sweep = lines > 1 ? sweeps.several : sweeps.one;
    const Partial sum = sweep.run(w, piece.first - skip, skip, end, u, out, step);
    if (sweeps.measured) partials[shared.line_number(position) * shared.pieces_per_line + tile] = sum;
    for (Index i = 0; i < lines && shared.ghosts.has_copies; ++i) {
      shared.renew_ghosts(piece, out);
      if constexpr (D > 1) piece.first += w.stride[1], ++piece.position[1];
    }
  });
}

/// The sweep of a box for one kind. OneG: g is one value.
template <class T, int D, Kind K, StepKind S, bool Measured, bool OneG = false>
struct BoxLoop {
  static constexpr int together = !Measured && D > 1 && (K == Kind::equal || K == Kind::constant) ? 4 : 1;

  template <int M>
  using Group = LinesTogether<M, K, S, Measured, OneG, T, D>;

  template <int M>
  static HWY_NOINLINE Partial whole(const Sources<T, D>& w, Index p, Index count, const T* u, T* out,
                                    Step step) {
    return Group<M>(w, p, u, out, step).run(count);
  }
  template <int M>
  static HWY_NOINLINE Partial edge(const Sources<T, D>& w, Index p, Index skip, Index end, const T* u, T* out,
                                   Step step) {
    return Group<M>(w, p, u, out, step).run_masked(skip, end);
  }
  template <int M>
  static HWY_NOINLINE void through(const Sources<T, D>& w, Index p, Index skip, Index end, const T* u, T* out,
                                   Step step) {
    Group<M>(w, p, u, out, step).run_through(skip, end);
  }

  template <int M>
  static constexpr GroupSweep<T, D> group() {
    if constexpr (Group<M>::streams)
      return {nullptr, nullptr, through<M>};
    else
      return {whole<M>, edge<M>, nullptr};
  }

  static void run(const Workspace<T, D>& w, const Box<D>& box, Index tile, Partial* partials, const T* u,
                  T* out, Step step) {
    static constexpr LineSweeps<T, D> sweeps{Measured, together, group<together>(), group<1>()};
    sweep_box(sweeps, w, box, tile, partials, u, out, step);
  }
};

template <class T, int D, Kind K, StepKind S>
struct PlainBox : BoxLoop<T, D, K, S, false> {};
template <class T, int D, Kind K, StepKind S>
struct MeasuredBox : BoxLoop<T, D, K, S, true> {};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
