#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Weighted mean of x, the integral over the box divided by its volume.
template <class T, int D>
double weighted_mean(const Stencil<T, D>& a, std::span<const T> x) {
  double sum = 0, weights = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    const double w = a.weight(p);
    sum += w * x[p];
    weights += w;
  }
  return sum / weights;
}

template <class T, int D>
void remove_mean(const Stencil<T, D>& a, std::span<T> x) {
  const T mean = static_cast<T>(weighted_mean<T, D>(a, x));
  for (T& value : x) value -= mean;
}

/// What was taken from every entry of a right-hand side to make it compatible.
struct Removed {
  double mean = 0;       ///< weighted, of b and the boundary sources
  double relative = 0;   ///< the same in weighted means of |b|
  bool rounding = true;  ///< no more than rounding can have put there
};

/// Mean of |b| that the error of the trapezoidal rule may leave at Neumann sides; a period leaves none.
template <class T, int D>
double quadrature_error(const Grid<T, D>& grid) {
  double error = 0;
  for (int d = 0; d < D; ++d)
    for (const Side<T>& side : grid.sides[d]) {
      const double n = static_cast<double>(grid.unknowns[d]);
      if (side.kind == BoundaryKind::neumann) error = std::max(error, std::clamp(10 / (n * n), 1e-6, 0.5));
    }
  return error;
}

/// Makes b compatible with a singular operator: the weighted mean of b and the boundary sources is removed if
/// it is of the size of rounding, or of discretisation error where a Neumann side can have made one.
/// Throws: InputError if it is larger: then no solution exists.
template <class T, int D>
Removed make_compatible(const Stencil<T, D>& a, std::span<T> b) {
  double sum = 0, weights = 0, size = 0;
  walk(a.grid(), [&](Index p, const Position<D>& at) {
    const double folded = b[p] + given(a, at), w = a.weight(p);
    sum += w * folded;
    size += w * std::abs(folded);
    weights += w;
  });
  const double rows = static_cast<double>(a.rows());
  const double rounding = (100 + std::sqrt(rows)) * std::numeric_limits<T>::epsilon();
  Removed removed{sum / weights, size > 0 ? std::abs(sum) / size : 0, true};
  removed.rounding = removed.relative <= rounding;
  if (!(removed.relative <= std::max(rounding, quadrature_error(a.grid()))))
    throw InputError(fmt::format(
        "no solution exists: without a Dirichlet side the right-hand side (boundary fluxes included) must "
        "have mean 0, it is {:.6g}; subtract it, or give one side a Dirichlet value",
        removed.mean));
  for (T& value : b) value -= static_cast<T>(removed.mean);
  return removed;
}

}  // namespace jacobi
