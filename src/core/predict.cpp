#include "jacobi/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

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

template <class T, int D>
Prediction predict_one(const Stencil<T, D>& a, const Plan& plan, std::span<const T> b, std::span<const T> x,
                       const Stop& stop) {
  const Method& method = plan.method;
  Prediction p;
  const double omega = method.step(0, {}).omega;
  const bool unknown = (accelerated(method) || plan.multigrid) && method.rate == 0;
  p.spectral_radius =
      unknown           ? std::numeric_limits<double>::quiet_NaN()
      : method.rate > 0 ? method.rate
      : method.period == 1 || method.red_black
          ? std::max(std::abs(1 - omega * a.slowest_mode()), std::abs(1 - omega * a.fastest_mode()))
          : radius_of(method, {a.slowest_mode(), a.fastest_mode()});
  p.exact = symmetric_and_constant(a) && !accelerated(method);
  const Norm norm = tested_norm(a, stop.norm);
  const bool scaled = is_scaled(norm), of_updates = is_update(norm);
  p.norm_initial = pick(a.residual_norms(b, x, scaled), norm);
  p.tolerance = target_of(stop, p.norm_initial, [&] { return pick(a.rhs_norms(b, scaled), norm); }).tolerance;
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

/// Largest absolute row sum of D^-1 A.
template <class T, int D>
double largest_row(const Stencil<T, D>& a) {
  double most = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    double sum = 0;
    for (int k = 0; k < 2 * D; ++k) sum += std::abs(static_cast<double>(a.off(k, p)));
    most = std::max(most, 1 + sum / std::abs(static_cast<double>(a.center(p))));
  }
  return most;
}

template <class T>
Prediction predict_one(const Csr<T>&, const Plan&, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a sparse matrix has no modes to predict from: call diagnose()");
}
template <class T>
Prediction predict_one(const Dense<T>&, const Plan&, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a dense matrix has no modes to predict from: call diagnose()");
}

}  // namespace

template <class T>
Prediction predict(const Operator<T>& any, const Plan& plan, std::span<const T> b, std::span<const T> x,
                   const Stop& stop) {
  Prediction p = std::visit([&](const auto& a) { return predict_one<T>(a, plan, b, x, stop); }, any);
  if (plan.multigrid) p.exact = false;  // usual for a Laplacian
  return p;
}

template <class T, int D>
Range bounds(const Stencil<T, D>& a) {
  if (symmetric_and_constant(a)) return {a.slowest_mode(), a.fastest_mode()};
  return {0.75 * a.slowest_mode(), largest_row(a)};
}

#define JACOBI_INSTANTIATE(T, D) template Range bounds<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

template Prediction predict<double>(const Operator<double>&, const Plan&, std::span<const double>,
                                    std::span<const double>, const Stop&);
template Prediction predict<float>(const Operator<float>&, const Plan&, std::span<const float>,
                                   std::span<const float>, const Stop&);

}  // namespace jacobi
