#include "backend/opencl/cycles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/hierarchical/tiled_grid.hpp"

namespace jacobi::opencl {

namespace {

constexpr Index least_local_memory = 32 * 1024;  ///< that every device has

template <int D>
TileWords tile_words(const Tiling& tiling, const device::Layout<D>& layout) {
  TileWords words;
  for (int d = 0; d < D; ++d) {
    words.extent[d] = tiling.extent[d];
    words.overlap[d] = tiling.overlap[d];
    words.tiles[d] = tiling.cut(d, layout.n[d]).tiles();
    words.stride[d] = words.entries;
    words.leading += words.entries;
    words.entries *= tiling.extent[d] + 2;
  }
  return words;
}

std::array<Index, 2> items_of_tiles(const Properties& p, int dimensions, const std::array<Index, 3>& asked) {
  if (asked[0] > 0) return {asked[0], dimensions > 1 ? std::max<Index>(1, asked[1]) : 1};
  if (p.is_cpu()) return {1, 1};
  const Index most = std::min<Index>(256, p.most_items),
              wide = dimensions == 1 ? most : std::min<Index>(32, most);
  return {wide, most / wide};
}

}  // namespace

template <class T, int D>
TileCycles<T, D>::TileCycles(BoundGrid<T, D>& grid, const device::CyclePlan& plan,
                             const std::array<Index, 3>& items)
    : grid_(grid), sweeps_(plan.tiling.subiterations), norms_(grid.queue, plan.tiling.tiles(grid.layout.n)) {
  const Device& device = grid.queue.device();
  const TileWords words = tile_words<D>(plan.tiling, grid.layout);
  range_.groups = {plan.tiling.tiles(grid.layout.n), 1};
  range_.items = items_of_tiles(device.properties(), D, items);
  local_ = std::max(plan.arrays * words.entries * Index{sizeof(T)},
                    bytes_of_sum(device, range_.items[0] * range_.items[1]));
  if (const Index most = device.properties().local_memory; local_ > most)
    throw BackendError(fmt::format(
        "opencl: a tile needs {} of local memory, a group has at most {}: smaller extents",
        jacobi::in_words(static_cast<double>(local_)), jacobi::in_words(static_cast<double>(most))));
  tiles_ = Buffer<TileWords>(grid.queue, {&words, 1}, "sizes of tiles");
  cycle_ = Kernel(grid.queue, {"cycle", {"words", "grid"}, grid.definitions(range_.items)});
}

template <class T, int D>
void TileCycles<T, D>::make(std::span<const Step> steps) {
  std::vector<T> omegas;
  for (const Step& step : steps) omegas.push_back(static_cast<T>(step.omega));
  if (omegas.size() > there_.size() || !std::equal(omegas.begin(), omegas.end(), there_.begin())) {
    if (static_cast<Index>(omegas.size()) > omegas_.size())
      omegas_ =
          Buffer<T>(grid_.queue, std::max<Index>(256, 2 * static_cast<Index>(omegas.size())), "weights");
    omegas_.write(omegas);
    there_ = std::move(omegas);
  }
  const Index count = static_cast<Index>(steps.size());
  for (Index first = 0; first < count; first += sweeps_) cycle(first, std::min(sweeps_, count - first));
}

template <class T, int D>
void TileCycles<T, D>::cycle(Index first, Index count) {
  cycle_.run(range_, grid_.w, tiles_, grid_.u, grid_.v, grid_.g, grid_.c, omegas_, std::int64_t{first},
             std::int64_t{count}, norms_.scale(), Local{local_}, norms_.parts());
  grid_.swap();
  last_first_ = first;
  last_count_ = count;
}

template <class T, int D>
Norms TileCycles<T, D>::update() {
  return norms_.of(range_.count(), [this] {
    grid_.swap();  // where it began
    cycle(last_first_, last_count_);
    return range_.count();
  });
}

template <class T, int D>
Tiling exact_tiling(const BoundGrid<T, D>& grid, const Blocking& blocking) {
  Tiling tiling;
  const std::array<Index, 3> first = D == 1   ? std::array<Index, 3>{1024, 1, 1}
                                     : D == 2 ? std::array<Index, 3>{64, 32, 1}
                                              : std::array<Index, 3>{16, 16, 16};
  std::copy(first.begin(), first.end(), tiling.extent);
  tiling.subiterations = blocking.sweeps > 0 ? blocking.sweeps : D == 1 ? 16 : D == 2 ? 4 : 2;
  const Index arrays = sweep::arrays_of_tile<D>(grid.kind),
              most = std::min(least_local_memory, grid.queue.device().properties().local_memory);
  const auto bytes = [&] {
    Index entries = 1;
    for (int d = 0; d < D; ++d) entries *= tiling.extent[d] + 2;
    return arrays * entries * Index{sizeof(T)};
  };
  while (bytes() > most) --*std::max_element(tiling.extent, tiling.extent + D);
  for (int d = 0; d < D; ++d) {
    if (blocking.tile[0] > 0) tiling.extent[d] = blocking.tile[d];
    const bool meets = !(d == 0 && grid.kind == sweep::Kind::lines) && tiling.extent[d] < grid.layout.n[d];
    tiling.overlap[d] = meets ? tiling.subiterations - 1 : 0;
  }
  return tiling;
}

#define JACOBI_INSTANTIATE(T, D)   \
  template class TileCycles<T, D>; \
  template Tiling exact_tiling(const BoundGrid<T, D>&, const Blocking&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::opencl
