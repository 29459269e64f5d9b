/// Bounds of the spectral radius of |M| from positive weights.
#pragma once
#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

/// min (|M| w)_i / w_i <= spectral radius of |M| <= max (|M| w)_i / w_i, rounded outwards.
struct WeightedSums {
  double lower = 0, upper = 0;
  Vector weights;  ///< for which `upper` holds
  Index products = 0;
};

/// Iterates w <- w + |M| w from a positive start until both bounds agree to 0.1 % or `products` are spent.
/// Source: Varga, "Matrix Iterative Analysis", theorem 2.2 (Collatz 1942, Wielandt 1950).
WeightedSums weighted_sums(const Csr<double>& a, View diagonal, Index longest_row, Index products,
                           Vector start);

}  // namespace jacobi::diagnosis
