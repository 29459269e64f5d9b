/// What no device makes of a plan.
#pragma once
#include <span>
#include <string>

#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::device {

/// Whether the method's steps read the iterate before.
inline bool is_three_term(const Method& method) { return method.step(1, method.step(0, {})).rho != 1; }

/// Throws: UsageError for what the backend of that name does not make: cycles, inner products, narrower
/// matrices.
inline void require_sweeps(const Plan& plan, const std::string& backend) {
  const auto refuse = [&](const std::string& what) {
    throw UsageError("backend '" + backend + "' makes sweeps with given weights, not " + what +
                     ": backend 'threads' does");
  };
  if (plan.multigrid()) refuse("multigrid cycles");
  if (plan.preconditioner()) refuse("cycles that precondition");
  if (plan.amg()) refuse("algebraic multigrid");
  if (accelerated(plan.method) || plan.method.red_black) refuse("method " + plan.method.name);
  if (plan.matrix_precision != MatrixPrecision::as_given) refuse("those of a matrix stored narrower");
}

/// The same of a grid, whose rows nothing but the diagonal divides.
inline void require_sweeps_of_grid(const Plan& plan, const std::string& backend) {
  require_sweeps(plan, backend);
  if (plan.method.divisor != Divisor::diagonal)
    throw UsageError("method " + plan.method.name + " is for sparse matrices: on a grid take weighted");
}

/// Throws: UsageError for a step that a cycle does not make.
inline void require_steps_of_cycle(std::span<const Step> steps) {
  for (const Step& step : steps)
    if (step.rho != 1)
      throw UsageError(
          "a tiling goes with plain and weighted sweeps: a three-term step needs the iterate before");
}

}  // namespace jacobi::device
