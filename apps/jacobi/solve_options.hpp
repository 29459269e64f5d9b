/// What is said of a system from files, and how to solve it.
#pragma once
#include <optional>
#include <string>

#include "amg_options.hpp"
#include "checkpoint_options.hpp"
#include "method_options.hpp"
#include "options.hpp"

namespace jacobi::cli {

/// What `jacobi solve` was asked.
struct SolveOptions : MethodOptions {
  RunOptions run;
  StopOptions stop;
  CheckpointOptions checkpoint;
  AmgOptions algebraic;
  std::string matrix, b, initial, output, history, report;
  std::string entries_as = "double";  ///< the name of a matrix precision
  std::optional<Index> rhs_count;
  bool no_grid = false;
  bool reorder_rows = false;
  bool dry_run = false;
};

}  // namespace jacobi::cli
