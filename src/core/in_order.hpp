/// Coordinates that increase.
#pragma once
#include <cmath>
#include <cstddef>
#include <span>

namespace jacobi {

/// The first coordinate that is not finite, or not above the one before; the size where all are in order.
inline std::size_t first_out_of_order(std::span<const double> at) {
  std::size_t i = 0;
  while (i < at.size() && std::isfinite(at[i]) && (i == 0 || at[i] > at[i - 1])) ++i;
  return i;
}

}  // namespace jacobi
