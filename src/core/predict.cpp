#include "jacobi/predict.hpp"

#include <algorithm>
#include <cmath>

#include "core/coefficients.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

template <class T, int D>
Prediction predict_one(const Stencil<T, D>& a, double omega, std::span<const T> b, std::span<const T> x,
                       const Stop& stop) {
  Prediction p;
  p.spectral_radius =
      std::max(std::abs(1 - omega * a.slowest_mode()), std::abs(1 - omega * a.fastest_mode()));
  p.exact = symmetric_and_constant(a);
  const bool scaled = is_update(stop.norm);
  p.norm_initial = pick(a.residual_norms(b, x, scaled), stop.norm);
  p.tolerance =
      target_of(stop, p.norm_initial, [&] { return pick(a.rhs_norms(b, scaled), stop.norm); }).tolerance;
  const double first = p.norm_initial * (scaled ? omega : 1);
  if (std::isfinite(first) && first <= p.tolerance)
    p.sweeps = scaled ? 1 : 0;
  else if (p.spectral_radius < 1 && p.tolerance > 0 && std::isfinite(first))
    p.sweeps = sweeps_to(p.tolerance / first, p.spectral_radius) + (scaled ? 1 : 0);
  return p;
}

template <class T>
Prediction predict_one(const Csr<T>&, double, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a sparse matrix has no modes to predict from: call diagnose()");
}
template <class T>
Prediction predict_one(const Dense<T>&, double, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a dense matrix has no modes to predict from: call diagnose()");
}

}  // namespace

template <class T>
Prediction predict(const Operator<T>& any, const Plan& plan, std::span<const T> b, std::span<const T> x,
                   const Stop& stop) {
  const double omega = plan.method.step(0, {}).omega;
  return std::visit([&](const auto& a) { return predict_one<T>(a, omega, b, x, stop); }, any);
}

template Prediction predict<double>(const Operator<double>&, const Plan&, std::span<const double>,
                                    std::span<const double>, const Stop&);
template Prediction predict<float>(const Operator<float>&, const Plan&, std::span<const float>,
                                   std::span<const float>, const Stop&);

}  // namespace jacobi
