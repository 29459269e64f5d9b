#include "backend/opencl/stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "backend/device/grid_sweeper.hpp"
#include "backend/device/plan.hpp"
#include "backend/opencl/clock.hpp"
#include "backend/opencl/on_chip.hpp"
#include "backend/opencl/rungs.hpp"
#include "core/instantiate.hpp"
#include "core/kept.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::opencl {

namespace {

struct GridRung {
  const char* name;
  bool waits;  ///< for each sweep
  bool tiled, on_chip;
};
constexpr GridRung grid_rungs[] = {{"classic", false, false, false},
                                   {"waiting", true, false, false},
                                   {"tiled", false, true, false},
                                   {"on-chip", false, false, true}};

/// What all sweepers of a grid have here.
template <class T, int D>
class GridSweeper : public device::GridSweeper<T, GridSweeper<T, D>> {
  using Base = device::GridSweeper<T, GridSweeper>;
  friend Base;

 public:
  GridSweeper(const Stencil<T, D>& a, const Device& device, const std::array<Index, 3>& items)
      : Base(a.rows(), name_in_report(device)), queue_(device), grid_(a, queue_, items) {}
  double check_cost(Want want) const override {
    return cost_of_check(queue_.device(), this->bytes_per_update() * static_cast<double>(this->rows()),
                         want != Want::update);
  }

 protected:
  using Base::ran_;

  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (iterate_before)
      snapshot.vectors["before"] = in_double<T>([&](std::span<T> x) { grid_.store_before(x); }, this->rows());
  }
  void do_take(const Snapshot& snapshot) override {
    if (!holds(snapshot, "before")) return;
    const auto& before = vector_of(snapshot, "before", static_cast<std::size_t>(this->rows()));
    grid_.load_before(std::vector<T>(before.begin(), before.end()));
  }

  Queue queue_;
  mutable CallClock clock_;
  mutable BoundGrid<T, D> grid_;  // store() copies through memory of the grid's
};

/// Sweeps by a rung. The last one of every call is a kernel of its own: it measures the update in passing and
/// leaves the iterate before where the next three-term step and norms() look for it.
template <class T, int D>
class StencilSweeper final : public GridSweeper<T, D> {
 public:
  StencilSweeper(const Stencil<T, D>& a, const Plan& plan, const GridRung& rung, const Device& device)
      : GridSweeper<T, D>(a, device, rung.tiled ? std::array<Index, 3>{} : plan.blocking().tile),
        rung_(rung) {
    ran_.rung = rung.name;
    ran_.blocking = grid_.blocks_in_words();
    if (!rung.tiled) return;
    plan_ = plan_exact_tiles(a, grid_, plan.blocking());
    tiles_.emplace(grid_, *plan_, std::array<Index, 3>{});
    ran_.blocking = plan_->in_words;
    ran_.redundant_work = plan_->redundant_work;
  }

  Index sweeps_at_once() const override { return tiles_ ? plan_->tiling.subiterations + 1 : 1; }
  double bytes_per_update() const override {
    if (tiles_) return plan_->words_per_cycle * sizeof(T) / static_cast<double>(plan_->tiling.subiterations);
    return grid_.words_of_sweep() * sizeof(T);
  }

 private:
  using GridSweeper<T, D>::grid_;
  using GridSweeper<T, D>::ran_;

  Norms do_norms(Want want) override { return grid_.measure(want); }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return this->clock_.advance([&] { return sweep(steps, want); });
  }
  Norms sweep(std::span<const Step> steps, Want want) {
    if (!steps.empty()) {
      make_but_last(steps);
      grid_.sweep(steps.back(), want == Want::update);
    }
    ran_.sweeps += static_cast<Index>(steps.size());
    if (want == Want::update && !steps.empty()) return grid_.update_of_sweep();
    if (want == Want::nothing) this->queue_.wait();
    return grid_.measure(want);
  }
  void make_but_last(std::span<const Step> steps) {
    const auto before = steps.first(steps.size() - 1);
    const auto is_former = [](const Step& step) { return step.rho != 1; };
    if (tiles_ && !before.empty() && std::none_of(steps.begin(), steps.end(), is_former))
      return tiles_->make(before, false);
    for (const Step& step : before) {
      grid_.sweep(step, false);
      if (rung_.waits) this->queue_.wait();
    }
  }

  const GridRung& rung_;
  std::optional<TilePlan> plan_;
  std::optional<TileCycles<T, D>> tiles_;
};

