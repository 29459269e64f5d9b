/// What `jacobi heat` is asked, and the steps that follow from it.
#pragma once
#include <optional>
#include <string>

#include "checkpoint_options.hpp"
#include "jacobi/heat.hpp"
#include "options.hpp"
#include "problem.hpp"

namespace jacobi::cli {

struct HeatCommand {
  HeatCommand() { problem.rhs = "0"; }

  RunOptions run;
  BoxText box;
  ProblemText problem;
  OutputOptions files;
  CheckpointOptions checkpoint;
  double end = 0, step = 0, step_tolerance = 0, rtol = 1e-8, max_seconds = -1;
  std::optional<double> theta;
  std::string scheme = "implicit", rung, series;
  Index every = 0;
  bool dry_run = false;

  void add_to(CLI::App& app);
  bool is_explicit() const { return scheme == "explicit"; }
  HeatOptions make() const;
  /// Throws: UsageError for options that do not go together; as check_outputs().
  void check();
};

/// Steps of one length that lead to the end.
struct Steps {
  Index count = 0;
  double length = 0;
  StableStep stable;
};

/// Of --step at most; without, the largest stable one, or of the implicit scheme a hundredth of the whole.
/// Throws: UsageError for an explicit step that is too large, and for more steps than can be counted.
template <class T, int D>
Steps steps_of(const HeatCommand& o, const Stencil<T, D>& a);

}  // namespace jacobi::cli
