/// One sweep of the points of one colour in a box, which read those of the other: a chequerboard, whose
/// colours lie in arrays of their own (Layout::half). Entry i of a line is its point 2 i + s, s = 0 or 1
/// as colour and line have it; west and east of it are entries i - 1 + s and i + s of the other colour, the
/// other neighbours entries i.
#if defined(JACOBI_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_HALF_INL
#undef JACOBI_HALF_INL
#else
#define JACOBI_HALF_INL
#endif

#include "sweep/stencil/skewing/box-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// A line's points of one colour.
template <class T, int D>
struct HalfLine {
  const T* u;   ///< entry 0 of the other colour
  T* out;       ///< and of this one
  Index at;     ///< where that lies in g and in arrays of coefficients
  Index shift;  ///< s
  Index first, last;
  Index x_first, x_last;  ///< as points of the grid

  HalfLine(const Workspace<T, D>& w, const std::array<Index, D>& position, Index count, const T* from, T* to)
      : x_first(position[0]), x_last(position[0] + count) {
    const bool is_black = to > from;
    Index line = 0, sum = 0;
    for (int d = 1; d < D; ++d) {
      line += position[d] * w.stride[d];
      sum += position[d];
    }
    shift = (sum & 1) != is_black ? 1 : 0;
    u = from + line;
    out = to + line;
    at = line + (is_black ? to - from : 0);
    first = entry(x_first + 1);
    last = entry(x_last + 1);
  }
  /// Of point x, if it has this colour; else of the one before.
  Index entry(Index x) const { return (x - shift) >> 1; }

  /// Those that copy points of this line.
  void renew_ghosts(const Workspace<T, D>& w, const std::array<Index, D>& position) const {
    for (int e = 0; e < 2; ++e) {
      const Index from = w.ghosts.source[0][e], ghost = e == 0 ? -1 : w.n[0];
      if (from >= x_first && from < x_last && ((from - shift) & 1) == 0) out[entry(ghost)] = out[entry(from)];
    }
    for (int d = 1; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        if (w.ghosts.source[d][e] != position[d] || first >= last) continue;
        const Index away = ((e == 0 ? -1 : w.n[d]) - position[d]) * w.stride[d];
        std::memcpy(out + first + away, out + first, static_cast<std::size_t>(last - first) * sizeof(T));
      }
  }
};

template <Kind K, class A, class T, int D>
HWY_INLINE typename A::V plain_value(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i) {
  return plain_value<K, A>(w, line.at + i, [&](int k) HWY_ATTR {
    const Index beside = k == 0 ? line.shift - 1 : line.shift;
    return A::load(line.u + i + (k < 2 ? beside : k % 2 == 0 ? -w.stride[k / 2] : w.stride[k / 2]));
  });
}

/// M lines of one colour, swept together: of the other colour, what one line reads of the next is loaded
/// once, and so is the sum of two lines' entries i, north + east of the lower one and west + south of the
/// upper one. First: s of the first line.
template <int M, int First, Kind K, StepKind S, bool OneG, class T, int D>
struct HalfGroup {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr Index lanes() { return A::lanes(); }
  static constexpr bool is_shifted(int i) { return (First + i) % 2 == 1; }

  const Sources<T, D>& w;
  const T* line[M + 2];  ///< other colour: the line below, these, the line above
  Index u = 0, g, out;   ///< from a line of the other colour to the same entry of it, g and this colour
  Index back = 0, front = 0;
  T rho;
  V beyond[M];  ///< of these lines: the vector to the left, or this one where s = 1

  HWY_INLINE HalfGroup(const Sources<T, D>& sources, const HalfLine<T, D>& lowest, Index i, T weight)
      : w(sources),
        g(distance(sources.g + lowest.at, lowest.u)),
        out(distance<T>(lowest.out, lowest.u)),
        rho(weight) {
    const Index up = w.stride[D > 1 ? 1 : 0];
    if constexpr (D == 3) back = -w.stride[2], front = w.stride[2];
    JACOBI_UNROLL
    for (int j = 0; j < M + 2; ++j) line[j] = lowest.u + i + (j - 1) * up;
  }

