#include "sweep/accelerated/accelerate.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "sweep/accelerated/anderson.hpp"
#include "sweep/accelerated/bicgstab.hpp"
#include "sweep/accelerated/cg.hpp"
#include "sweep/accelerated/flexible_cg.hpp"

namespace jacobi::sweep {

double vectors_of(const Plan& plan) {
  const Method& method = plan.method;
  switch (method.acceleration) {
    case Acceleration::none:
      return 0;
    case Acceleration::cg:
      return plan.preconditioner() || plan.amg() ? 6 : 3;
    case Acceleration::bicgstab:
      return 7;
    case Acceleration::anderson:
      return 2 + 2 * static_cast<double>(method.anderson.depth);
  }
  return 0;
}

void require_alone(const Plan& plan) {
  const char* beside = !plan.rung().empty()         ? "a rung"
                       : plan.tiling()              ? "tilings"
                       : plan.blocking().is_given() ? "a blocking"
                                                    : nullptr;
  if (beside)
    throw UsageError(fmt::format("method {} makes one product after the other: it goes without {}",
                                 plan.method.name, beside));
}

template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, const Method& method) {
  if (method.acceleration == Acceleration::bicgstab)
    return std::make_unique<Accelerated<T, BiCgStab<T>>>(std::move(field), method);
  if (method.acceleration == Acceleration::anderson)
    return std::make_unique<Accelerated<T, Anderson<T>>>(std::move(field), method);
  return std::make_unique<Accelerated<T, Cg<T>>>(std::move(field), method);
}

template <class T>
std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>> field, const Method& method,
                                       std::unique_ptr<Preconditioning<T>> by) {
  if (method.acceleration == Acceleration::bicgstab)
    return std::make_unique<Accelerated<T, BiCgStab<T>>>(std::move(field), method, std::move(by));
  return std::make_unique<Accelerated<T, FlexibleCg<T>>>(std::move(field), std::move(by));
}

#define JACOBI_INSTANTIATE(T)                                                                \
  template std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>>, const Method&); \
  template std::unique_ptr<Sweeper<T>> accelerate(std::unique_ptr<Field<T>>, const Method&,  \
                                                  std::unique_ptr<Preconditioning<T>>);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
