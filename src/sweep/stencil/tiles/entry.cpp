#include "core/instantiate.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

template <class T, int D>
void add_tiles(Algorithms<T, D>& all) {
  all.push_back({"tiles", "many sweeps per visit to a tile in cache", tiled_rung, suits_always<T, D>,
                 bytes_of_tiles<T, D>,
                 [](const Stencil<T, D>& a, const Plan& plan, int threads) -> std::unique_ptr<Sweeper<T>> {
                   return std::make_unique<TilesSweeper<T, D>>(a, plan.blocking, threads);
                 }});
}

#define JACOBI_INSTANTIATE(T, D) template void add_tiles<T, D>(Algorithms<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
