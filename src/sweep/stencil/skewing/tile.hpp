/// What sweeps in skewed tiles have of their own.
#pragma once
#include <array>
#include <vector>

#include "jacobi/types.hpp"
#include "sweep/partial.hpp"

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

}  // namespace jacobi::sweep
