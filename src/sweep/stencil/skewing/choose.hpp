/// Which tiles are taken.
#pragma once
#include <algorithm>

#include "core/loop.hpp"
#include "jacobi/grid.hpp"
#include "jacobi/plan.hpp"
#include "machine/caches.hpp"
#include "machine/kernels.hpp"
#include "sweep/arrays.hpp"
#include "sweep/stencil/skewing/tile.hpp"

namespace jacobi::sweep {

/// Levels of a block at most: as many sweeps as are asked for at once.
inline constexpr Index deepest = most_sweeps_at_once;

/// Levels whose lines stay in L2: `share` of it each.
inline Index levels_in_cache(Index share, Index most) {
  return std::clamp<Index>(static_cast<Index>(machine::assumed_cache_bytes(2)) / share, 4, most);
}

/// 1D: 8 KB of each array, which L1 holds together; 2D: four lines of 2 KB at a
/// time, so that what one level leaves to the next stays in L1; 3D: 16 lines of six planes at a time, as many
/// as two levels at once take (pair-inl.hpp); four lines of all of them in turn, so that those of the next
/// plane are in L1 when it comes, and few lines beside the box are read; fewer levels where there are few
/// planes to stream over (docs/lab/2026-11-28-space-3d.md).
/// Depth follows the cache; the width does not: norms are summed over it, and would differ in their last bits
/// between machines, or between the kinds of cores of one.
template <class T, int D>
Tile<D> usual_tile(const Grid<T, D>& grid) {
  const auto bytes = [](Index n) { return n / static_cast<Index>(sizeof(T)); };
  if constexpr (D == 1) return {{bytes(8192)}, 64};
  if constexpr (D == 2) return {{bytes(2048), 4}, levels_in_cache(32 << 10, 64)};
  if constexpr (D == 3)
    return {{bytes(4096), 16, 6}, levels_in_cache(64 << 10, grid.unknowns[2] < 192 ? 16 : 24)};
}

/// A tile made as wanted, and to fit the grid. A periodic direction across the stream is not cut.
template <class T, int D>
Tile<D> fitted(Tile<D> tile, const Grid<T, D>& grid, const Blocking& wanted) {
  if (wanted.sweeps > 0) tile.depth = std::min(wanted.sweeps, deepest);
  for (int d = 0; d < D; ++d) {
    if (wanted.tile[d] > 0) tile.size[d] = std::min(wanted.tile[d], grid.unknowns[d]);
    if (d + 1 < D && grid.sides[d][0].kind == BoundaryKind::periodic) tile.size[d] = grid.unknowns[d];
  }
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  if constexpr (D == 1) tile.size[0] = (tile.size[0] + lanes - 1) / lanes * lanes;
  return tile;
}

/// With 16 registers, two levels at once in 3D take 32 lines of four planes.
template <class T, int D>
Tile<D> choose_tile(const Grid<T, D>& grid, const Blocking& wanted) {
  Tile<D> tile = usual_tile(grid);
  if constexpr (D == 3)
    if (machine::vector_registers() == 16) tile = {{tile.size[0], 32, 4}, std::max<Index>(16, tile.depth)};
  return fitted(tile, grid, wanted);
}

}  // namespace jacobi::sweep
