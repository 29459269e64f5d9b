/// What `jacobi poisson` is asked, and the plan that follows from it.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "checkpoint_options.hpp"
#include "jacobi/automatic.hpp"
#include "method_options.hpp"
#include "multigrid_options.hpp"
#include "options.hpp"
#include "problem.hpp"
#include "tile_options.hpp"

namespace jacobi::cli {

struct PoissonOptions : MethodOptions {
  RunOptions run;
  StopOptions stop;
  CheckpointOptions checkpoint;
  OutputOptions files;
  BoxText box;
  ProblemText problem;
  Index copies = 1;
  std::string schedule;
  TileOptions tile;
  MultigridOptions multigrid;
  bool dry_run = false;
  bool no_tune = false;
};

/// What --project-rhs makes of it.
inline Mean mean_of(const StopOptions& stop) { return stop.project_rhs ? Mean::removed : Mean::of_rounding; }

/// The problem as asked for: points, domain, sides, formulas.
nlohmann::ordered_json problem_asked(const PoissonOptions& o, const Box& box);

/// The plan, and why where it was not the user's choice.
template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Outlook<T, D>& outlook);
template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Problem<T, D>& problem);

}  // namespace jacobi::cli
