/// Which grids are swept in one array (wave-inl.hpp), and what that takes.
#pragma once
#include "core/memory.hpp"
#include "jacobi/method.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/stencil/layout/layout.hpp"
#include "sweep/stencil/tiles/tile.hpp"

namespace jacobi::sweep {

/// Of one padded array, with room for so many levels.
template <class T, int D>
double bytes_of_vector(const Stencil<T, D>& a, Index in_place = 0, bool red_black = false) {
  Workspace<T, D> w{};
  w.piece_length = longest_piece;
  w.in_place = in_place;
  lay_out(w, a.grid(), red_black);
  return static_cast<double>(w.padded) * sizeof(T);
}

/// How many levels at most, an even number; 0: none. Constant coefficients and Dirichlet sides, steps that do
/// not read the iterate before, the blocking left to us, enough lines and planes, long enough that two levels
/// of a tile in two arrays would take a quarter of L2, and memory for what lies before a plane
/// (docs/performance.md).
template <class T, int D>
Index levels_in_place([[maybe_unused]] const Stencil<T, D>& a, [[maybe_unused]] const Plan& plan) {
  if constexpr (D == 3) {
    constexpr Index least = 48;
    const Grid<T, D>& grid = a.grid();
    const Blocking& wanted = plan.blocking;
    if (!plan.tilings.empty() || wanted.sweeps > 0 || wanted.tile[0] > 0 || !a.is_constant() ||
        kind_of(plan.method.step(1, plan.method.step(0, {}))) == StepKind::three_term ||
        grid.unknowns[1] < least || grid.unknowns[2] < least)
      return 0;
    for (const auto& sides : grid.sides)
      for (const auto& side : sides)
        if (side.kind != BoundaryKind::dirichlet) return 0;
    const Tile<D> tile = choose_tile(grid, wanted);
    const Index lines = (tile.size[1] + 3) * (tile.size[2] + 3) * 3;
    const Index bytes = lines * grid.unknowns[0] * static_cast<Index>(sizeof(T));
    const Index levels = tile.depth / 2 * 2;
    if (static_cast<double>(bytes) < machine::assumed_cache_bytes(2) / 4 ||
        3 * bytes_of_vector(a, levels) > 0.9 * available_memory())
      return 0;
    return levels;
  }
  return 0;
}

}  // namespace jacobi::sweep
