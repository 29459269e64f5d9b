/// A plan's tilings on a grid: what they may be, and the memory that their tiles take.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>

#include "jacobi/error.hpp"
#include "jacobi/grid.hpp"
#include "jacobi/plan.hpp"
#include "sweep/arrays.hpp"
#include "sweep/stencil/hierarchical/level.hpp"

namespace jacobi::sweep {

inline constexpr Index most_subiterations = 1'000'000;

/// Throws: UsageError for a tiling that leaves nothing to update, own or do.
template <class T, int D>
void require_sensible(const Tiling& t, const Grid<T, D>& grid) {
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

/// Throws: UsageError for tilings that cannot be, or named together with a rung.
template <class T, int D>
void require_sensible(const Plan& plan, const Grid<T, D>& grid) {
  if (plan.tilings.empty()) return;
  if (plan.tilings.size() > 2)
    throw UsageError(fmt::format("{} tilings: one, or an outer one and an inner one", plan.tilings.size()));
  if (!plan.rung.empty())
    throw UsageError(
        fmt::format("rung '{}' and a tiling: a tiling says how to sweep, leave the rung out", plan.rung));
  Index sweeps = 1;
  for (const Tiling& t : plan.tilings) {
    require_sensible(t, grid);
    sweeps *= t.subiterations;
  }
  if (sweeps > most_subiterations)
    throw UsageError(fmt::format("{} sweeps per cycle: at most {}", sweeps, most_subiterations));
}

/// A tiling of a box of n unknowns, tiles cut off where it ends.
template <class T, int D>
Level<D> level_of(const Tiling& wanted, const std::array<Index, D>& n) {
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  Level<D> level{wanted, n, {}, 0, lanes};
  Index size = 1;
  for (int d = 0; d < D; ++d) {
    if (level.tiling.extent[d] >= n[d]) level.tiling.overlap[d] = 0;
    const Index extent = level.tiling.extent[d] = std::min(level.tiling.extent[d], n[d]);
    level.stride[d] = size;
    size *= d == 0 ? (2 * lanes + extent) / lanes * lanes : extent + 2;
    if (d > 0) level.leading += level.stride[d];
  }
  level.array = (size + 2 * lanes + lanes - 1) / lanes * lanes + 3 * lanes;  // not whole pages apart
  return level;
}

/// The levels of a plan's tilings. Throws: as require_sensible.
template <class T, int D>
std::vector<Level<D>> levels_of(const Plan& plan, const Grid<T, D>& grid) {
  require_sensible(plan, grid);
  std::vector<Level<D>> levels;
  std::array<Index, D> n = grid.unknowns;
  for (const Tiling& wanted : plan.tilings) {
    levels.push_back(level_of<T, D>(wanted, n));
    std::copy_n(levels.back().tiling.extent, D, n.begin());
  }
  return levels;
}

/// Entries that one thread needs for a tile of every level.
template <int D>
Index tile_memory(const std::vector<Level<D>>& levels, Kind kind) {
  Index size = 0;
  for (const Level<D>& level : levels) size += level.array * arrays_of_tile<D>(kind);
  return size;
}

/// Updates made per sweep over those needed, minus 1.
template <int D>
double redundant_work(const std::vector<Level<D>>& levels) {
  double factor = 1;
  for (const Level<D>& level : levels)
    for (int d = 0; d < D; ++d)
      factor *=
          static_cast<double>(level.tiling.cut(d, level.n[d]).updates()) / static_cast<double>(level.n[d]);
  return factor - 1;
}

/// Words between the grid and its tiles per unknown and cycle: the iterate with its ghosts, g and
/// coefficients in, the owned unknowns out.
template <int D>
double words_per_cycle(const Level<D>& level, Kind kind) {
  double with_ghosts = 1, without = 1;
  for (int d = 0; d < D; ++d) {
    const Cut cut = level.tiling.cut(d, level.n[d]);
    const double n = static_cast<double>(level.n[d]);
    with_ghosts *= static_cast<double>(cut.updates() + 2 * cut.tiles()) / n;
    without *= static_cast<double>(cut.updates()) / n;
  }
  return with_ghosts + (arrays_of_tile<D>(kind) - 2) * without + 1;
}

/// Whether a cycle has the bits of plain sweeps. Problems of a batch (x) do not meet.
template <int D>
bool is_exact(const std::vector<Level<D>>& levels, Kind kind) {
  Index sweeps = 1;
  for (const Level<D>& level : levels) sweeps *= level.tiling.subiterations;
  for (const Level<D>& level : levels) {
    for (int d = kind == Kind::lines ? 1 : 0; d < D; ++d)
      if (!level.tiling.cut(d, level.n[d]).exact(sweeps, 1)) return false;
    sweeps /= level.tiling.subiterations;
  }
  return true;
}

/// "16 sweeps per cycle in 33 x 33 tiles of 32 x 32, overlap 2 x 2 per side, exact"
template <int D>
std::string levels_in_words(const std::vector<Level<D>>& levels, Kind kind) {
  std::string text;
  for (const Level<D>& level : levels) {
    std::array<Index, D> tiles;
    for (int d = 0; d < D; ++d) tiles[d] = level.tiling.cut(d, level.n[d]).tiles();
    text += fmt::format("{}{} {} per cycle in {} tile{} of {}, overlap {} per side", text.empty() ? "" : "; ",
                        level.tiling.subiterations, &level == &levels.back() ? "sweeps" : "inner cycles",
                        fmt::join(tiles, " x "), level.tiling.tiles(level.n) == 1 ? "" : "s",
                        fmt::join(level.tiling.extent, level.tiling.extent + D, " x "),
                        fmt::join(level.tiling.overlap, level.tiling.overlap + D, " x "));
  }
  return text + (is_exact<D>(levels, kind) ? ", exact" : ", not exact");
}

}  // namespace jacobi::sweep
