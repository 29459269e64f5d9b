#include "diagnosis/omega.hpp"

#include <algorithm>

namespace jacobi::diagnosis {

Weight best_weight(const std::vector<std::complex<double>>& values_of_m) {
  const auto radius = [&](double omega) {
    double largest = 0;
    for (const auto& value : values_of_m) largest = std::max(largest, std::abs(1.0 - omega * (1.0 - value)));
    return largest;
  };
  double low = 0, high = 2;  // the maximum of convex functions is convex
  for (int round = 0; round < 100; ++round) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    (radius(left) <= radius(right) ? high : low) = radius(left) <= radius(right) ? right : left;
  }
  const double omega = (low + high) / 2;
  return {omega, radius(omega)};
}

}  // namespace jacobi::diagnosis
