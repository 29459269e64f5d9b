/// Sweeps over a sparse matrix on a device.
#pragma once
#include <memory>

#include "backend/opencl/device.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::opencl {

/// Rungs: sell (a kernel per sweep, an item per row of chunks of 32: the bits of rung 0), waiting (the host
/// waits for each sweep); empty: sell. Throws: UsageError for a rung that does not exist, or a plan that is
/// not for a device; BackendError where memory or double lacks.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, const Device& device);

}  // namespace jacobi::opencl
