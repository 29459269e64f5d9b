/// `poisson --dry-run`: what a solve would take.
#pragma once
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "jacobi/plan.hpp"
#include "options.hpp"
#include "problem.hpp"

namespace jacobi::cli {

/// What the program itself takes, with its libraries.
inline constexpr double bytes_of_the_process = 12e6;

/// What the forecast is of, beside the problem.
struct DryRun {
  std::string description;  ///< of the grid
  double memory = 0;        ///< bytes in all
  Plan plan;
  Stop stop;
  std::vector<std::string> notes;
};

/// About the norm below which rounding keeps a solve, if f lies in the slowest mode: u is then D^-1 f over
/// its eigenvalue.
template <class T, int D>
double rounding_floor(const Problem<T, D>& problem, const Stop& stop);

/// Measures a few sweeps, predicts the rest and prints it as `run` wants; returns the exit code.
/// Throws: InputError for a singular problem without a solution.
template <class T, int D>
int dry_run(Problem<T, D> problem, DryRun what, const RunOptions& run);

}  // namespace jacobi::cli