  HWY_INLINE void next() {
    step_on(u, lanes());
    step_on(g, lanes());
    step_on(out, lanes());
    if constexpr (D == 3) step_on(back, lanes()), step_on(front, lanes());
  }

  /// Every line's vector, and the entries beside, to its left or right. Streams: loaded once, and shifted.
  template <bool Streams>
  HWY_INLINE void load(V (&row)[M + 2], V (&beside)[M]) {
    constexpr int last = static_cast<int>(lanes()) - 1;
    JACOBI_UNROLL
    for (int i = 0; i < M + 2; ++i)
      row[i] = Streams && i > 0 && i <= M && is_shifted(i - 1) ? beyond[i - 1] : A::load(line[i] + u);
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) {
      if (!Streams) {
        beside[i] = A::load(line[i + 1] + u + (is_shifted(i) ? 1 : -1));
      } else if (is_shifted(i)) {
        beyond[i] = A::load(line[i + 1] + u + lanes());
        beside[i] = joined<1>(row[i + 1], beyond[i]);
      } else {
        beside[i] = joined<last>(beyond[i], row[i + 1]);
        beyond[i] = row[i + 1];
      }
    }
  }

  /// D^-1 (b - R u), in the order of plain_value().
  template <bool Streams>
  HWY_INLINE void plain_values(V (&value)[M]) {
    V row[M + 2], beside[M], pair[M + 1];
    load<Streams>(row, beside);
    JACOBI_UNROLL
    for (int i = 0; i <= M; ++i)
      if (K == Kind::equal && !is_shifted(i + 1)) pair[i] = A::add(row[i + 1], row[i]);
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) {
      value[i] = OneG ? A::set(w.one_g) : A::load(line[i + 1] + g);
      const V west = is_shifted(i) ? row[i + 1] : beside[i], east = is_shifted(i) ? beside[i] : row[i + 1];
      if constexpr (K == Kind::equal) {
        V sum = is_shifted(i) ? A::add(A::add(row[i + 2], east), pair[i])
                              : A::add(pair[i + 1], A::add(west, row[i]));
        if constexpr (D == 3)
          sum = A::add(sum, A::add(A::load(line[i + 1] + back), A::load(line[i + 1] + front)));
        value[i] = A::fma(A::set(w.c[0]), sum, value[i]);
      } else if constexpr (K == Kind::lines) {
        value[i] = A::fma(A::set(w.c[2]), A::add(row[i], row[i + 2]), value[i]);
      } else {
        if constexpr (D == 3) {
          value[i] = A::fma(A::set(w.c[5]), A::load(line[i + 1] + front), value[i]);
          value[i] = A::fma(A::set(w.c[4]), A::load(line[i + 1] + back), value[i]);
        }
        value[i] = A::fma(A::set(w.c[3]), row[i + 2], value[i]);
        value[i] = A::fma(A::set(w.c[2]), row[i], value[i]);
        value[i] = A::fma(A::set(w.c[1]), east, value[i]);
        value[i] = A::fma(A::set(w.c[0]), west, value[i]);
      }
    }
  }

  template <bool Streams, class Store>
  HWY_INLINE void vectors(Store&& store) {
    V value[M];
    plain_values<Streams>(value);
    JACOBI_UNROLL
    for (int i = 0; i < M; ++i) {
      T* const to = const_cast<T*>(line[i + 1]) + out;
      if constexpr (S == StepKind::three_term) {
        const V old = A::load(to);
        value[i] = A::fma(A::set(rho), A::sub(value[i], old), old);
      }
      store(i, value[i], to);
    }
  }

  HWY_INLINE void run(Index count) {
    const typename A::Tag tag;
    if constexpr (has_shift) {
      JACOBI_UNROLL
      for (int i = 0; i < M; ++i) beyond[i] = A::load(line[i + 1] + (is_shifted(i) ? 0 : -lanes()));
    }
    for (; u < count; next())
      vectors<has_shift>([&](int, V value, T* to) HWY_ATTR { hn::StoreU(value, tag, to); });
  }

  /// One vector, of which lanes [from, to) count, by s of the line.
  HWY_INLINE void run_masked(const Index (&from)[2], const Index (&to)[2]) {
    const typename A::Tag tag;
    const auto first = [&](Index n) HWY_ATTR {
      return hn::FirstN(tag, static_cast<std::size_t>(std::clamp<Index>(n, 0, lanes())));
    };
    const auto even = hn::AndNot(first(from[0]), first(to[0])),
               odd = hn::AndNot(first(from[1]), first(to[1]));
    vectors<false>([&](int i, V value, T* at)
                       HWY_ATTR { store_some(value, is_shifted(i) ? odd : even, at); });
  }
};

