/// Methods that run to the same error.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::cli {

/// Where an iteration is after so many sweeps and so much time.
struct Reached {
  Index sweeps = 0;
  double seconds = 0, error = 0;
};

/// One method with one number of threads.
struct Entrant {
  std::string name;
  int threads = 1;
  Plan plan;
  std::string words = {};
  std::vector<Reached> curve = {};
  Executed ran = {};
  std::optional<Index> sweeps = {};  ///< to the error asked for
  std::vector<double> seconds = {};  ///< of so many sweeps, run by run
  double error = 0, work = 0;        ///< after them; work in sweeps
  std::string missed = {};           ///< why not, in words
};

/// What there is to reach, and how patiently.
struct Course {
  const Operator<double>& a;
  std::span<const double> b, exact;
  double target = 0;       ///< 2-norm of the distance to `exact`
  double max_seconds = 0;  ///< after which a method is left at what it reached
  int repeat = 1;          ///< timed runs
};

/// Finds the first sweep, or end of a period, with no more error than the target, from zero; then times as
/// many from the start, in one go, again and again, and checks the error of the last run. Fills all of the
/// entrant but name, threads and plan.
void measure(Entrant& e, const Course& course);

}  // namespace jacobi::cli
