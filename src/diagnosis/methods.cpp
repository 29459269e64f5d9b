/// What eigenvalues of M tell of methods other than plain Jacobi.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "diagnosis/estimates.hpp"

namespace jacobi::diagnosis {

namespace {

using Values = std::span<const std::complex<double>>;

Weight best_weight(Values values_of_m) {
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

/// Chebyshev's factor of the ellipse around these values that has the axes of their extent, as much larger as
/// all need; none where it holds 0. Source: Manteuffel, Numer. Math. 28 (1977) 307.
std::optional<double> factor_of_ellipse(Values values) {
  double low = std::numeric_limits<double>::infinity(), high = -low, imaginary = 0;
  for (const auto& value : values) {
    low = std::min(low, value.real());
    high = std::max(high, value.real());
    imaginary = std::max(imaginary, std::abs(value.imag()));
  }
  const double center = (low + high) / 2, real = std::max((high - low) / 2, 1e-6 * std::abs(center));
  double times = 1;
  for (const auto& value : values)
    times = std::max(
        times, std::hypot((value.real() - center) / real, imaginary > 0 ? value.imag() / imaginary : 0));
  const double a = times * real, b = times * imaginary;
  if (!(a < center)) return {};
  return (a + b) / (center + std::sqrt(center * center - a * a + b * b));
}

}  // namespace

std::optional<Weight> weight_of(const Radius& radius, const Ritz& ritz, const Proved& proved) {
  Weight best;
  if (proved.finite_sweeps) {
    best.radius = 0;
  } else if (radius.eigenvalues) {
    const auto [low, high] = *radius.eigenvalues;
    if (!(low > 1e-13 * high)) return {};
    best = {2 / (low + high), (high - low) / (high + low)};
  } else if (!ritz.values.empty() && settled(ritz.largest)) {  // else others lie where nobody knows
    best = best_weight(ritz.values);
  }
  return best.radius < 1 - 1e-13 ? std::optional(best) : std::nullopt;
}

std::optional<double> predict_products(const Matrix& m, const Start& start, const Ritz& ritz,
                                       const Radius& radius, const Proved& proved) {
  if (m.self_adjoint || proved.finite_sweeps) return {};
  std::vector<std::complex<double>> values;
  for (const auto& value : ritz.values) values.push_back(1.0 - value);
  if (m.survey.m_nonnegative && !values.empty())
    values.emplace_back(1 - radius.value.value_or(0));  // an eigenvalue of M
  return products_to(start, std::move(values));
}

std::optional<double> products_to(const Start& start, std::vector<std::complex<double>> values) {
  if (values.empty() || !(start.tolerance > 0)) return {};
  std::ranges::sort(values, {}, [](const auto& value) { return std::abs(value); });
  double log = std::log(2 * std::max(start.norm / start.tolerance, 1.0));
  const double largest = std::abs(values.back());
  std::optional<double> least;
  for (std::size_t roots = 0; roots < values.size() && roots <= 6; ++roots) {
    const auto factor = factor_of_ellipse(Values(values).subspan(roots));
    if (factor && *factor < 1) {
      const double sweeps = static_cast<double>(roots) + std::max(1.0, std::ceil(log / -std::log(*factor)));
      if (sweeps < least.value_or(1e300)) least = sweeps;
    }
    log += std::log(largest / std::abs(values[roots]));
  }
  return least;
}

}  // namespace jacobi::diagnosis
