/// Algebraic multigrid on the processor.
#pragma once
#include <memory>

#include "jacobi/csr.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::sweep {

/// Cycles by themselves, or cg or bicgstab preconditioned by them, as plan.amg() and the method say.
/// Throws: UsageError for a plan with a rung, tiles or a method that cycles do not go with; InputError where
/// the matrix does not suit; BackendError where memory lacks; Interrupted.
template <class T>
std::unique_ptr<Sweeper<T>> bind_amg(const Csr<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
