/// What is said of a stencil's coefficients by looking at them.
#pragma once
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
