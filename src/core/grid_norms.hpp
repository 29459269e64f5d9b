/// Norms on some lines of a grid, from scratch, as parts of norms on all of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/grid_residuals.hpp"
#include "core/tested_norm.hpp"
#include "core/walk.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Of b with boundary values folded in, or of D^-1 b if scaled.
template <class T, int D>
Accumulated::Whole rhs_of_lines(const Stencil<T, D>& a, std::span<const T> b, bool scaled, LineRange lines);

/// Of b - A x, or of D^-1 (b - A x) if scaled; twofold: core/twofold.hpp.
template <class T, int D>
Accumulated::Whole residual_of_lines(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                                     bool scaled, bool twofold, LineRange lines);

template <class T, int D>
Accumulated::Whole vector_of_lines(const Stencil<T, D>& a, std::span<const T> x, LineRange lines) {
  const Index width = a.grid().unknowns[0];
  const auto add = [&](Accumulated& sum, Index line) {
    sum.add(line * width, (line + 1) * width, [&](Index p) { return x[p]; });
  };
  return gathered_by_lines<Accumulated, Accumulated::Whole>(a.grid(), lines, add);
}

/// rounding_floor() of an x with these norms; of_rhs(): norms of the right-hand side.
template <class T, int D, class OfRhs>
double rounding_floor_from(const Stencil<T, D>& a, const Norms& of_x, Norm norm, OfRhs&& of_rhs) {
  constexpr double eps = std::numeric_limits<T>::epsilon();
  double diagonal = 0;
  for (Index p = 0; p < (a.is_constant() ? 1 : a.rows()); ++p)
    diagonal = std::max(diagonal, std::abs(static_cast<double>(a.center(p))));
  const double rounding = 2 * eps * pick(of_x, norm);
  return is_scaled(norm) ? rounding : diagonal * rounding + eps * pick(of_rhs(), norm);
}

}  // namespace jacobi
