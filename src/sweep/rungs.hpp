/// The ladders: every way to sweep that is kept, from textbook to best, as the registries' entries name them.
/// These tables feed tests, benchmarks, docs.
#pragma once
#include <span>
#include <string>
#include <vector>

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

/// "textbook, fused, simd"; "textbook, fused or simd" with " or " before the last one.
inline std::string names_of(std::span<const Rung> rungs, const char* before_last = ", ") {
  std::string names;
  for (std::size_t k = 0; k < rungs.size(); ++k)
    names += (k == 0 ? "" : k + 1 < rungs.size() ? ", " : before_last) + std::string(rungs[k].name);
  return names;
}
template <class Which>
std::string names_of_some(std::span<const Rung> rungs, const char* before_last, Which&& which) {
  std::vector<Rung> some;
  for (const Rung& rung : rungs)
    if (which(rung)) some.push_back(rung);
  return names_of(some, before_last);
}
/// "blas and paired": dense rungs that add the entries of a row in another order than rung 0, by columns too.
inline std::string dense_rungs_out_of_order() {
  return names_of_some(dense_rungs(), " and ", [](const Rung& rung) { return !rung.in_order; });
}

}  // namespace jacobi
