/// Sweeps over a stencil on a device.
#pragma once
#include <memory>

#include "backend/cuda/device.hpp"
#include "core/executed.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

/// Throws: UsageError for a rung that does not exist or a plan that is not for a device; BackendError where
/// memory lacks.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int device);

/// Of a plan with a tiling. Throws: UsageError for a second one, and as on the host; BackendError where a
/// tile is larger than the shared memory.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_cycles(const Stencil<T, D>& a, const Plan& plan, int device);

/// Throws: UsageError for what no device makes there: cycles, inner products, narrower matrices.
void require_sweeps(const Plan& plan);

}  // namespace jacobi::cuda
