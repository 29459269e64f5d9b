#include <algorithm>

#include "machine/kernels.hpp"
#include "sweep/entries.hpp"
#include "sweep/stencil/strips/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
double bytes_of_strips(const Stencil<T, 2>& a, int threads) {
  const auto& n = a.grid().unknowns;
  return StripsGrid<T>::bytes(strips_kernels<T>().tile, n[0], n[1], threads);
}

template <class T>
Suitable suits_strips(const Stencil<T, 2>& a, const Plan& plan, int threads) {
  const RegisterTile tile = strips_kernels<T>().tile;
  const auto& n = a.grid().unknowns;
  if (tile.lanes == 0) return {"lines are put in strips by AVX2 and AVX-512"};
  if (plan.blocking().is_given()) return {"another blocking was asked for"};
  const Step first = plan.method.step(0, {});
  if (kind_of(first) != StepKind::plain || kind_of(plan.method.step(1, first)) != StepKind::plain)
    return {"only plain sweeps go over strips"};
  if (coefficients_of(a).kind != Kind::equal) return {"the coefficients of all neighbours have to be equal"};
  if (!is_dirichlet(a.grid())) return {"values have to be given on all sides"};
  // threads without a core of their own do not follow each other down the grid
  const int at_once = std::min(threads, available_cores());
  if (!StripsGrid<T>::suits(tile, n[0], n[1], at_once)) return {"lines are too short, or too few"};
  if (bytes_of_strips(a, threads) > 0.7 * (available_memory() - bytes_of_tiles(a, plan, threads).all))
    return {"memory lacks for three more arrays"};
  return {};
}

/// 26 loads for 15 updates; 13 for 6 with 16 registers (register_tile-inl.hpp). Every line takes the sum of
/// two neighbours from the line before.
template <class T>
Costs costs_of_strips(const Stencil<T, 2>& a, bool weighted) {
  const RegisterTile tile = register_tile_of(1, machine::vector_registers() == 32);
  Costs costs = costs_as_written(a, weighted);
  costs.loads = 1 + (2.0 / tile.lines + 1.0 / tile.levels);
  costs.adds -= 1;
  return costs;
}

}  // namespace

struct StencilStrips {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    if constexpr (D == 2)
      all.push_back({"strips", "lines in strips, one for each lane of a vector (dimension-lifted layout)",
                     tiled_rung, suits_strips<T>,
                     [](const Stencil<T, D>& a, const Plan& plan, int threads) {
                       return bytes_of_tiles(a, plan, threads).with_spare(bytes_of_strips(a, threads));
                     },
                     make_sweeper<StripsSweeper<T>, T, D>, costs_of_strips<T>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilStrips)

}  // namespace jacobi::sweep
