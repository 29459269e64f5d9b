#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "core/metric.hpp"
#include "core/twofold.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Weighted mean of x, the integral over the box divided by its volume.
template <class T, int D, class U>
double weighted_mean(const Stencil<T, D>& a, std::span<const U> x) {
  const Metric<T, D> metric(a.grid());
  double sum = 0, weights = 0;
  walk(a.grid(), [&](Index p, const Position<D>& at) {
    const double w = a.weight(p) * metric.volume(at);
    sum += w * x[p];
    weights += w;
  });
  return sum / weights;
}

template <class T, int D>
void remove_mean(const Stencil<T, D>& a, std::span<T> x) {
  const T mean = static_cast<T>(weighted_mean<T, D, T>(a, x));
  for (T& value : x) value -= mean;
}

/// What was taken from every entry of a right-hand side to make it compatible.
struct Removed {
  double mean = 0;       ///< weighted, of b and the boundary sources
  double relative = 0;   ///< the same in weighted means of |b|
  bool rounding = true;  ///< no more than rounding can have put there
  bool asked = false;    ///< to remove whatever there is
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

/// The weighted mean of b and the boundary sources, as of f that times_volumes() made b of.
template <class T, int D>
Removed mean_of(const Stencil<T, D>& a, std::span<const T> b) {
  TwofoldSum sum(0);
  const Metric<T, D> metric(a.grid());
  double weights = 0, size = 0;
  walk(a.grid(), [&](Index p, const Position<D>& at) {
    const double folded = b[p] + given(a, at), w = a.weight(p);
    sum.add(w * folded);
    size += w * std::abs(folded);
    weights += w * metric.volume(at);
  });
  const double rounding =
      (100 + std::sqrt(static_cast<double>(a.rows()))) * std::numeric_limits<T>::epsilon();
  const double relative = size > 0 ? std::abs(sum.value()) / size : 0;
  return {sum.value() / weights, relative, relative <= rounding};
}

/// Makes b compatible with a singular operator: the weighted mean of b and the boundary sources is removed if
/// it is of the size of rounding, or of discretisation error where a Neumann side can have made one, or if
/// `whatever` it is. What is left after rounding is removed as well: beside a mean of 1 that may be much of a
/// small b. Throws: InputError if it is larger: then no solution exists. The means that it names, subtracted
/// one after the other, leave a b that is compatible.
template <class T, int D>
Removed make_compatible(const Stencil<T, D>& a, std::span<T> b, bool whatever = false) {
  const double allowed = quadrature_error(a.grid());
  Removed first = mean_of<T, D>(a, b), left = first;
  const bool usual = first.rounding || first.relative <= allowed;
  first.asked = !usual;
  std::string cure;
  const Metric<T, D> metric(a.grid());
  for (int times = 0; times < 4; ++times) {
    const T mean = static_cast<T>(left.mean);
    walk(a.grid(), [&](Index p, const Position<D>& at) { b[p] -= static_cast<T>(mean * metric.volume(at)); });
    cure += fmt::format("{}{}", cure.empty() ? "" : ", then ", mean);
    if (usual) break;
    left = mean_of<T, D>(a, b);
    if (left.rounding || (!whatever && left.relative <= allowed)) break;
  }
  if (usual || whatever) return first;
  throw InputError(fmt::format(
      "no solution exists: without a Dirichlet side the right-hand side (boundary fluxes included) must have "
      "mean 0: subtract {}, or have it removed (--project-rhs, Stop::project_rhs), or give one side a "
      "Dirichlet value",
      cure));
}

}  // namespace jacobi
