#include "sweep/entries.hpp"
#include "sweep/stencil/hierarchical/sweeper.hpp"

namespace jacobi::sweep {

struct StencilHierarchical {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    all.push_back({hierarchical_rung.name, hierarchical_rung.idea, hierarchical_rung,
                   [](const Stencil<T, D>& a, const Plan& plan, int) {
                     require_sensible(plan, a.grid());
                     return Suitable();
                   },
                   [](const Stencil<T, D>& a, const Plan& plan, int threads) {
                     const Kind kind = a.is_constant() ? Kind::constant : Kind::variable;
                     const Index tiles = tile_memory<D>(tiled_grid(plan, a.grid()), kind);
                     return Bytes{bytes_of_arrays(a) + static_cast<double>(tiles) * threads * sizeof(T)};
                   },
                   make_sweeper<HierarchicalSweeper<T, D>, T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilHierarchical)

}  // namespace jacobi::sweep
