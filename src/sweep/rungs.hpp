/// The ladders: every way to sweep that is kept, from textbook to best, as the registries' entries name them.
/// These tables feed tests, benchmarks, docs.
#pragma once
#include <span>
#include <string>

namespace jacobi {

/// One rung. Every rung gives the bits of rung 0 on the same instruction set; on dense matrices by rows, with
/// a BLAS and where sweeps are paired, its values within the rounding of a sum of n products taken in another
/// order.
struct Rung {
  int number;            ///< below 0: plans ask for it in other ways than by name
  const char* name;      ///< as in --rung
  const char* idea;      ///< what changed against the rung before
  bool parallel;         ///< uses the backend's threads
  bool compiled;         ///< false: this build leaves it out
  double words;          ///< moved per update (tiled, blocked: per visit) beside the coefficients
  double update_cost;    ///< what measuring the update norm adds, in sweeps
  double pass_cost;      ///< what measuring by a pass of its own adds, in sweeps
  bool several = false;  ///< of dense ones: sweeps for several right-hand sides at once
  bool in_order =
      true;  ///< of dense ones by columns: adds the entries of a row in their order, as rung 0 does
};

std::span<const Rung> stencil_rungs();
std::span<const Rung> sparse_rungs();
std::span<const Rung> dense_rungs();
/// Throws: UsageError naming the rungs there are.
const Rung& stencil_rung(const std::string& name);
const Rung& sparse_rung(const std::string& name);
const Rung& dense_rung(const std::string& name);

/// "textbook, fused, simd"
inline std::string names_of(std::span<const Rung> rungs) {
  std::string names;
  for (const Rung& rung : rungs) names += (names.empty() ? "" : ", ") + std::string(rung.name);
  return names;
}

}  // namespace jacobi
