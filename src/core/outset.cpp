#include "core/outset.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/clock.hpp"
#include "core/coefficients.hpp"
#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "core/tested_norm.hpp"

namespace jacobi {

namespace {

/// Factor per sweep of a period of weights, the most over the eigenvalues in `spectrum`: so many samples see
/// every root and every hill between two of them.
double radius_of(const Method& method, Range spectrum) {
  const Index period = method.period, samples = 16 * period + 2;
  std::vector<double> omegas;
  Step before;
  for (Index n = 0; n < period; ++n) omegas.push_back((before = method.step(n, before)).omega);
  double most = -std::numeric_limits<double>::infinity();  // of logarithms
  for (Index s = 0; s < samples; ++s) {
    const double angle = std::numbers::pi * static_cast<double>(s) / static_cast<double>(samples - 1);
    const double eigenvalue =  // closer at the ends
        (spectrum.low + spectrum.high) / 2 - (spectrum.high - spectrum.low) / 2 * std::cos(angle);
    double log = 0;
    for (const double omega : omegas) log += std::log(std::abs(1 - omega * eigenvalue));
    most = std::max(most, log);
  }
  return std::exp(most / static_cast<double>(period));
}

}  // namespace

template <class T, int D>
double largest_row(const Stencil<T, D>& a) {
  double most = 0;
  const Index rows = a.is_constant() ? 1 : a.rows();  // which are all alike then
  for (Index p = 0; p < rows; ++p) {
    double sum = 0;
    for (int k = 0; k < 2 * D; ++k) sum += std::abs(static_cast<double>(a.off(k, p)));
    most = std::max(most, 1 + sum / std::abs(static_cast<double>(a.center(p))));
  }
  return most;
}

template <class T, int D>
Outset outset_of(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, const Stop& stop) {
  const Norm norm = tested_norm(a, stop.norm);
  const bool scaled = is_scaled(norm);
  return {pick(a.residual_norms(b, x, scaled), norm),
          pick(a.rhs_norms(b, scaled), norm),
          rounding_floor_of_mode<T, D>(a, b, stop),
          {a.slowest_mode(), a.fastest_mode()},
          largest_row(a)};
}

Outset grown(const Outset& one, double rows_of_one, const Outset& half, double rows_of_half, double rows) {
  const double exponent = std::log(rows / rows_of_one) / std::log(rows_of_one / rows_of_half);
  const auto value = [&](double at_one, double at_half) {
    return at_one > 0 && at_half > 0 ? at_one * std::pow(at_one / at_half, exponent) : at_one;
  };
  Outset g = one;
  g.initial = value(one.initial, half.initial);
  g.rhs = value(one.rhs, half.rhs);
  g.floor = value(one.floor, half.floor);
  g.modes.low = value(one.modes.low, half.modes.low);
  return g;
}

Range bounds_of(const Outset& outset, bool exact) {
  return exact ? outset.modes : Range{0.75 * outset.modes.low, outset.row};
}

Prediction predicted(const Plan& plan, const Stop& stop, Norm norm, const Outset& outset, bool exact) {
  const Method& method = plan.method;
  Prediction p;
  const double omega = method.step(0, {}).omega;
  const Range modes = outset.modes;
  const bool unknown = (accelerated(method) || plan.multigrid()) && method.rate == 0;
  p.spectral_radius = unknown           ? std::numeric_limits<double>::quiet_NaN()
                      : method.rate > 0 ? method.rate
                      : method.period == 1 || method.red_black
                          ? std::max(std::abs(1 - omega * modes.low), std::abs(1 - omega * modes.high))
                          : radius_of(method, modes);
  p.exact = exact && !accelerated(method) && !plan.multigrid();  // whose rate is usual for a Laplacian
  p.norm_initial = outset.initial;
  p.tolerance = target_of(stop, outset.initial, [&] { return outset.rhs; }).tolerance;
  const bool of_updates = is_update(norm);
  const double first = p.norm_initial * (of_updates ? omega : 1) * (method.rate > 0 ? 2 : 1);
  if (std::isfinite(first) && first <= p.tolerance)
    p.sweeps = of_updates ? 1 : 0;
  else if (p.spectral_radius < 1 && p.tolerance > 0 && std::isfinite(first))
    p.sweeps = sweeps_to(p.tolerance / first, p.spectral_radius) + (of_updates ? 1 : 0);
  if (p.sweeps) {
    const double period = static_cast<double>(method.period);
    p.sweeps = std::ceil(*p.sweeps / period) * period;
  }
  return p;
}

template <class T>
SeenCycles see_cycles(Sweeper<T>& sweeper, const Method& method, std::span<const T> b, std::span<const T> x,
                      Norm norm, double tolerance, double seconds, Index least) {
  constexpr std::size_t most_cycles = 200;
  const Index cycle = sweeper.sweeps_per_cycle();
  std::vector<Step> steps(static_cast<std::size_t>(cycle));
  SeenCycles seen;
  sweeper.load(b, x);
  std::vector<double> norms{pick(sweeper.norms(is_update(norm) ? Want::correction : want_of(norm)), norm)};
  double taken = 0;
  Step last;
  const auto goes_on = [&](std::size_t made) {
    const bool seen_enough = taken >= seconds && static_cast<Index>(made) >= least;
    return made < most_cycles && !seen_enough && (made == 0 || norms.back() > tolerance);
  };
  for (std::size_t made = 0; goes_on(made); ++made) {
    for (Index j = 0; j < cycle; ++j)
      steps[j] = last = method.step(static_cast<Index>(made) * cycle + j, last);
    const Clock::time_point begin = Clock::now();
    norms.push_back(pick(sweeper.advance(steps, want_of(norm)), norm));
    taken += seconds_since(begin);
  }
  const std::size_t made = norms.size() - 1, settled = made / 3;
  const double after = norms.back(), sweeps = static_cast<double>(made) * static_cast<double>(cycle);
  seen.seconds_per_sweep = taken / sweeps;
  const double factor =
      std::pow(after / norms[settled], 1 / static_cast<double>(made - settled));  // the first ones say little
  if (after <= tolerance)
    seen.sweeps = sweeps;
  else if (factor < 1 && tolerance > 0)
    seen.sweeps =
        sweeps + std::ceil(std::log(tolerance / after) / std::log(factor)) * static_cast<double>(cycle);
  return seen;
}

#define JACOBI_INSTANTIATE(T, D)                           \
  template double largest_row<T, D>(const Stencil<T, D>&); \
  template Outset outset_of<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>, const Stop&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                                                           \
  template SeenCycles see_cycles<T>(Sweeper<T>&, const Method&, std::span<const T>, std::span<const T>, \
                                    Norm, double, double, Index);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
