/// A plan's tiling on a grid: what it may be, and the memory that its tiles take.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "jacobi/error.hpp"
#include "jacobi/grid.hpp"
#include "jacobi/plan.hpp"
#include "sweep/arrays.hpp"
#include "sweep/stencil/hierarchical/tiled_grid.hpp"

namespace jacobi::sweep {

inline constexpr Index most_subiterations = 1'000'000;

/// Throws: UsageError for a tiling that leaves nothing to update, own or do.
template <class T, int D>
void require_sensible(const Plan& plan, const Grid<T, D>& grid) {
  const Tiling& t = *plan.tiling();
  if (t.subiterations < 1 || t.subiterations > most_subiterations)
    throw UsageError(
        fmt::format("{} subiterations: a cycle makes 1 to {} of them", t.subiterations, most_subiterations));
  for (int d = 0; d < D; ++d) {
    if (t.extent[d] < 1)
      throw UsageError(fmt::format("a tile of {} unknowns along {}: at least 1", t.extent[d], "xyz"[d]));
    if (t.overlap[d] < 0)
      throw UsageError(fmt::format("overlap {} along {}: at least 0", t.overlap[d], "xyz"[d]));
    if (t.overlap[d] > (t.extent[d] - 1) / 2)
      throw UsageError(fmt::format(
          "overlap {} per side along {} leaves a tile of {} unknowns none that it alone updates: at most {}, "
          "or a larger tile",
          t.overlap[d], "xyz"[d], t.extent[d], (t.extent[d] - 1) / 2));
    for (int e = 0; e < 2; ++e)
      if (grid.sides[d][e].kind == BoundaryKind::periodic)
        throw UsageError(fmt::format(
            "direction {} is periodic: a tiling needs Dirichlet or Neumann sides; without one, rung "
            "tiled takes periodic ones",
            "xyz"[d]));
  }
}

/// The grid in the plan's tiles, which are cut off where it ends. Throws: as require_sensible.
template <class T, int D>
TiledGrid<D> tiled_grid(const Plan& plan, const Grid<T, D>& grid) {
  require_sensible(plan, grid);
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  TiledGrid<D> tiles{*plan.tiling(), grid.unknowns, {}, 0, lanes};
  Index size = 1;
  for (int d = 0; d < D; ++d) {
    if (tiles.tiling.extent[d] >= tiles.n[d]) tiles.tiling.overlap[d] = 0;
    const Index extent = tiles.tiling.extent[d] = std::min(tiles.tiling.extent[d], tiles.n[d]);
    tiles.stride[d] = size;
    size *= d == 0 ? (2 * lanes + extent) / lanes * lanes : extent + 2;
    if (d > 0) tiles.leading += tiles.stride[d];
  }
  tiles.array = (size + 2 * lanes + lanes - 1) / lanes * lanes + 3 * lanes;  // not whole pages apart
  return tiles;
}

/// Entries that one thread needs for a tile.
template <int D>
Index tile_memory(const TiledGrid<D>& tiles, Kind kind) {
  return tiles.array * arrays_of_tile<D>(kind);
}

/// Updates made per sweep over those needed, minus 1.
template <int D>
double redundant_work(const TiledGrid<D>& tiles) {
  double factor = 1;
  for (int d = 0; d < D; ++d)
    factor *=
        static_cast<double>(tiles.tiling.cut(d, tiles.n[d]).updates()) / static_cast<double>(tiles.n[d]);
  return factor - 1;
}

/// Words between the grid and its tiles per unknown and cycle: the iterate with its ghosts, g and
/// coefficients in, the owned unknowns out.
template <int D>
double words_per_cycle(const TiledGrid<D>& tiles, Kind kind) {
  double with_ghosts = 1, without = 1;
  for (int d = 0; d < D; ++d) {
    const Cut cut = tiles.tiling.cut(d, tiles.n[d]);
    const double n = static_cast<double>(tiles.n[d]);
    with_ghosts *= static_cast<double>(cut.updates() + 2 * cut.tiles()) / n;
    without *= static_cast<double>(cut.updates()) / n;
  }
  return with_ghosts + (arrays_of_tile<D>(kind) - 2) * without + 1;
}

/// Whether a cycle has the bits of plain sweeps. Problems of a batch (x) do not meet.
template <int D>
bool is_exact(const TiledGrid<D>& tiles, Kind kind) {
  for (int d = kind == Kind::lines ? 1 : 0; d < D; ++d)
    if (!tiles.tiling.cut(d, tiles.n[d]).exact(tiles.tiling.subiterations, 1)) return false;
  return true;
}

/// "16 sweeps per cycle in 33 x 33 tiles of 32 x 32, overlap 2 x 2 per side, exact"
template <int D>
std::string tiles_in_words(const TiledGrid<D>& grid, Kind kind) {
  const Tiling& t = grid.tiling;
  std::array<Index, D> tiles;
  for (int d = 0; d < D; ++d) tiles[d] = t.cut(d, grid.n[d]).tiles();
  return fmt::format("{} sweeps per cycle in {} tile{} of {}, overlap {} per side, {}", t.subiterations,
                     fmt::join(tiles, " x "), t.tiles(grid.n) == 1 ? "" : "s",
                     fmt::join(t.extent, t.extent + D, " x "), fmt::join(t.overlap, t.overlap + D, " x "),
                     is_exact<D>(grid, kind) ? "exact" : "not exact");
}

}  // namespace jacobi::sweep