/// How the points of one colour are swept: lines together, as long as there are enough of them, whole vectors
/// and the parts of them at the ends; the other lines one by one. By s of the lowest line.
template <class T, int D>
struct HalfSweeps {
  bool measured;
  Index together;
  Partial (*one)(const Sources<T, D>& w, const HalfLine<T, D>& line, T rho);
  void (*whole[2])(const Sources<T, D>& w, const HalfLine<T, D>& lowest, Index i, Index count, T rho);
  void (*edge[2])(const Sources<T, D>& w, const HalfLine<T, D>& lowest, Index i, const Index (&from)[2],
                  const Index (&to)[2], T rho);

  /// Lines from the lowest one on.
  void run_several(const Sources<T, D>& w, const HalfLine<T, D>& lowest, T rho) const {
    constexpr Index lanes = Vector<T>::lanes();
    const Index from[2] = {(lowest.x_first + 1) >> 1, lowest.x_first >> 1};
    const Index to[2] = {(lowest.x_last + 1) >> 1, lowest.x_last >> 1};
    const Index inside = (from[0] + lanes - 1) / lanes * lanes, end = to[1] / lanes * lanes;
    for (Index i = from[1] / lanes * lanes; i < to[0];) {
      if (i == inside && i < end) {
        whole[lowest.shift](w, lowest, i, end - i, rho);
        i = end;
      } else {
        edge[lowest.shift](w, lowest, i, from, to, rho);
        i += lanes;
      }
    }
  }
};

/// As sweep_box(). u, out: entry 0 of the two colours.
template <class T, int D>
HWY_NOINLINE void sweep_half_box(const HalfSweeps<T, D>& sweeps, const Workspace<T, D>& shared,
                                 const Box<D>& box, Index tile, Partial* partials, const T* u, T* out,
                                 Step step) {
  const Sources<T, D> w = shared;
  const T rho = static_cast<T>(step.rho);
  const Index count = box.to[0] - box.from[0];
  for_each_group(box, sweeps.together, [&](std::array<Index, D> position, Index lines) HWY_ATTR {
    const HalfLine<T, D> line(shared, position, count, u, out);
    if (lines > 1) {
      sweeps.run_several(w, line, rho);
    } else {
      const Partial sum = sweeps.one(w, line, rho);
      if (sweeps.measured) partials[shared.line_number(position) * shared.pieces_per_line + tile] = sum;
    }
    for (Index i = 0; i < lines && shared.ghosts.has_copies; ++i) {
      HalfLine<T, D>(shared, position, count, u, out).renew_ghosts(shared, position);
      if constexpr (D > 1) ++position[1];
    }
  });
}

/// plain: the value; three-term: fma(rho, value - out, out), which is a step of omega = 1. The update is
/// measured against what is overwritten.
template <class T, int D, Kind K, StepKind S, bool Measured, bool OneG = false>
struct HalfLoop {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr Index lanes() { return A::lanes(); }

  template <class B>
  static HWY_INLINE typename B::V stepped(typename B::V value, const T* out, T rho) {
    if constexpr (S == StepKind::plain) return value;
    const auto old = B::load(out);
    return B::fma(B::set(rho), B::sub(value, old), old);
  }

