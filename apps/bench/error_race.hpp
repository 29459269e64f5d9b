/// Methods that run to the same error, or residual.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cli {

/// Where an iteration is after so many sweeps and so much time.
struct Reached {
  Index sweeps = 0;
  double seconds = 0, miss = 0;
};

/// One method with one number of threads.
struct Entrant {
  std::string name;
  int threads = 1;
  Plan plan;
  std::string words = {};
  std::vector<Reached> curve = {};
  Executed ran = {};
  std::optional<Index> sweeps = {};  ///< to what is asked for
  std::vector<double> seconds = {};  ///< of so many sweeps, run by run
  int disturbed = 0;                 ///< runs kept although other work took cores from them
  double miss = 0, work = 0;         ///< after them; work in sweeps
  std::string missed = {};           ///< why not, in words
};

/// What there is to reach, and how patiently.
struct Course {
  const Operator<double>& a;
  std::span<const double> b;
  std::string what;                                       ///< "error"
  std::function<double(std::span<const double> x)> miss;  ///< how far x is from the goal
  double target = 0;                                      ///< what that has to fall to
  double max_seconds = 0;                                 ///< after which a method is left at what it reached
  int repeat = 1;                                         ///< timed runs
};

/// Finds the first sweep, or end of a period, that misses by no more than the target, from zero; then times
/// as many from the start, in one go, again and again, and checks the end of the last run. Fills all of the
/// entrant but name, threads and plan.
void measure(Entrant& e, const Course& course);

}  // namespace jacobi::cli
