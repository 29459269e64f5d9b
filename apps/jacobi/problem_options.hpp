/// What `poisson` solves, as options.
#pragma once
#include "poisson_plan.hpp"

namespace jacobi::cli {

/// Grid, sides, formulas and files of the problem.
void add_problem_options(CLI::App& app, PoissonOptions& o);

}  // namespace jacobi::cli
