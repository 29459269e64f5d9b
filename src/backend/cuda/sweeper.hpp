/// The sweeper of a stencil on a device.
#pragma once
#include <algorithm>
#include <memory>
#include <string>

#include "backend/cuda/classic.hpp"
#include "backend/cuda/many.hpp"
#include "backend/cuda/steps.hpp"
#include "backend/cuda/stream_clock.hpp"
#include "backend/device/grid_sweeper.hpp"
#include "core/executed.hpp"

namespace jacobi::cuda {

/// What all sweepers of a grid have here.
template <class T, int D>
class GridSweeper : public device::GridSweeper<T, GridSweeper<T, D>> {
  using Base = device::GridSweeper<T, GridSweeper>;
  friend Base;

 public:
  /// one_g, block: of BoundGrid.
  GridSweeper(const Stencil<T, D>& a, int device, bool one_g, const std::array<Index, 3>& block = {})
      : Base(a.rows(), in_words(properties_of(device))),
        stream_(device),
        clock_(stream_),
        grid_(a, stream_, one_g, block),
        steps_(stream_) {}

 protected:
  using Base::ran_;

  Stream stream_;
  mutable StreamClock clock_;
  BoundGrid<T, D> grid_;
  DeviceSteps steps_;

 private:
  static std::string in_words(const Properties& p) {
    return p.name + ", sm_" + std::to_string(p.major) + std::to_string(p.minor);
  }
};

/// Sweeps by a rung. The last one of every call is a classic launch: it measures the update in passing and
/// leaves the iterate before it where the next three-term step and norms() look for it.
template <class T, int D>
class StencilSweeper final : public GridSweeper<T, D> {
 public:
  /// Throws: UsageError for a rung there is not.
  StencilSweeper(const Stencil<T, D>& a, const Plan& plan, int device);

  Index sweeps_at_once() const override { return many_ ? many_->at_once() : 1; }
  double bytes_per_update() const override {
    return (many_ ? many_->words() : grid_.words_of_sweep()) * sizeof(T);
  }
  /// By what an H200 took (docs/gpu.md): 20 us until the host knows and has launched anew, a classic launch
  /// where sweeps are otherwise cheaper, and a pass more for norms of another kind; beside a sweep.
  double check_cost(Want want) const override {
    const double rows = static_cast<double>(rows_), pass = grid_.words_of_sweep() * sizeof(T) * rows / 4e12;
    const double sweep = (many_ ? 0.7e-6 : 4e-6) + bytes_per_update() * rows / 3e12;
    return (20e-6 + (many_ ? pass : 0) + (want == Want::update ? 0 : pass)) / sweep;
  }

 private:
  Norms do_norms(Want want) override { return grid_.measure(want); }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return this->clock_.advance([&] { return sweep(steps, want); });
  }

  using GridSweeper<T, D>::grid_;
  using GridSweeper<T, D>::steps_;
  using GridSweeper<T, D>::rows_;
  using GridSweeper<T, D>::ran_;

  Norms sweep(std::span<const Step> steps, Want want) {
    if (!steps.empty()) {
      const Step* const there = steps_.take(steps);
      const std::size_t last = steps.size() - 1;
      make_but_last(steps, there);
      sweep_classic(grid_, there + last, want == Want::update);
    }
    ran_.rung = rung_.name;
    ran_.sweeps += static_cast<Index>(steps.size());
    if (many_) ran_.blocking = many_->blocking();
    const Norms norms = want != Want::update || steps.empty() ? grid_.measure(want)
                                                              : grid_.norms.of(grid_.sweep().blocks.count());
    if (many_) many_->require_success();
    return norms;
  }

  void make_but_last(std::span<const Step> steps, const Step* there) {
    const auto is_former = [](const Step& step) { return sweep::kind_of(step) == StepKind::three_term; };
    const auto taken = [&](const Step& step) { return many_->takes(sweep::kind_of(step)); };
    const std::size_t last = steps.size() - 1;
    if (many_ && std::all_of(steps.begin(), steps.end(), taken))
      return many_->make(steps.first(last), there, std::any_of(steps.begin(), steps.end(), is_former));
    for (std::size_t j = 0; j < last; ++j) sweep_classic(grid_, there + j, false);
  }

  TakenRung<T, D> rung_;
  ManySweeps<T, D>* many_;  ///< of the rung; none: classic
};

}  // namespace jacobi::cuda
