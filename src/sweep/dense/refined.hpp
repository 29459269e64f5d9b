/// Fewer bytes: sweeps on a matrix stored narrower, inside a refinement in double.
#pragma once
#include <memory>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/plan.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::sweep {

/// 1 / divisor of each row, rounded once. Throws: InputError naming a row that nothing can be divided by.
template <class T>
std::vector<T> reciprocals(const Dense<T>& a, Divisor kind, Zeros zeros = Zeros::refused);

/// Sweeps as bind(), the entries stored as the plan says. Throws: UsageError for another rung than fused and
/// paired.
std::unique_ptr<Sweeper<double>> bind_refined(const Dense<double>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
