#include "backend/opencl/on_chip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "sweep/stencil/hierarchical/tiled_grid.hpp"
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::opencl {

template <class T, int D>
std::optional<TilePlan> plan_on_chip(const Stencil<T, D>& a, const Device& device) {
  constexpr Index most_problems = 32;
  const sweep::Kind kind = sweep::coefficients_of(a).kind;
  const bool batch = kind == sweep::Kind::lines;
  const Index most = local_memory_of_tiles(device);
  Tiling tiling;
  Index entries = sweep::arrays_of_tile<D>(kind);
  for (int d = batch ? 1 : 0; d < D; ++d) {
    tiling.extent[d] = a.grid().unknowns[d];
    if (tiling.extent[d] > most) return {};  // so that no product overflows
    entries *= tiling.extent[d] + 2;
  }
  const Index fit = most / (entries * Index{sizeof(T)});
  if (fit == 0) return {};
  if (batch) tiling.extent[0] = std::min({fit, most_problems, a.grid().unknowns[0]});
  Plan plan;
  plan.by = tiling;
  TilePlan made = plan_tiles(without_periodic_sides(a.grid()), plan, kind);
  made.words_per_cycle = 5 + (kind == sweep::Kind::variable ? 2 * D : 0);  // two iterates in and out, and g
  made.in_words =
      batch ? fmt::format("{} group{} with {} problem{} each, in local memory", made.tiles,
                          made.tiles == 1 ? "" : "s", tiling.extent[0], tiling.extent[0] == 1 ? "" : "s")
            : "one group, in local memory";
  return made;
}

template <class T, int D>
OnChip<T, D>::OnChip(BoundGrid<T, D>& grid, const TilePlan& plan, const std::array<Index, 3>& items)
    : grid_(grid) {
  const Device& device = grid.queue.device();
  const TileWords words = tile_words(plan, grid);
  range_ = {{plan.tiles, 1}, items_of_tiles(device.properties(), D, items)};
  local_ = plan.arrays * words.entries * Index{sizeof(T)};
  tiles_ = Buffer<TileWords>(grid.queue, {&words, 1}, "sizes of tiles");
  on_chip_ = Kernel(grid.queue, {"on_chip", {"words", "grid", "tile"}, grid.definitions(range_.items)});
}

template <class T, int D>
void OnChip<T, D>::make(std::span<const Step> steps) {
  if (steps.empty()) return;
  steps_.write(grid_.queue, steps);
  on_chip_.run(range_, grid_.w, tiles_, grid_.u, grid_.v, grid_.g, grid_.c, *steps_,
               static_cast<std::int64_t>(steps.size()), Local{local_});
}

#define JACOBI_INSTANTIATE(T, D)                                                      \
  template std::optional<TilePlan> plan_on_chip(const Stencil<T, D>&, const Device&); \
  template class OnChip<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::opencl
