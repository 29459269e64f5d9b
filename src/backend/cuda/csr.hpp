/// Sweeps over a sparse matrix on a device.
#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

/// Rungs: fused (compressed rows, several lanes per row), sell (chunks of 32 rows, a lane per row, the bits
/// of rung 0), graph (the better one, many launches at once); empty: graph. Throws: UsageError for a rung
/// that does not exist or a plan that is not for a device; BackendError where memory lacks.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int device);

}  // namespace jacobi::cuda
