/// Sweeps over a dense matrix on a device.
#pragma once
#include <memory>

#include "backend/opencl/device.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::opencl {

/// Rungs: fused (a kernel per sweep; columns may be shared out), ordered (each row takes all columns in
/// order: the bits of rung 0 by columns), waiting (the host waits for each sweep), atomic (by rows, all add
/// to one float for a norm: the second source's, to compare with); empty: fused. Throws: UsageError for a
/// rung that does not exist or is not for this matrix, or a plan that is not for a device; BackendError where
/// memory or double lacks.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, const Device& device);

}  // namespace jacobi::opencl
