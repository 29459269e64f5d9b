#include "jacobi/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi {

Method plain() { return {}; }

Method weighted(double omega) {
  if (!(omega > 0 && omega < 2))
    throw UsageError(
        fmt::format("omega = {} lies outside (0, 2), where weighted Jacobi can converge", omega));
  return {"weighted", [omega](Index, const Step&) { return Step{omega, 1}; }};
}

Method l1() {
  Method method{"l1"};
  method.divisor = Divisor::l1;
  return method;
}

namespace {

/// Radius of the spectrum of I - omega D^-1 A about 0 for the best omega.
struct Balanced {
  double omega, radius;
};

Balanced balanced(Range spectrum) {
  const auto [low, high] = spectrum;
  if (!(low > 0 && low <= high && std::isfinite(high)))
    throw UsageError(fmt::format(
        "eigenvalues of D^-1 A from {:.6g} to {:.6g}: Chebyshev weights need them positive and finite", low,
        high));
  return {2 / (low + high), (high - low) / (high + low)};
}

/// Numbers 1, 3, ..., 2 n - 1 of the roots, so that small and large weights alternate at every scale.
std::vector<Index> order_of(Index n) {
  std::vector<Index> order = {1};
  while (static_cast<Index>(order.size()) < n) {
    std::vector<Index> next;
    for (const Index j : order) {
      next.push_back(j);
      next.push_back(4 * static_cast<Index>(order.size()) - j);
    }
    order = std::move(next);
  }
  return order;
}

}  // namespace

namespace {

/// The most that the first weights, or the last ones, multiply a mode by, over all numbers of them and
/// eigenvalues in (0, 2). Errors of rounding grow by the last ones; and where the first ones let iterates
/// grow, so do theirs.
double growth_of(const std::vector<double>& omegas) {
  constexpr int samples = 400;
  double most = 0;  // of logarithms
  for (int s = 1; s < samples; ++s) {
    const double eigenvalue = 1 - std::cos(std::numbers::pi * s / samples);  // closer at the ends
    const auto add = [&, log = 0.0](double omega) mutable {
      most = std::max(most, log += std::log(std::abs(1 - omega * eigenvalue)));
    };
    std::for_each(omegas.begin(), omegas.end(), add);  // which takes a copy
    std::for_each(omegas.rbegin(), omegas.rend(), add);
  }
  return std::exp(std::min(most, 600.0));
}

}  // namespace

Method chebyshev(Range spectrum) {
  const auto [omega, radius] = balanced(spectrum);
  const double square = radius * radius;
  Method method{"chebyshev"};
  method.step = [omega = omega, square](Index n, const Step& before) {
    if (n == 0) return Step{omega, 1};
    return Step{omega, n == 1 ? 1 / (1 - square / 2) : 1 / (1 - square * before.rho / 4)};
  };
  method.rate = radius / (1 + std::sqrt(1 - square));
  return method;
}

Method red_black() {
  Method method{"red-black"};
  method.red_black = true;
  method.period = 2;
  return method;
}

Method cyclic_chebyshev(double low) {
  if (!(low > 0 && low <= 1))
    throw UsageError(fmt::format(
        "the least eigenvalue of D^-1 A is {:.6g}: cyclic Chebyshev weights need it in (0, 1]", low));
  Method method = chebyshev({low, 2 - low});
  method.name = "cyclic-chebyshev";
  method.red_black = true;
  method.period = 2;
  method.step = [weights = method.step](Index n, const Step& before) {
    return Step{1, weights(n, before).rho};  // 2 / (low + high), but for rounding
  };
  return method;
}

Method scheduled(std::vector<double> omegas) {
  if (omegas.empty()) throw UsageError("a schedule without weights");
  for (std::size_t k = 0; k < omegas.size(); ++k)
    if (!(omegas[k] > 0 && std::isfinite(omegas[k])))
      throw UsageError(fmt::format("weight {} of the schedule is {}: positive and finite ones are needed",
                                   k + 1, omegas[k]));
  Method method{"scheduled"};
  method.period = static_cast<Index>(omegas.size());
  method.growth = growth_of(omegas);
  method.step = [omegas = std::move(omegas)](Index n, const Step&) {
    return Step{omegas[static_cast<std::size_t>(n) % omegas.size()], 1};
  };
  return method;
}

namespace {

Method made_of(const char* name, Acceleration by) {
  Method method{name};
  method.acceleration = by;
  return method;
}

}  // namespace

Method cg() { return made_of("cg", Acceleration::cg); }
Method bicgstab() { return made_of("bicgstab", Acceleration::bicgstab); }

Method anderson(AndersonOptions options) {
  if (options.depth < 1 || options.depth > 32)
    throw UsageError(fmt::format("Anderson's depth {}: 1 to 32 differences", options.depth));
  if (options.period < 1) throw UsageError(fmt::format("Anderson's period {}: at least 1", options.period));
  if (!(options.omega > 0 && options.omega < 2))
    throw UsageError(fmt::format("Anderson's omega {}: a weight in (0, 2)", options.omega));
  Method method = made_of("anderson", Acceleration::anderson);
  method.anderson = options;
  return method;
}

Method scheduled(Range spectrum, Index period) {
  if (period < 1 || period > 2048 || !std::has_single_bit(static_cast<std::uint64_t>(period)))
    throw UsageError(fmt::format("a period of {} sweeps: a power of two up to 2048", period));
  const auto [omega, radius] = balanced(spectrum);
  const double n = static_cast<double>(period);
  std::vector<double> omegas;
  for (const Index j : order_of(period))
    omegas.push_back(omega / (1 + radius * std::cos(std::numbers::pi * static_cast<double>(j) / (2 * n))));
  Method method = scheduled(std::move(omegas));
  if (radius > 0) method.rate = std::exp(-(std::log(std::cosh(n * std::acosh(1 / radius)))) / n);
  return method;
}

}  // namespace jacobi
