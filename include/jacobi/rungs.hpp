/// The ladder: every way to sweep that is kept, from textbook to best. One table feeds tests, benchmarks,
/// docs.
#pragma once
#include <span>
#include <string>

namespace jacobi {

/// One rung. Every rung gives the bits of rung 0 on the same instruction set.
struct Rung {
  int number;
  const char* name;    ///< as in --rung
  const char* idea;    ///< what changed against the rung before
  bool parallel;       ///< uses the backend's threads
  bool compiled;       ///< false: this build leaves it out
  double words;        ///< moved per update (tiled: per visit): u, b, written values; no coefficient arrays
  double update_cost;  ///< what measuring the update norm adds, in sweeps
  double pass_cost;    ///< what measuring by a pass of its own adds, in sweeps
};

std::span<const Rung> stencil_rungs();
/// Throws: UsageError naming the rungs there are.
const Rung& stencil_rung(const std::string& name);

}  // namespace jacobi
