/// Walking a grid point by point: slow, obvious, used where nothing is timed.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "core/cancel.hpp"
#include "core/long_sum.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Index of an unknown per direction; leaves D to be deduced from the grid.
template <int D>
using Position = std::type_identity_t<std::array<Index, static_cast<std::size_t>(D)>>;

/// Distance in memory of neighbours along direction d.
template <class T, int D>
Index stride_of(const Grid<T, D>& grid, int d) {
  Index stride = 1;
  for (int e = 0; e < d; ++e) stride *= grid.unknowns[e];
  return stride;
}

template <class T, int D>
std::array<Index, D> position(const Grid<T, D>& grid, Index p) {
  std::array<Index, D> at;
  for (int d = 0; d < D; ++d) {
    at[d] = p % grid.unknowns[d];
    p /= grid.unknowns[d];
  }
  return at;
}

/// The next position in order of directions `first`, first + 1, ...; after the last one the first again.
template <class T, int D>
void to_next(const Grid<T, D>& grid, Position<D>& at, int first = 0) {
  for (int d = first; d < D && ++at[d] == grid.unknowns[d]; ++d) at[d] = 0;
}

/// visit(p, position) for every unknown in order. Throws: Interrupted where that is asked for.
template <class T, int D, class Visit>
void walk(const Grid<T, D>& grid, Visit&& visit) {
  const Index rows = grid.rows();
  std::array<Index, D> at{};
  constexpr Index often = Index(1) << 16;
  for (Index p = 0; p < rows; ++p) {
    if (p % often == 0) throw_if_cancelled();
    visit(p, at);
    to_next(grid, at);
  }
}

/// The same of lines first_line ... last_line - 1, but inside(first, last) for a run of unknowns of a line
/// all of whose neighbours are unknowns, which lie where strides say.
template <class T, int D, class Visit, class Inside>
void walk_lines(const Grid<T, D>& grid, Index first_line, Index last_line, Visit&& visit, Inside&& inside) {
  const Index line = grid.unknowns[0];
  std::array<Index, D> at = position(grid, first_line * line);
  for (Index p = first_line * line; p < last_line * line; p += line) {
    bool is_inside = line > 2;
    for (int d = 1; d < D; ++d) is_inside = is_inside && at[d] > 0 && at[d] + 1 < grid.unknowns[d];
    for (at[0] = 0; at[0] < line; ++at[0]) {
      visit(p + at[0], at);
      if (at[0] == 0 && is_inside) {
        inside(p + 1, p + line - 1);
        at[0] = line - 2;
      }
    }
    at[0] = 0;
    to_next(grid, at, 1);
  }
}
template <class T, int D, class Visit, class Inside>
void walk(const Grid<T, D>& grid, Visit&& visit, Inside&& inside) {
  walk_lines(grid, 0, grid.rows() / grid.unknowns[0], visit, inside);
}

/// Of the n unknowns along a direction the one that the ghost at its low (e = 0) or high end repeats, or -1
/// where a Dirichlet value stands there.
constexpr Index ghost_source(BoundaryKind side, int e, Index n) {
  if (side == BoundaryKind::dirichlet) return -1;
  if (side == BoundaryKind::neumann) return e == 0 ? 1 : n - 2;
  return e == 0 ? n - 1 : 0;
}

/// Unknown that stands for the neighbour of `at` in direction k, or -1 where a Dirichlet value does.
template <class T, int D>
Index neighbour(const Grid<T, D>& grid, Index p, const Position<D>& at, int k) {
  const int d = k / 2, e = k % 2;
  const Index n = grid.unknowns[d], from = at[d], stride = stride_of(grid, d);
  const Index to = from + (e == 0 ? -1 : 1);
  if (to >= 0 && to < n) return p + (to - from) * stride;
  const Index source = ghost_source(grid.sides[d][e].kind, e, n);
  return source < 0 ? -1 : p + (source - from) * stride;
}

/// Place on side k of the point beside which `at` lies.
template <class T, int D>
Index side_point(const Grid<T, D>& grid, const Position<D>& at, int k) {
  Index s = 0;
  for (int d = D - 1; d >= 0; --d)
    if (d != k / 2) s = s * grid.unknowns[d] + at[d];
  return s;
}

