#pragma once
#include <algorithm>
#include <vector>

namespace jacobi {

/// The mean of the two middle values where their number is even; values: one at least.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace jacobi
