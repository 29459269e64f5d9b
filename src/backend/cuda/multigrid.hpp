/// Multigrid cycles on a device.
#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::cuda {

/// Throws: UsageError as on the host; BackendError where memory lacks.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_multigrid(const Stencil<T, D>& a, const Plan& plan, int device);

}  // namespace jacobi::cuda