/// Of a grid that one group holds, or whose problems one holds.
template <class T, int D>
class OnChipSweeper final : public GridSweeper<T, D> {
 public:
  /// Throws: UsageError where it holds none.
  OnChipSweeper(const Stencil<T, D>& a, const Plan& plan, const Device& device)
      : GridSweeper<T, D>(a, device, plan.blocking().tile),
        plan_(required(plan_on_chip(a, device))),
        on_chip_(grid_, plan_, plan.blocking().tile) {
    ran_.rung = "on-chip";
    ran_.blocking = plan_.in_words;
  }

  /// Of 1D problems, which are as many groups: else one group is all that the device has to do.
  static bool suits_by_itself(const Stencil<T, D>& a, const Device& device) {
    return (D == 1 || sweep::coefficients_of(a).kind == sweep::Kind::lines) && plan_on_chip(a, device);
  }
  double bytes_per_update() const override {
    return plan_.words_per_cycle * sizeof(T) / static_cast<double>(sweeps_of_call_);
  }

 private:
  using GridSweeper<T, D>::grid_;
  using GridSweeper<T, D>::ran_;

  static TilePlan required(std::optional<TilePlan> plan) {
    if (plan) return *plan;
    throw UsageError(
        "rung 'on-chip' of an OpenCL device needs a grid, or problems of a batch, whose arrays a group's "
        "local "
        "memory holds: take classic or tiled");
  }
  Norms do_norms(Want want) override { return grid_.measure(want); }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return this->clock_.advance([&] {
      on_chip_.make(steps);
      ran_.sweeps += static_cast<Index>(steps.size());
      sweeps_of_call_ = std::max<Index>(1, static_cast<Index>(steps.size()));
      if (want == Want::nothing) this->queue_.wait();
      return grid_.measure(want);
    });
  }

  TilePlan plan_;
  OnChip<T, D> on_chip_;
  Index sweeps_of_call_ = 1;
};

/// Of a plan with a tiling.
template <class T, int D>
class CycleSweeper final : public GridSweeper<T, D> {
 public:
  CycleSweeper(const Stencil<T, D>& a, const Plan& plan, const Device& device)
      : GridSweeper<T, D>(a, device, {}),
        plan_(plan_tiles(a.grid(), plan, grid_.kind)),
        tiles_(grid_, plan_, {}) {
    ran_.rung = "hierarchical";
    ran_.blocking = plan_.in_words;
    ran_.redundant_work = plan_.redundant_work;
  }

  Index sweeps_per_cycle() const override { return plan_.tiling.subiterations; }
  double bytes_per_update() const override {
    return plan_.words_per_cycle * sizeof(T) / static_cast<double>(plan_.tiling.subiterations);
  }

 private:
  using GridSweeper<T, D>::grid_;
  using GridSweeper<T, D>::ran_;

  Norms do_advance(std::span<const Step> steps, Want want) override {
    device::require_steps_of_cycle(steps);
    return this->clock_.advance([&] {
      const Index k = plan_.tiling.subiterations, count = static_cast<Index>(steps.size());
      tiles_.make(steps, want == Want::update && plan_.exact);
      if (count > 0) omega_ = steps.back().omega;
      ran_.sweeps += count;
      ran_.cycles += (count + k - 1) / k;
      if (want == Want::nothing) this->queue_.wait();
      return do_norms(want);
    });
  }
  /// Where the tiling is not exact the last sweep of a cycle may move nothing while ghosts stand still: the
  /// next update stands in for it, as on the host.
  Norms do_norms(Want want) override {
    if (want != Want::update) return grid_.measure(want);
    if (plan_.exact) return tiles_.update();
    const Norms next = grid_.measure(Want::correction);
    return {omega_ * next.l2, omega_ * next.max};
  }

  TilePlan plan_;
  TileCycles<T, D> tiles_;
  double omega_ = 1;
};

}  // namespace

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, const Device& device) {
  device::require_sweeps_of_grid(plan, "opencl");
  if (sizeof(T) == sizeof(double)) device.require_double();
  if (plan.tiling()) return std::make_unique<CycleSweeper<T, D>>(a, plan, device);
  const GridRung& rung = named_rung(grid_rungs, plan.rung(), "grids");
  if (rung.on_chip || (plan.rung().empty() && OnChipSweeper<T, D>::suits_by_itself(a, device)))
    return std::make_unique<OnChipSweeper<T, D>>(a, plan, device);
  return std::make_unique<StencilSweeper<T, D>>(a, plan, rung, device);
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, const Device&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::opencl
