/// Fewer bytes: sweeps on a matrix stored narrower, inside a refinement in double.
#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::sweep {

/// Sweeps as bind(), the entries stored as the plan says. Throws: UsageError for another rung than fused and
/// paired; BackendError where memory lacks.
std::unique_ptr<Sweeper<double>> bind_refined(const Dense<double>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
