/// What sweeps in skewed tiles.
#pragma once
#include <span>

#include "sweep/stencil/layout/workspace.hpp"
#include "sweep/stencil/skewing/tile.hpp"

namespace jacobi::sweep {

/// Runs the steps, leaves the newest iterate in u and the one before in v.
template <class T, int D>
struct TilesKernels {
  /// measured: the update of the last step, into w.partials.
  void (*advance)(Workspace<T, D>& w, Tiles<D>& tiles, std::span<const Step> steps, bool measured) = nullptr;
  /// Norms of the update after every step.
  void (*advance_measured)(Workspace<T, D>& w, Tiles<D>& tiles, std::span<const Step> steps,
                           std::span<Norms> updates) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, Want want) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
TilesKernels<T, D> tiles_kernels();

}  // namespace jacobi::sweep
