#include "backend/cuda/cycles.hpp"

#include <algorithm>

#include "backend/cuda/stencil.hpp"
#include "backend/cuda/sweeper.hpp"
#include "backend/device/cycle_plan.hpp"
#include "backend/device/plan.hpp"
#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

template <class T, int D>
class CycleSweeper final : public GridSweeper<T, D> {
 public:
  CycleSweeper(const Stencil<T, D>& a, const Plan& plan, int device)
      : GridSweeper<T, D>(a, device, false),
        plan_(device::plan_cycles(a.grid(), plan, grid_.kind)),
        layout_(plan_.tiling),
        norms_(this->stream_, plan_.tiling.tiles(a.grid().unknowns)) {
    const Index most = properties_of(device).shared_per_block;
    if (shared() > most)
      throw BackendError("cuda: a tile needs " + in_words(static_cast<double>(shared())) +
                         " of shared memory, a block has at most " + in_words(static_cast<double>(most)) +
                         ": smaller extents");
    ran_.rung = "hierarchical";
    ran_.blocking = plan_.in_words;
    ran_.redundant_work = plan_.redundant_work;
  }

  Index sweeps_per_cycle() const override { return plan_.tiling.subiterations; }
  double bytes_per_update() const override {
    return plan_.words_per_cycle * sizeof(T) / static_cast<double>(plan_.tiling.subiterations);
  }
  double check_cost(Want) const override {
    return 4.0 / (1.0 + static_cast<double>(this->rows_) / 1e6) + 1.0;
  }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    device::require_steps_of_cycle(steps);
    return this->clock_.advance([&] { return make(steps, want); });
  }
  /// Where the tiling is not exact the last sweep of a cycle may move nothing while ghosts stand still: the
  /// next update stands in for it, as on the host.
  Norms do_norms(Want want) override {
    if (want != Want::update) return grid_.measure(want);
    if (plan_.exact) return updated_;
    const Norms next = grid_.measure(Want::correction);
    return {omega_ * next.l2, omega_ * next.max};
  }

  using GridSweeper<T, D>::grid_;
  using GridSweeper<T, D>::ran_;

  Index shared() const { return bytes_of_sum + plan_.arrays * layout_.entries * Index{sizeof(T)}; }
  /// The source's: a thread per unknown of the tile, as far as a block has them; whole warps.
  Launch launch_of_tiles() const {
    const auto up = [](Index n) { return (n + lanes_of_warp - 1) / lanes_of_warp * lanes_of_warp; };
    const Index wide = D == 1 ? std::min<Index>(up(plan_.tiling.extent[0]), most_threads) : lanes_of_warp;
    Index lines = 1;
    for (int d = 1; d < D; ++d) lines *= plan_.tiling.extent[d];
    const Index high = std::min(lines, Index{most_threads} / wide);
    return {{static_cast<unsigned>(plan_.tiling.tiles(grid_.w.n))},
            {static_cast<unsigned>(wide), static_cast<unsigned>(high)},
            shared()};
  }

  Norms make(std::span<const Step> steps, Want want) {
    const std::size_t k = static_cast<std::size_t>(plan_.tiling.subiterations);
    const Step* const there = this->steps_.take(steps);
    for (std::size_t j = 0; j < steps.size(); j += k)
      cycle(there + j, static_cast<Index>(std::min(k, steps.size() - j)), j + k >= steps.size());
    if (!steps.empty()) {
      updated_ = norms_.of(plan_.tiling.tiles(grid_.w.n));
      omega_ = steps.back().omega;
    }
    ran_.sweeps += static_cast<Index>(steps.size());
    ran_.cycles += static_cast<Index>((steps.size() + k - 1) / k);
    return do_norms(want);
  }

  void cycle(const Step* steps, Index count, bool measured) {
    sweep::Region<T, D> region;
    static_cast<sweep::Sources<T, D>&>(region) = grid_.w;
    region.n = grid_.w.n;
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e) region.mirrored[d][e] = grid_.w.ghost_source[d][e] >= 0;
    with_kind<D>(grid_.kind, [&](auto k) {
      launch(this->stream_, launch_of_tiles(), cycle_tiles<k(), T, D>, region, plan_.tiling, layout_,
             static_cast<const T*>(grid_.u), grid_.v, steps, count, measured ? norms_.parts() : nullptr);
    });
    if (grid_.w.has_copies) launch(this->stream_, grid_.launch(), renew_all_ghosts<T, D>, grid_.w, grid_.v);
    grid_.swap();
  }

  device::CyclePlan plan_;
  TileLayout<D> layout_;
  NormSum norms_;  ///< a part per tile
  Norms updated_;
  double omega_ = 1;
};

}  // namespace

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_cycles(const Stencil<T, D>& a, const Plan& plan, int device) {
  return std::make_unique<CycleSweeper<T, D>>(a, plan, device);
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::unique_ptr<Sweeper<T>> bind_cycles<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
