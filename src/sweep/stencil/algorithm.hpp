/// An algorithm that sweeps a stencil, as the registry lists it.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/costs.hpp"
#include "sweep/suitable.hpp"

namespace jacobi::sweep {

/// Memory of a bound stencil.
struct Bytes {
  double all = 0;
  double spare = 0;  ///< of them, what another algorithm of the same rung goes without where memory lacks

  Bytes with_spare(double more) const { return {all + more, spare + more}; }
};

template <class T, int D>
class GridSweeper;  // layout/grid_sweeper.hpp

template <class T, int D>
struct Algorithm {
  std::string_view name, summary;
  Rung rung;  ///< by whose name it is asked for
  Suitable (*suits)(const Stencil<T, D>& a, const Plan& plan, int threads);
  Bytes (*bytes)(const Stencil<T, D>& a, const Plan& plan, int threads);
  /// Its sweeper, which is called as this entry is.
  std::unique_ptr<GridSweeper<T, D>> (*make)(const Algorithm& self, const Stencil<T, D>& a, const Plan& plan,
                                             int threads);
  /// Of an update, in plain or weighted sweeps.
  Costs (*costs)(const Stencil<T, D>& a, bool weighted) = costs_as_written<T, D>;
};

/// Of one rung, those that suit least come first.
template <class T, int D>
using Algorithms = std::vector<Algorithm<T, D>>;

/// Of several algorithms, and taken where no rung is named; then those that a tiling and colours ask for.
inline constexpr Rung tiled_rung{6, "tiled", "many sweeps per visit to a tile in cache", true, true, 4, 1, 4};
inline constexpr Rung hierarchical_rung{-1, "hierarchical", "cycles of sweeps in tiles", true, true, 0, 0, 0};
inline constexpr Rung red_black_rung{
    -1, "red-black", "half sweeps over one colour of a chequerboard, in tiles", true, true, 0, 0, 0};

template <class Made, class T, int D>
std::unique_ptr<GridSweeper<T, D>> make_sweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a,
                                                const Plan& plan, int threads) {
  return std::make_unique<Made>(self, a, plan, threads);
}

/// Suits whatever its rung is named for.
template <class T, int D>
Suitable suits_always(const Stencil<T, D>&, const Plan&, int) {
  return {};
}

}  // namespace jacobi::sweep
