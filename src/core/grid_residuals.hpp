/// b - A x of a grid, point by point, on all cores.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "core/blocks.hpp"
#include "core/walk.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Lines first ... last - 1 of a grid.
struct LineRange {
  Index first, last;
};
template <class T, int D>
LineRange all_lines(const Grid<T, D>& grid) {
  return {0, grid.rows() / grid.unknowns[0]};
}

/// What add(part of a line, its number) gathers line by line, put together in a Part, in order.
template <class Line, class Part = Line, class T, int D, class Add>
Part gathered_by_lines(const Grid<T, D>& grid, LineRange lines, Add&& add) {
  const RowGroups blocks(lines.last - lines.first, std::max<Index>(1, 4 * block_rows / grid.unknowns[0]));
  return gathered_by_blocks<Part>(blocks, [&](Part& part, Index first, Index last) {
    for (; first < last; ++first) {
      Line one;
      add(one, lines.first + first);
      part.add(one);
    }
  });
}

/// take(line, first, last, sum) for all rows of these lines, some after the other: sum(i) a Sum of b - A x of
/// row i. Lines are put together in order, in a Part.
template <class Line, class Sum, class Part = Line, class T, int D, class Take>
Part gather_residuals(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, LineRange lines,
                      Take&& take) {
  const Grid<T, D>& grid = a.grid();
  std::array<Index, 2 * D> step;
  for (int k = 0; k < 2 * D; ++k) step[k] = (k % 2 == 0 ? -1 : 1) * stride_of(grid, k / 2);
  std::array<double, 2 * D + 1> same;
  for (int k = 0; k < 2 * D; ++k) same[k] = a.off(k, 0);
  same[2 * D] = a.center(0);
  return gathered_by_lines<Line, Part>(grid, lines, [&](Line& part, Index line) {
    const auto at_side = [&](Index i, const std::array<Index, D>& at) {
      take(part, i, i + 1, [&](Index p) {
        Sum r(b[p]);
        r.add(given(a, at));
        r.subtract(a.center(p), x[p]);
        for (int k = 0; k < 2 * D; ++k) {
          const Index q = neighbour(grid, p, at, k);
          if (q >= 0) r.subtract(a.off(k, p), x[q]);
        }
        return r;
      });
    };
    const auto inside = [&](auto coefficient, Index first, Index last) {
      take(part, first, last, [&](Index p) {
        Sum r(b[p]);
        r.subtract(coefficient(2 * D, p), x[p]);
        for (int k = 0; k < 2 * D; ++k) r.subtract(coefficient(k, p), x[p + step[k]]);
        return r;
      });
    };
    walk_lines(grid, line, line + 1, at_side, [&](Index first, Index last) {
      if (a.is_constant()) return inside([&](int k, Index) { return same[k]; }, first, last);
      inside([&](int k, Index p) { return (k < 2 * D ? a.off(k, p) : a.center(p)); }, first, last);
    });
  });
}

}  // namespace jacobi
