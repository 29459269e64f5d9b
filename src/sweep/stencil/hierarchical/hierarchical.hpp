/// What cycles in tiles have of their own, and what makes them.
#pragma once
#include <span>
#include <vector>

#include "sweep/arrays.hpp"
#include "sweep/stencil/hierarchical/tiled_grid.hpp"
#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

template <class T, int D>
struct Cycles {
  TiledGrid<D> tiles;
  AlignedArray<T> scratch;  ///< for a tile, so much for each thread
  Index size = 0;
  std::vector<Partial> partials;  ///< of tiles
  Norms last_update = {};         ///< of the last sweep inside the tiles
};

/// Runs the steps in cycles, and measures.
template <class T, int D>
struct HierarchicalKernels {
  Norms (*advance)(Workspace<T, D>& w, Cycles<T, D>& own, std::span<const Step> steps, Want want) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, const Cycles<T, D>& own, Want want) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
HierarchicalKernels<T, D> hierarchical_kernels();

}  // namespace jacobi::sweep
