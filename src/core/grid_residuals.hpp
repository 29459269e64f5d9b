/// b - A x of a grid, point by point, on all cores.
#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "core/blocks.hpp"
#include "core/walk.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// take(part, sum, center) for every row, sum a Sum of its b - A x: some lines after the other, put together
/// in order.
template <class Part, class Sum, class T, int D, class Take>
Part gather_residuals(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Take&& take) {
  const Grid<T, D>& grid = a.grid();
  std::array<Index, 2 * D> step;
  for (int k = 0; k < 2 * D; ++k) step[k] = (k % 2 == 0 ? -1 : 1) * stride_of(grid, k / 2);
  std::array<double, 2 * D + 1> same;
  for (int k = 0; k < 2 * D; ++k) same[k] = a.off(k, 0);
  same[2 * D] = a.center(0);
  const Index line = grid.unknowns[0];
  const Blocks blocks(grid.rows() / line, std::max<Index>(1, 4 * block_rows / line));
  return gathered_by_blocks<Part>(blocks, [&](Part& part, Index first_line, Index last_line) {
    const auto at_side = [&](Index p, const std::array<Index, D>& at) {
      Sum r(b[p]);
      r.add(given(a, at));
      r.subtract(a.center(p), x[p]);
      for (int k = 0; k < 2 * D; ++k) {
        const Index q = neighbour(grid, p, at, k);
        if (q >= 0) r.subtract(a.off(k, p), x[q]);
      }
      take(part, r, a.center(p));
    };
    const auto inside = [&](auto coefficient, Index p, Index last) {
      for (; p < last; ++p) {
        Sum r(b[p]);
        r.subtract(coefficient(2 * D, p), x[p]);
        for (int k = 0; k < 2 * D; ++k) r.subtract(coefficient(k, p), x[p + step[k]]);
        take(part, r, a.center(p));
      }
    };
    walk_lines(grid, first_line, last_line, at_side, [&](Index first, Index last) {
      if (a.is_constant()) return inside([&](int k, Index) { return same[k]; }, first, last);
      inside([&](int k, Index p) { return (k < 2 * D ? a.off(k, p) : a.center(p)); }, first, last);
    });
  });
}

}  // namespace jacobi
