/// Cycles of sweeps in tiles of a plan.
#pragma once
#include <algorithm>
#include <utility>

#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/hierarchical/hierarchical.hpp"
#include "sweep/stencil/hierarchical/hierarchy.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"

namespace jacobi::sweep {

template <class T, int D>
class HierarchicalSweeper final : public GridSweeper<T, D> {
  using Base = GridSweeper<T, D>;
  using Base::w_;

 public:
  HierarchicalSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Plan& plan, int threads)
      : Base(self, a, {}, threads_for(tiled_grid(plan, a.grid()).tiling, a.grid(), threads)),
        kernels_(hierarchical_kernels<T, D>()),
        own_{tiled_grid(plan, a.grid()), {}, 0, {}, {}},
        lags_(!is_exact<D>(own_.tiles, w_.kind)) {
    own_.size = tile_memory<D>(own_.tiles, w_.kind);
    own_.scratch = swept_array<T>(own_.size * w_.threads, w_.threads, false);
    own_.partials.resize(static_cast<std::size_t>(own_.tiles.tiling.tiles(w_.n)));
  }

  Executed executed() const override {
    Executed ran = Base::executed();
    ran.blocking = tiles_in_words<D>(own_.tiles, w_.kind);
    ran.redundant_work = redundant_work<D>(own_.tiles);
    return ran;
  }

  Index sweeps_per_cycle() const override { return own_.tiles.tiling.subiterations; }

  double bytes_per_update() const override {
    return words_per_cycle<D>(own_.tiles, w_.kind) * sizeof(T) / static_cast<double>(sweeps_per_cycle());
  }
  double check_cost(Want want) const override { return want == Want::update && !lags_ ? 0 : 1; }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    const bool later = lags_ && want == Want::update;
    const Norms measured = kernels_.advance(w_, own_, steps, later ? Want::nothing : want);
    if (!steps.empty()) omega_ = steps.back().omega;
    return later ? do_norms(want) : measured;
  }
  /// The last sweep of a cycle that is not exact may move nothing while ghosts stand still: the next update,
  /// by a pass of its own, stands in for it.
  Norms do_norms(Want want) override {
    if (!lags_ || want != Want::update) return kernels_.norms(w_, own_, want);
    const Norms next = kernels_.norms(w_, own_, Want::correction);
    return {omega_ * next.l2, omega_ * next.max};
  }

  static int threads_for(const Tiling& tiling, const Grid<T, D>& grid, int threads) {
    return static_cast<int>(std::min<Index>(threads, tiling.tiles(grid.unknowns)));
  }

  void do_save() override {
    Base::do_save();
    update_saved_ = own_.last_update;
  }
  void do_restore() override {
    Base::do_restore();
    own_.last_update = update_saved_;
  }

  HierarchicalKernels<T, D> kernels_;
  Cycles<T, D> own_;
  bool lags_;         ///< not exact
  double omega_ = 1;  ///< of the last sweep
  Norms update_saved_;
};

}  // namespace jacobi::sweep
