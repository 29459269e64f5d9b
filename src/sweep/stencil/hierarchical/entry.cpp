#include "core/instantiate.hpp"
#include "sweep/stencil/hierarchical/sweeper.hpp"

namespace jacobi::sweep {

template <class T, int D>
void add_hierarchical(Algorithms<T, D>& all) {
  all.push_back({hierarchical_rung, "cycles of sweeps in tiles", hierarchical_rung,
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

#define JACOBI_INSTANTIATE(T, D) template void add_hierarchical<T, D>(Algorithms<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