/// What point s of side k, whose values are given, adds to b at the unknown beside it, in double.
template <class T, int D>
double given(const Stencil<T, D>& a, int k, Index s) {
  if (a.grid().sides[k / 2][k % 2].kind == BoundaryKind::neumann) return a.neumann_flux(k)[s];
  return -static_cast<double>(a.off(k, a.side_unknown(k, s))) * a.boundary_value(k, s);
}

/// Whether side k adds anything.
template <class T, int D>
bool is_given(const Grid<T, D>& grid, int k) {
  const Side<T>& side = grid.sides[k / 2][k % 2];
  return !side.values.empty() && side.kind != BoundaryKind::periodic;
}

/// What the sides add to b at one unknown.
template <class T, int D>
double given(const Stencil<T, D>& a, const Position<D>& at) {
  const Grid<T, D>& grid = a.grid();
  double sum = 0;
  for (int k = 0; k < 2 * D; ++k)
    if (at[k / 2] == (k % 2 == 0 ? 0 : grid.unknowns[k / 2] - 1) && is_given(grid, k))
      sum += given(a, k, side_point(grid, at, k));
  return sum;
}

/// Sums up a vector's norms entry by entry. Squares that would vanish or overflow are summed apart, in units
/// of their own: a norm is 0 only where every entry is, and infinite only where it is beyond double's range.
/// Source: Blue, "A portable Fortran program to find the Euclidean norm of a vector", ACM Trans. Math. Softw.
/// 4, 1978.
class Accumulated {
 public:
  void add(double value) {
    const double size = std::abs(value);
    if (size > max_) max_ = size;
    add_square(size);
  }
  /// The same of value(i), first <= i < last: some at once, in sums side by side. Where the largest of them
  /// is of a middling size, squares that vanish beside that one's count for nothing.
  template <class Value>
  void add(Index first, Index last, Value&& value) {
    constexpr Index at_once = 64, lanes = 2;
    using Lanes [[gnu::vector_size(lanes * sizeof(double))]] = double;
    struct Sums {
      Lanes squares{}, largest{};
      void add(double a, double b) {
        const Lanes values{a, b}, sizes = values < 0 ? -values : values;
        squares += sizes * sizes;
        largest = sizes > largest ? sizes : largest;
      }
    };
    for (; first + at_once <= last; first += at_once) {
      Sums one, other;
      for (Index i = first; i < first + at_once; i += 2 * lanes) {
        one.add(value(i), value(i + 1));
        other.add(value(i + 2), value(i + 3));
      }
      const double most = std::max({one.largest[0], one.largest[1], other.largest[0], other.largest[1]});
      if (most == 0 || (most >= sqrt_tiny && most <= huge)) {
        squares_ += (one.squares[0] + one.squares[1]) + (other.squares[0] + other.squares[1]);
        max_ = std::max(max_, most);
      } else {
        for (Index i = first; i < first + at_once; ++i) add(value(i));
      }
    }
    for (; first < last; ++first) add(value(first));
  }
  Norms norms() const { return {root(), std::isnan(squares_) ? squares_ : max_}; }

  /// Of parts of a vector, added without rounding.
  struct Whole {
    void add(const Accumulated& part) {
      squares.add(part.squares_);
      tiny.add(part.tiny_);
      huge.add(part.huge_);
      max = std::max(max, part.max_);
    }
    void add(const Whole& more) {
      squares.add(more.squares);
      tiny.add(more.tiny);
      huge.add(more.huge);
      max = std::max(max, more.max);
    }
    Norms norms() const {
      Accumulated sum;
      sum.squares_ = squares.value();
      sum.tiny_ = tiny.value();
      sum.huge_ = huge.value();
      sum.max_ = max;
      return sum.norms();
    }

    LongSum squares, tiny, huge;
    double max = 0;
  };

 private:
  static constexpr double tiny = 0x1p-500, sqrt_tiny = 0x1p-250, huge = 0x1p500;

  static double square(double value) { return value * value; }
  double root() const {
    if (huge_ > 0) return std::sqrt(huge_ + squares_ * tiny * tiny) * huge;
    if (tiny_ > 0) return std::hypot(std::sqrt(squares_), std::sqrt(tiny_) * tiny);
    return std::sqrt(squares_);
  }

  void add_square(double size) {
    if (size < tiny) {
      tiny_ += square(size * huge);
    } else if (size > huge) {
      huge_ += square(size * tiny);
    } else {
      squares_ += square(size);  // NaN too
    }
  }
  double squares_ = 0, tiny_ = 0, huge_ = 0;
  double max_ = 0;
};

}  // namespace jacobi
