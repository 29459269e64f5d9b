/// A grid cut into the tiles of a plan, and the memory of a tile.
#pragma once
#include <array>
#include <utility>

#include "jacobi/tiling.hpp"
#include "sweep/stencil/hierarchical/region.hpp"

namespace jacobi::sweep {

template <int D>
struct TiledGrid {
  Tiling tiling;                ///< no tile larger than the grid
  std::array<Index, D> n;       ///< unknowns of the grid
  std::array<Index, D> stride;  ///< of the small padded arrays of one tile
  Index array;                  ///< entries of one of them
  Index leading;                ///< entries before its first unknown
};

/// Small arrays of a tile: both iterates, g, and the coefficients where they vary.
template <int D>
int arrays_of_tile(Kind kind) {
  return 3 + (kind == Kind::variable ? 2 * D : 0);
}

/// The arrays of a tile in memory from `at` on.
template <class T, int D>
TileMemory<T, D> tile_at(T* at, const TiledGrid<D>& tiles, Kind kind) {
  const auto next = [&] { return std::exchange(at, at + tiles.array) + tiles.leading; };
  TileMemory<T, D> memory{tiles.stride, next(), next(), next(), {}};
  for (int k = 0; k < 2 * D && kind == Kind::variable; ++k) memory.c[k] = next();
  return memory;
}

}  // namespace jacobi::sweep
