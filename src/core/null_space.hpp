#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Makes b compatible with a singular operator: the weighted mean of b and the boundary sources is removed if
/// it is of the size of discretisation error. Returns what was removed. Throws: InputError if it is larger:
/// then no solution exists.
template <class T, int D>
double make_compatible(const Stencil<T, D>& a, std::span<T> b) {
  double sum = 0, weights = 0, size = 0, coarsest = 0;
  walk(a.grid(), [&](Index p, const Position<D>& at) {
    const double folded = b[p] + given(a, at), w = a.weight(p);
    sum += w * folded;
    size += w * std::abs(folded);
    weights += w;
  });
  const double mean = sum / weights;
  for (int d = 0; d < D; ++d) coarsest = std::max(coarsest, 1.0 / static_cast<double>(a.grid().unknowns[d]));
  const double discretisation = std::clamp(10 * coarsest * coarsest, 1e-6, 0.5);
  if (std::abs(mean) > discretisation * size / weights)
    throw InputError(fmt::format(
        "no solution exists: without a Dirichlet side the right-hand side (boundary fluxes included) must "
        "have mean 0, it is {:.6g}; subtract it, or give one side a Dirichlet value",
        mean));
  for (T& value : b) value -= static_cast<T>(mean);
  return mean;
}

}  // namespace jacobi
