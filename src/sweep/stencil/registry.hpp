/// All algorithms that sweep a stencil. Which one does is chosen here, once, when it is bound.
#pragma once
#include <string>
#include <vector>

#include "sweep/stencil/algorithm.hpp"

namespace jacobi::sweep {

template <class T, int D>
const Algorithms<T, D>& algorithms();

/// Of the algorithm of that name; of others, of an update as written.
template <class T, int D>
Costs costs_of(std::string_view algorithm, const Stencil<T, D>& a, bool weighted);

/// What a list of them shows.
struct AlgorithmOnGrids {
  std::string name, summary, rung;
  std::vector<int> dimensions;
};
std::vector<AlgorithmOnGrids> algorithms_on_grids();

/// The first one of the plan's rung that suits: no rung asks for tiles, a tiling and red-black methods for
/// their own. Not for accelerated methods and multigrid.
/// Throws: UsageError for an unknown rung, a blocking or tiling that cannot be, or where none suits;
/// BackendError for a rung that is not compiled in.
template <class T, int D>
const Algorithm<T, D>& select(const Stencil<T, D>& a, const Plan& plan, int threads);

/// The best one that goes over whole lines, one sweep after the other: accelerated methods use its memory.
template <class T, int D>
const Algorithm<T, D>& best_by_lines();

}  // namespace jacobi::sweep
