#include "sweep/amg/bind.hpp"

#include <fmt/format.h>

#include "core/amg.hpp"
#include "core/cancel.hpp"
#include "core/memory.hpp"
#include "jacobi/simd.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/amg/sweeper.hpp"

namespace jacobi::sweep {

namespace {

/// Throws: UsageError for what cycles do not go with.
void require_goes_with_amg(const Plan& plan) {
  require_sensible(*plan.amg());
  const Acceleration by = plan.method.acceleration;
  const bool alone = by == Acceleration::none;
  const Step step = alone ? plan.method.step(0, {}) : Step{};
  if (by == Acceleration::anderson || plan.method.divisor != Divisor::diagonal || step.omega != 1 ||
      step.rho != 1 || plan.method.period != 1)
    throw UsageError(fmt::format(
        "algebraic multigrid with method {}: it goes by itself (method amg), or preconditions cg or "
        "bicgstab",
        plan.method.name));
  if (by == Acceleration::cg && plan.amg()->pre != plan.amg()->post)
    throw UsageError(fmt::format(
        "cg asks for a symmetric preconditioner: as many sweeps before the correction ({}) as after "
        "({})",
        plan.amg()->pre, plan.amg()->post));
}

/// About what the setup takes at most: four matrices with their levels, and vectors.
template <class T>
double bytes_of_amg(const Csr<T>& a, const Plan& plan) {
  const double entries = static_cast<double>(a.entries()) * (sizeof(T) + 4);
  return 2.5 * plan.amg()->complexity * entries +
         (12 + vectors_of(plan)) * static_cast<double>(a.rows()) * sizeof(T);
}

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind_amg(const Csr<T>& a, const Plan& plan, int threads) {
  require_goes_with_amg(plan);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  const double most = plan.amg()->max_setup_seconds;
  const TimeLimit limit(most, fmt::format("the setup of algebraic multigrid takes longer than {:g} s: allow "
                                          "more time, or take method cg without it",
                                          most));
  require_memory(bytes_of_amg(a, plan), "algebraic multigrid");
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  const bool symmetric = plan.method.acceleration == Acceleration::cg || is_symmetric(a);
  if (!accelerated(plan.method)) return std::make_unique<amg::CycleSweeper<T>>(a, plan, symmetric, threads);
  auto field = std::make_unique<amg::CycleField<T>>(a, plan, symmetric, threads);
  std::unique_ptr<Preconditioning<T>> by = std::make_unique<amg::ByCycle<T>>(*field);
  return accelerate<T>(std::move(field), plan.method, std::move(by));
}

template std::unique_ptr<Sweeper<double>> bind_amg<double>(const Csr<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind_amg<float>(const Csr<float>&, const Plan&, int);

}  // namespace jacobi::sweep
