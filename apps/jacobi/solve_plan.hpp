/// The method for a system from files, as asked for or by what its diagnosis says.
#pragma once
#include <optional>
#include <string>

#include "amg_options.hpp"
#include "checkpoint_options.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/diagnosis.hpp"
#include "method_options.hpp"
#include "options.hpp"
#include "system.hpp"

namespace jacobi::cli {

/// What `jacobi solve` was asked.
struct SolveOptions : MethodOptions {
  RunOptions run;
  StopOptions stop;
  CheckpointOptions checkpoint;
  AmgOptions algebraic;
  std::string matrix, b, initial, output, history, report;
  std::string matrix_precision = "double";
  std::optional<Index> rhs_count;
  bool no_grid = false;
  bool reorder_rows = false;
  bool dry_run = false;
};

MatrixPrecision matrix_precision(const SolveOptions& o);

/// Throws: InputError where the method asked for needs a spectrum that is not known.
template <class T>
Choice choose_plan(const SolveOptions& o, const System<T>& system, const Diagnosis& d);

}  // namespace jacobi::cli
