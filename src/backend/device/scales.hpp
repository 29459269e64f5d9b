/// What the rows of a dense matrix are divided by on a device.
#pragma once
#include <vector>

#include "jacobi/dense.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::device {

/// 1 / divisor of each row of the matrix, however many right-hand sides.
template <class T>
std::vector<T> scales_of(const Dense<T>& a, Divisor divisor) {
  std::vector<T> scales = sweep::reciprocals(a, divisor);
  for (Index i = 0; i < a.order(); ++i) scales[i] = scales[i * a.copies()];
  scales.resize(static_cast<std::size_t>(a.order()));
  return scales;
}

}  // namespace jacobi::device
