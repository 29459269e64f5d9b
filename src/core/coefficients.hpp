/// What is said of a stencil's coefficients by looking at them.
#pragma once
#include <limits>

#include "jacobi/stencil.hpp"

namespace jacobi {

/// Constant, and alike on both sides of every direction: products of sines and cosines are eigenvectors.
template <class T, int D>
bool symmetric_and_constant(const Stencil<T, D>& a) {
  if (!a.is_constant()) return false;
  for (int d = 0; d < D; ++d)
    if (a.off(2 * d, 0) != a.off(2 * d + 1, 0)) return false;
  return true;
}

/// Whether constant coefficients alike on both sides are those of a diffusion with a reaction c >= 0: no
/// coupling has the sign of the diagonal, and rows do not add up against it.
template <class T, int D>
bool is_constant_diffusion(const Stencil<T, D>& a) {
  const double sign = a.center(0) > 0 ? 1 : -1, center = sign * a.center(0);
  double sum = 0;
  for (int k = 0; k < 2 * D; ++k) {
    const double coupling = -sign * a.off(k, 0);
    if (coupling < 0) return false;
    sum += coupling;
  }
  return center - sum >= -40 * std::numeric_limits<T>::epsilon() * sum;
}

/// Whether among coefficients that vary there is a row without neighbours, as of a point that is no unknown.
/// Cost: a pass at most.
template <class T, int D>
bool has_row_alone(const Stencil<T, D>& a) {
  for (Index p = 0; p < (a.is_constant() ? 0 : a.rows()); ++p) {
    bool alone = true;
    for (int k = 0; k < 2 * D && alone; ++k) alone = a.off(k, p) == 0;
    if (alone) return true;
  }
  return false;
}

}  // namespace jacobi
