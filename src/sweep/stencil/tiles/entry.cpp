#include "sweep/entries.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

struct StencilTiles {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    all.push_back({"tiles", tiled_rung.idea, tiled_rung, suits_always<T, D>, bytes_of_tiles<T, D>,
                   [](const Stencil<T, D>& a, const Plan& plan, int threads) -> std::unique_ptr<Sweeper<T>> {
                     return std::make_unique<TilesSweeper<T, D>>(a, plan.blocking, threads);
                   }});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilTiles)

}  // namespace jacobi::sweep
