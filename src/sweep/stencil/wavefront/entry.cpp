#include "sweep/entries.hpp"
#include "sweep/stencil/wavefront/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
double bytes_of_levels_below(const Stencil<T, 3>& a, const Plan& plan) {
  return 3 * (bytes_of_vector(a.grid(), room_in_place(a, plan)) - bytes_of_vector(a.grid()));
}

/// Worth it where two levels of a tile in two arrays would take a quarter of L2
/// (docs/lab/2026-11-28-space-3d.md).
template <class T>
Suitable suits_wavefront(const Stencil<T, 3>& a, const Plan& plan, int) {
  constexpr Index least = 48;
  const Grid<T, 3>& grid = a.grid();
  if (!wavefront_kernels<T>().is_able) return {"two sweeps are made at once by AVX2 and AVX-512"};
  if (plan.blocking().is_given()) return {"another blocking was asked for"};
  if (!a.is_constant()) return {"coefficients have to be constant"};
  if (kind_of(plan.method.step(1, plan.method.step(0, {}))) == StepKind::three_term)
    return {"three-term steps need the iterate before"};
  if (grid.unknowns[1] < least || grid.unknowns[2] < least) return {"lines or planes are too few"};
  if (!is_dirichlet(grid)) return {"values have to be given on all sides"};
  const Tile<3> tile = choose_tile(grid, plan.blocking());
  const Index lines = (tile.size[1] + 3) * (tile.size[2] + 3) * 3;
  const Index bytes = lines * grid.unknowns[0] * static_cast<Index>(sizeof(T));
  if (static_cast<double>(bytes) < machine::assumed_cache_bytes(2) / 4) return {"a tile stays in L2"};
  if (3 * bytes_of_vector(grid, room_in_place(a, plan)) > 0.9 * available_memory())
    return {"memory lacks for what lies before the planes"};
  return {};
}

}  // namespace

struct StencilWavefront {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    if constexpr (D == 3)
      all.push_back({"wavefront",
                     "many sweeps in one array, each a line and a plane lower than the one before",
                     tiled_rung, suits_wavefront<T>,
                     [](const Stencil<T, D>& a, const Plan& plan, int threads) {
                       return bytes_of_tiles(a, plan, threads).with_spare(bytes_of_levels_below(a, plan));
                     },
                     make_sweeper<WavefrontSweeper<T>, T, D>, costs_of_lines_together<T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilWavefront)

}  // namespace jacobi::sweep
