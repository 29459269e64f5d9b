/// One sweep of the points of one colour in a box, which read those of the other: a chequerboard, whose
/// colours lie in arrays of their own (Workspace::half). Entry i of a line is its point 2 i + s, s = 0 or 1 as
/// colour and line have it; west and east of it are entries i - 1 + s and i + s of the other colour, the other
/// neighbours entries i.
#if defined(JACOBI_HALF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_HALF_INL
#undef JACOBI_HALF_INL
#else
#define JACOBI_HALF_INL
#endif

#include "sweep/stencil/box-inl.hpp"

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

  HalfLine(const Workspace<T, D>& w, std::array<Index, D> position, Index count, const T* from, T* to)
      : x_first(position[0]), x_last(position[0] + count) {
    const bool is_black = to > from;
    position[0] = 0;
    const Index p = w.offset(position);
    const Index line = p >= w.half ? p - w.half : p;
    shift = (p >= w.half) != is_black ? 1 : 0;
    u = from + line;
    out = to + line;
    at = line + (is_black ? w.half : 0);
    first = entry(x_first + 1);
    last = entry(x_last + 1);
  }
  /// Of point x, if it has this colour; else of the one before.
  Index entry(Index x) const { return (x - shift) >> 1; }

  /// Those that copy points of this line.
  void renew_ghosts(const Workspace<T, D>& w, const std::array<Index, D>& position) const {
    for (int e = 0; e < 2; ++e) {
      const Index from = w.ghost_source[0][e], ghost = e == 0 ? -1 : w.n[0];
      if (from >= x_first && from < x_last && ((from - shift) & 1) == 0) out[entry(ghost)] = out[entry(from)];
    }
    for (int d = 1; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        if (w.ghost_source[d][e] != position[d] || first >= last) continue;
        const Index away = ((e == 0 ? -1 : w.n[d]) - position[d]) * w.stride[d];
        std::memcpy(out + first + away, out + first, static_cast<std::size_t>(last - first) * sizeof(T));
      }
  }
};

template <Kind K, class A, class T, int D>
HWY_INLINE typename A::V plain_value(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i) {
  return plain_value<K, A>(w, line.at + i, [&](int k) HWY_ATTR {
    const Index beside = k == 0 ? line.shift - 1 : line.shift;
    return A::load(line.u + i +
                   (k < 2 ? beside : k % 2 == 0 ? -w.stride[k / 2] : w.stride[k / 2]));
  });
}

/// plain: the value; three-term: fma(rho, value - out, out), which is a step of omega = 1. The update is
/// measured against what is overwritten.
template <class T, int D, Kind K, StepKind S, bool Measured>
struct HalfLoop {
  using A = Vector<T>;
  using V = typename A::V;
  static constexpr Index lanes() { return static_cast<Index>(hn::MaxLanes(typename A::Tag())); }

  template <class B>
  static HWY_INLINE typename B::V combined(typename B::V value, const T* out, T rho) {
    if constexpr (S == StepKind::plain) return value;
    const auto old = B::load(out);
    return B::fma(B::set(rho), B::sub(value, old), old);
  }

  /// Whole vectors from entry i on; returns where they end.
  static HWY_INLINE Index whole(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i, T rho,
                                LaneSums<T>& sums) {
    const typename A::Tag tag;
    for (; i + lanes() <= line.last; i += lanes()) {
      const V value = combined<A>(plain_value<K, A>(w, line, i), line.out + i, rho);
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
    const V value = combined<A>(plain_value<K, A>(w, line, start), line.out + start, rho);
    if constexpr (Measured)
      sums.add(hn::IfThenElseZero(inside, A::sub(value, A::load(line.out + start))));
    hn::BlendedStore(value, inside, tag, line.out + start);
  }

  /// In 1D, what lies beside an end may belong to another thread.
  static HWY_INLINE void one_by_one(const Sources<T, D>& w, const HalfLine<T, D>& line, Index i, Index last,
                                    T rho, Partial& sum) {
    for (; i < last; ++i) {
      const T value = combined<Scalar<T>>(plain_value<K, Scalar<T>>(w, line, i), line.out + i, rho);
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

  /// As BoxLoop::run. u, out: entry 0 of the two colours.
  static void run(const Workspace<T, D>& shared, const Box<D>& box, Index tile, Partial* partials, const T* u,
                  T* out, Step step) {
    const Sources<T, D> w = shared;
    const T rho = static_cast<T>(step.rho);
    const Index count = box.to[0] - box.from[0];
    auto position = box.from;
    const Index planes = D == 3 ? box.to[D - 1] - box.from[D - 1] : 1;
    const Index rows = D > 1 ? box.to[D > 1 ? 1 : 0] - box.from[D > 1 ? 1 : 0] : 1;
    for (Index y = 0; y < rows; ++y)
      for (Index z = 0; z < planes; ++z) {
        Index number = 0;
        if constexpr (D > 1) number = position[1] = box.from[1] + y;
        if constexpr (D == 3) {
          position[2] = box.from[2] + z;
          number += position[2] * shared.n[1];
        }
        const HalfLine<T, D> line(shared, position, count, u, out);
        const Partial sum = sweep(w, line, rho);
        if constexpr (Measured) partials[number * shared.pieces_per_line + tile] = sum;
        if (shared.has_copies) line.renew_ghosts(shared, position);
      }
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
