#include "backend/opencl/cycles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/hierarchical/tiled_grid.hpp"

namespace jacobi::opencl {

Index local_memory_of_tiles(const Device& device) {
  constexpr Index least = 32 * 1024;  // that every device has
  return std::min(least, device.properties().local_memory);
}

std::array<Index, 2> items_of_tiles(const Properties& p, int dimensions, const std::array<Index, 3>& asked) {
  if (asked[0] > 0) return {asked[0], dimensions > 1 ? std::max<Index>(1, asked[1]) : 1};
  if (p.is_cpu()) return {1, 1};
  const Index most = std::min<Index>(256, p.most_items),
              wide = dimensions == 1 ? most : std::min<Index>(32, most);
  return {wide, most / wide};
}

template <class T, int D>
TileWords tile_words(const TilePlan& plan, const BoundGrid<T, D>& grid) {
  TileWords words;
  for (int d = 0; d < D; ++d) {
    words.extent[d] = plan.tiling.extent[d];
    words.overlap[d] = plan.tiling.overlap[d];
    words.wrap[d] = plan.wrap[d];
    words.ghosts[d] = d == 0 && grid.kind == sweep::Kind::lines ? 0 : 1;
    words.tiles[d] = plan.tiling.cut(d, grid.layout.n[d] + 2 * plan.wrap[d]).tiles();
    words.stride[d] = words.entries;
    words.leading += words.ghosts[d] * words.entries;
    words.entries *= plan.tiling.extent[d] + 2 * words.ghosts[d];
  }
  return words;
}

template <class T, int D>
TileCycles<T, D>::TileCycles(BoundGrid<T, D>& grid, const TilePlan& plan, const std::array<Index, 3>& items)
    : grid_(grid), sweeps_(plan.tiling.subiterations), norms_(grid.queue, plan.tiles) {
  const Device& device = grid.queue.device();
  const TileWords words = tile_words(plan, grid);
  range_.groups = {plan.tiles, 1};
  range_.items = items_of_tiles(device.properties(), D, items);
  local_ = std::max(plan.arrays * words.entries * Index{sizeof(T)},
                    bytes_of_sum(device, range_.items[0] * range_.items[1]));
  if (const Index most = device.properties().local_memory; local_ > most)
    throw BackendError(fmt::format(
        "opencl: a tile needs {} of local memory, a group has at most {}: smaller extents",
        jacobi::in_words(static_cast<double>(local_)), jacobi::in_words(static_cast<double>(most))));
  tiles_ = Buffer<TileWords>(grid.queue, {&words, 1}, "sizes of tiles");
  cycle_ = Kernel(grid.queue, {"cycle", {"words", "grid", "tile"}, grid.definitions(range_.items)});
}

template <class T, int D>
void TileCycles<T, D>::make(std::span<const Step> steps, bool measured) {
  steps_.write(grid_.queue, steps);
  const Index count = static_cast<Index>(steps.size());
  for (Index first = 0; first < count; first += sweeps_)
    cycle(first, std::min(sweeps_, count - first), measured && first + sweeps_ >= count);
}

template <class T, int D>
void TileCycles<T, D>::cycle(Index first, Index count, bool measured) {
  cycle_.run(range_, grid_.w, tiles_, grid_.u, grid_.v, grid_.g, grid_.c, *steps_, std::int64_t{first},
             std::int64_t{count}, Int{measured}, norms_.scale(), Local{local_}, norms_.parts());
  grid_.swap();
  last_first_ = first;
  last_count_ = count;
  measured_ = measured;
}

template <class T, int D>
Index TileCycles<T, D>::cycle_again() {
  grid_.swap();  // where it began
  cycle(last_first_, last_count_, true);
  return range_.count();
}

template <class T, int D>
Norms TileCycles<T, D>::update() {
  if (!measured_ && last_count_ > 0) cycle_again();
  return norms_.of(range_.count(), [this] { return cycle_again(); });
}

template <class T, int D>
TilePlan plan_tiles(const Grid<T, D>& seen, const Plan& plan, sweep::Kind kind,
                    const std::array<Index, 3>& wrap) {
  TilePlan made;
  static_cast<device::CyclePlan&>(made) = device::plan_cycles(seen, plan, kind);
  made.wrap = wrap;
  made.tiles = made.tiling.tiles(seen.unknowns);
  double share = 1;
  for (int d = 0; d < D; ++d)
    share *= static_cast<double>(seen.unknowns[d]) / static_cast<double>(seen.unknowns[d] - 2 * wrap[d]);
  made.redundant_work = (1 + made.redundant_work) * share - 1;
  made.words_per_cycle *= share;
  return made;
}

template <class T, int D>
Grid<T, D> without_periodic_sides(Grid<T, D> grid) {
  for (auto& sides : grid.sides)
    for (auto& side : sides)
      if (side.kind == BoundaryKind::periodic) side.kind = BoundaryKind::dirichlet;
  return grid;
}

template <class T, int D>
TilePlan plan_exact_tiles(const Stencil<T, D>& a, const BoundGrid<T, D>& grid, const Blocking& blocking) {
  Tiling tiling;
  const std::array<Index, 3> first = D == 1   ? std::array<Index, 3>{1024, 1, 1}
                                     : D == 2 ? std::array<Index, 3>{64, 32, 1}
                                              : std::array<Index, 3>{16, 16, 16};
  std::copy(first.begin(), first.end(), tiling.extent);
  tiling.subiterations = blocking.sweeps > 0 ? blocking.sweeps : D == 1 ? 16 : D == 2 ? 4 : 2;
  const Index arrays = sweep::arrays_of_tile<D>(grid.kind), most = local_memory_of_tiles(grid.queue.device());
  const auto bytes = [&] {
    Index entries = 1;
    for (int d = 0; d < D; ++d) entries *= tiling.extent[d] + 2;
    return arrays * entries * Index{sizeof(T)};
  };
  while (bytes() > most) --*std::max_element(tiling.extent, tiling.extent + D);
  std::array<Index, 3> wrap = {};
  Grid<T, D> seen = without_periodic_sides(a.grid());
  for (int d = 0; d < D; ++d) {
    if (blocking.tile[0] > 0) tiling.extent[d] = blocking.tile[d];
    const bool meets = !(d == 0 && grid.kind == sweep::Kind::lines) && tiling.extent[d] < grid.layout.n[d];
    tiling.overlap[d] = meets ? tiling.subiterations - 1 : 0;
    if (a.grid().sides[d][0].kind == BoundaryKind::periodic) wrap[d] = tiling.overlap[d];
    seen.unknowns[d] +=
        2 * wrap[d];  // as if the line were longer by what the first and the last tile have there
  }
  Plan plan;
  plan.by = tiling;
  return plan_tiles(seen, plan, grid.kind, wrap);
}

#define JACOBI_INSTANTIATE(T, D)                                                                          \
  template TileWords tile_words(const TilePlan&, const BoundGrid<T, D>&);                                 \
  template class TileCycles<T, D>;                                                                        \
  template TilePlan plan_tiles(const Grid<T, D>&, const Plan&, sweep::Kind, const std::array<Index, 3>&); \
  template Grid<T, D> without_periodic_sides(Grid<T, D>);                                                 \
  template TilePlan plan_exact_tiles(const Stencil<T, D>&, const BoundGrid<T, D>&, const Blocking&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::opencl
