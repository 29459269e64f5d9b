#include "sweep/dense/bind.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/divides.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/dense/field.hpp"
#include "sweep/dense/refined.hpp"
#include "sweep/dense/sweeper.hpp"

namespace jacobi::sweep {

template <class T>
std::vector<T> reciprocals(const Dense<T>& a, Divisor kind, Zeros zeros) {
  const std::vector<double> divisors = a.divisors(kind);
  std::vector<T> scale(divisors.size());
  for (Index i = 0; i < a.rows(); ++i) {
    scale[i] = static_cast<T>(1 / divisors[i]);
    const bool sound = zeros == Zeros::replaced || divides(a.diagonal(i), kind);
    if (!sound || !std::isfinite(scale[i])) refuse_divisor<T>(i, a.diagonal(i), a.rows());
  }
  return scale;
}
template std::vector<double> reciprocals(const Dense<double>&, Divisor, Zeros);
template std::vector<float> reciprocals(const Dense<float>&, Divisor, Zeros);

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads) {
  const double rows = static_cast<double>(a.order());
  if (plan.matrix_precision == MatrixPrecision::as_given) {
    const double lines = a.copies() > 1 ? static_cast<double>(most_copies<T>) : 1;
    const double vectors = (10 + vectors_of(plan)) * lines;
    require_memory(vectors * static_cast<double>(a.order()) * sizeof(T), "the sweeps");
    if (!accelerated(plan.method)) return std::make_unique<DenseSweeper<T>>(a, plan, threads);
    require_alone(plan);
    if (a.copies() > 1)
      throw UsageError(fmt::format("method {} solves for one right-hand side at a time", plan.method.name));
    auto field = std::make_unique<DenseField<T>>(a, plan, threads);
    if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
    return accelerate<T>(std::move(field), plan.method);
  }
  if (accelerated(plan.method))
    throw UsageError(
        fmt::format("a matrix stored narrower is for sweeps with weights, not method {}", plan.method.name));
  if (a.copies() > 1) throw UsageError("a matrix stored narrower is swept for one right-hand side at a time");
  if constexpr (std::is_same_v<T, double>) {
    require_memory(
        rows * (rows + 2 * paired_block) * (plan.matrix_precision == MatrixPrecision::bf16 ? 2 : 4) +
            18 * rows * sizeof(T),
        "the matrix stored narrower");
    return bind_refined(a, plan, threads);
  } else {
    throw UsageError("a narrower matrix goes with a solve in double precision");
  }
}

template std::unique_ptr<Sweeper<double>> bind<double>(const Dense<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind<float>(const Dense<float>&, const Plan&, int);

}  // namespace jacobi::sweep
