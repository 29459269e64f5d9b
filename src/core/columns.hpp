/// Solving for one right-hand side or for several by the same plan.
#pragma once
#include <memory>

#include "jacobi/plan.hpp"
#include "jacobi/solve.hpp"

namespace jacobi {

/// Solves from x for every column of b: each has to meet its own tolerance. A dense matrix is read once for
/// as many as fill a cache line; others, and narrower ones, are swept for one after the other. Throws: as
/// Solver.
template <class T>
Solutions<T> solve_columns(const Operator<T>& a, const Plan& plan, const Columns<T>& b, const Columns<T>& x,
                           const Stop& stop, const std::shared_ptr<const Backend>& on);

}  // namespace jacobi
