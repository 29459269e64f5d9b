#include "diagnosis/weights.hpp"

#include <cmath>
#include <limits>

namespace jacobi::diagnosis {

namespace {

constexpr double tiny = std::numeric_limits<double>::denorm_min();
constexpr double least_weight = 1e-100;

/// y = |M| x as computed (not kept where y is empty), with bounds of the exact quotients y_i / x_i: every
/// product and sum is rounded once, k entries give k + 2 roundings, and a product that underflows loses up to
/// the smallest number.
std::array<double, 3> bounds_of_rows(const Csr<double>& a, View diagonal, double terms, View x,
                                     std::span<double> y, Index first, Index last) {
  double lower = std::numeric_limits<double>::infinity(), upper = 0, largest = 0;
  const double margin = (terms + 8) * epsilon, lost = (terms + 1) * tiny;
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = first; i < last; ++i) {
      double sum = 0;
      bool empty = true;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        if (columns[k] == i || values[k] == 0) continue;
        sum += std::abs(values[k]) * x[columns[k]];
        empty = false;
      }
      const double size = std::abs(diagonal[i]), low = sum * (1 - margin) - lost;
      const double quotient = empty ? 0 : (sum * (1 + margin) + lost) / size / x[i];
      upper = quotient >= 0 ? std::max(upper, quotient) : std::numeric_limits<double>::infinity();
      lower = std::min(lower, std::isfinite(low) ? std::max(0.0, low / size / x[i]) : 0);
      if (y.empty()) continue;
      y[i] = sum / size;
      largest = std::max(largest, x[i] + y[i]);
    }
  });
  return {lower, upper, largest};
}

}  // namespace

WeightedSums weighted_sums(const Csr<double>& a, View diagonal, Index longest_row, Index products, Vector x) {
  WeightedSums best;
  best.upper = std::numeric_limits<double>::infinity();
  Vector y(products > 1 ? diagonal.size() : 0);
  std::vector<std::array<double, 3>> parts(static_cast<std::size_t>(blocks_over(a).count()));
  while (best.products < products && (best.products == 0 || best.upper - best.lower > 1e-3 * best.upper)) {
    for_blocks(blocks_over(a), [&](Index s, Index first, Index last) {
      parts[s] = bounds_of_rows(a, diagonal, static_cast<double>(longest_row), x, y, first, last);
    });
    ++best.products;
    double lower = std::numeric_limits<double>::infinity(), upper = 0, largest = 0;
    for (const auto& part : parts) {
      lower = std::min(lower, part[0]);
      upper = std::max(upper, part[1]);
      largest = std::max(largest, part[2]);
    }
    best.lower = std::max(best.lower, lower);
    const bool done = best.products >= products || !std::isfinite(largest);
    if (upper < best.upper) {
      best.upper = upper;
      best.weights = done ? std::move(x) : x;
    }
    if (done) break;
    for_blocks(a.rows(), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) x[i] = std::max((x[i] + y[i]) / largest, least_weight);
    });
  }
  return best;
}

}  // namespace jacobi::diagnosis
