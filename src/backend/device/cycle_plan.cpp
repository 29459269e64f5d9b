#include "backend/device/cycle_plan.hpp"

#include "core/instantiate.hpp"
#include "sweep/stencil/hierarchical/hierarchy.hpp"

namespace jacobi::device {

template <class T, int D>
CyclePlan plan_cycles(const Grid<T, D>& grid, const Plan& plan, sweep::Kind kind) {
  const auto tiles = sweep::tiled_grid<T, D>(plan, grid);
  return {tiles.tiling,
          sweep::arrays_of_tile<D>(kind),
          sweep::is_exact<D>(tiles, kind),
          sweep::tiles_in_words<D>(tiles, kind),
          sweep::redundant_work<D>(tiles),
          sweep::words_per_cycle<D>(tiles, kind)};
}

#define JACOBI_INSTANTIATE(T, D) \
  template CyclePlan plan_cycles<T, D>(const Grid<T, D>&, const Plan&, sweep::Kind);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::device