  /// Whole vectors from entry i on; returns where they end.
  static HWY_INLINE Index whole(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i, T rho,
                                LaneSums<T>& sums) {
    const typename A::Tag tag;
    for (; i + lanes() <= line.last; i += lanes()) {
      const V value = stepped<A>(plain_value<K, A>(w, line, i), line.out + i, rho);
      if constexpr (Measured) sums.add(A::sub(value, A::load(line.out + i)));
      hn::StoreU(value, tag, line.out + i);
    }
    return i;
  }

  /// Entries [i, last) of a vector that starts at `start`.
  static HWY_INLINE void part(const Sources<T, D>& w, const HalfLine<T, D>& line, Index start, Index i,
                              Index last, T rho, LaneSums<T>& sums) {
    const typename A::Tag tag;
    const auto inside = hn::AndNot(hn::FirstN(tag, static_cast<std::size_t>(i - start)),
                                   hn::FirstN(tag, static_cast<std::size_t>(last - start)));
    const V value = stepped<A>(plain_value<K, A>(w, line, start), line.out + start, rho);
    if constexpr (Measured) sums.add(A::only(inside, A::sub(value, A::load(line.out + start))));
    store_some(value, inside, line.out + start);
  }

  /// In 1D, what lies beside an end may belong to another thread.
  static HWY_INLINE void one_by_one(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i, Index last,
                                    T rho, Partial& sum) {
    for (; i < last; ++i) {
      const T value = stepped<Scalar<T>>(plain_value<K, Scalar<T>>(w, line, i), line.out + i, rho);
      const double d = static_cast<double>(value - line.out[i]);
      sum.squares += d * d;
      sum.max = std::max(sum.max, std::abs(d));
      line.out[i] = value;
    }
  }

  static HWY_NOINLINE Partial sweep(const Sources<T, D>& w, const HalfLine<T, D>& line, T rho) {
    LaneSums<T> sums;
    Partial sum;
    Index i = line.first;
    const Index start = i / lanes() * lanes(), next = std::min(line.last, start + lanes());
    if (D == 1 && i > start) {
      one_by_one(w, line, i, next, rho, sum);
      i = next;
    } else if (i > start && i < next) {
      part(w, line, start, i, next, rho, sums);
      i = next;
    }
    i = whole(w, line, i, rho, sums);
    if (D == 1)
      one_by_one(w, line, i, line.last, rho, sum);
    else if (i < line.last)
      part(w, line, i, i, line.last, rho, sums);
    if constexpr (Measured) sum += sums.total();
    return sum;
  }

  static constexpr int together = !Measured && D > 1 && K != Kind::variable ? 4 : 1;

  template <int First>
  static HWY_NOINLINE void whole(const Sources<T, D>& w, const HalfLine<T, D>& lowest, Index i, Index count,
                                 T rho) {
    HalfGroup<together, First, K, S, OneG, T, D>(w, lowest, i, rho).run(count);
  }
  template <int First>
  static HWY_NOINLINE void edge(const Sources<T, D>& w, const HalfLine<T, D>& lowest, Index i,
                                const Index (&from)[2], const Index (&to)[2], T rho) {
    HalfGroup<together, First, K, S, OneG, T, D>(w, lowest, i, rho)
        .run_masked({from[0] - i, from[1] - i}, {to[0] - i, to[1] - i});
  }

  static constexpr HalfSweeps<T, D> all() {
    if constexpr (together > 1)
      return {Measured, together, sweep, {whole<0>, whole<1>}, {edge<0>, edge<1>}};
    else
      return {Measured, together, sweep, {}, {}};
  }
  static void run(const Workspace<T, D>& w, const Box<D>& box, Index tile, Partial* partials, const T* u,
                  T* out, Step step) {
    static constexpr HalfSweeps<T, D> sweeps = all();
    sweep_half_box(sweeps, w, box, tile, partials, u, out, step);
  }
};

// Steps have omega = 1: weighted ones do not come.
template <class T, int D, Kind K, StepKind S>
struct PlainHalf
    : HalfLoop<T, D, K, S == StepKind::three_term ? StepKind::three_term : StepKind::plain, false> {};
template <class T, int D, Kind K, StepKind S>
struct MeasuredHalf
    : HalfLoop<T, D, K, S == StepKind::three_term ? StepKind::three_term : StepKind::plain, true> {};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
