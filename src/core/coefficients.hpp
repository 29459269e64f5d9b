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

}  // namespace jacobi
