#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::sweep {

/// Sweeps over the matrix where it is, which must outlive the sweeper, by the plan's rung (empty: fused).
/// Throws: InputError naming the first row with a zero diagonal; UsageError for an unknown rung; BackendError
/// for too little memory, or rung blas without a BLAS.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
