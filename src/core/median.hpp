#pragma once
#include <algorithm>
#include <vector>

namespace jacobi {

/// The upper of the two middle values where their number is even; values: one at least.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace jacobi
