/// What skewed tiles have of their own, and what sweeps in them.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// How space and time are cut: unknowns of a tile in each direction, sweeps per block.
template <int D>
struct Tile {
  std::array<Index, D> size{};
  Index depth = 1;
  bool operator==(const Tile&) const = default;
};

template <int D>
struct Tiles {
  Tile<D> tile;                 ///< as wide as a piece is long
  std::vector<Partial> levels;  ///< norms of pieces after each sweep of a block, where each is measured
};

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
