/// Bounds of the spectral radius of a small matrix from its powers.
#pragma once
#include <optional>

#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

constexpr Index most_rows_for_powers = 256;

/// |trace M^k| / rows <= radius^k <= ||M^k||, every rounding error bounded.
struct PowerBounds {
  double lower = 0, upper = 0;                ///< of the spectral radius
  bool below_one = false, above_one = false;  ///< decided without taking a root
  double power = 1;                           ///< the largest k
  std::optional<Index> nilpotent;             ///< M to this power is exactly zero
  Index products = 0;                         ///< in matrix-vector products
};

/// M = I - D^-1 A for up to most_rows_for_powers rows, balanced by t_i = weights_i^1/2, powers of two, where
/// there are weights. Cost: 2 rows^3 operations per squaring, 3e8 at most.
PowerBounds power_bounds(const Csr<double>& a, View diagonal, View weights);

}  // namespace jacobi::diagnosis
