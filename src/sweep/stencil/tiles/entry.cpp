#include "sweep/entries.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

struct StencilTiles {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    all.push_back({tiles_name, tiled_rung.idea, tiled_rung, suits_always<T, D>, bytes_of_tiles<T, D>,
                   make_sweeper<TilesSweeper<T, D>, T, D>, costs_of_lines_together<T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilTiles)

}  // namespace jacobi::sweep
