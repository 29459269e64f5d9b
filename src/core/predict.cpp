#include "jacobi/predict.hpp"

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/outset.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

namespace {

/// The modes are asked for where the plan needs them.
template <class T, int D>
Prediction predict_one(const Stencil<T, D>& a, const Plan& plan, std::span<const T> b, std::span<const T> x,
                       const Stop& stop) {
  const Norm norm = tested_norm(a, stop.norm);
  const bool scaled = is_scaled(norm);
  const bool has_rate = plan.method.rate > 0 || accelerated(plan.method) || plan.multigrid();
  Outset outset;
  outset.initial = pick(a.residual_norms(b, x, scaled), norm);
  if (stop.reference == Reference::rhs) outset.rhs = pick(a.rhs_norms(b, scaled), norm);
  if (!has_rate) outset.modes = {a.slowest_mode(), a.fastest_mode()};
  return predicted(plan, stop, norm, outset, symmetric_and_constant(a));
}

/// Of one without proved bounds nothing is predicted but what the method says.
template <class T>
Prediction predict_one(const BoxStencil<T>& a, const Plan& plan, std::span<const T> b, std::span<const T> x,
                       const Stop& stop) {
  const Norm norm = tested_norm(a, stop.norm);
  const Divisor by = tested_divisor(norm);
  if (!a.bounds())
    throw UsageError("a box stencil without bounds of its spectrum has no modes to predict from");
  Outset outset;
  outset.initial = pick(a.residual_norms(b, x, by), norm);
  if (stop.reference == Reference::rhs) outset.rhs = pick(a.rhs_norms(b, by), norm);
  outset.modes = *a.bounds();
  return predicted(plan, stop, norm, outset, true);
}

template <class T>
Prediction predict_one(const Csr<T>&, const Plan&, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a sparse matrix has no modes to predict from: call diagnose()");
}
template <class T>
Prediction predict_one(const Dense<T>&, const Plan&, std::span<const T>, std::span<const T>, const Stop&) {
  throw UsageError("a dense matrix has no modes to predict from: call diagnose()");
}
template <class T>
Prediction predict_one(const MatrixFree<T>&, const Plan&, std::span<const T>, std::span<const T>,
                       const Stop&) {
  throw UsageError("a matrix-free operator has no modes to predict from: call diagnose()");
}

}  // namespace

template <class T>
Prediction predict(const Operator<T>& any, const Plan& plan, std::span<const T> b, std::span<const T> x,
                   const Stop& stop) {
  return std::visit([&](const auto& a) { return predict_one<T>(a, plan, b, x, stop); }, any);
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
