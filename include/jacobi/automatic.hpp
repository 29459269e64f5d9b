/// A method chosen for a problem, and another one for where it does not do what was expected.
#pragma once
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

struct Choice {
  Plan plan;
  std::string reason = {};  ///< one sentence, for the report; empty: nothing to say
  /// Several times the sweeps that it should take.
  Index most_sweeps = std::numeric_limits<Index>::max();
  std::optional<Plan> fallback = {};
};

/// Full multigrid, and conjugate gradients preconditioned by cycles where these do not converge as they do
/// for a Laplacian: so far apart may coefficients lie. Sweeps with weight 1 where constant coefficients
/// differ between the two sides of a direction. `stop` says how many digits are asked for.
template <class T, int D>
Choice choose(const Stencil<T, D>& a, const Stop& stop = {});

/// Runs a plan until `stop`, from the x given to solve() on and on that.
using RunPlan = std::function<Report(const Plan& plan, const Stop& stop)>;

/// Runs the plan chosen. Where that diverges, breaks down, stands still far above rounding or takes
/// most_sweeps, the fallback goes on, once, from the iterate reached or, where that is worse, from the x
/// given; a note says so. The report is then that of the fallback, with sweeps and history of both where it
/// went on, and the time before as set-up; limits of `stop` are for both together. x may be empty, where each
/// run starts from the same.
template <class T>
Report solve(const Choice& choice, std::span<T> x, const Stop& stop, const RunPlan& run);

}  // namespace jacobi
