/// Many sweeps of a batch of 1D problems, column by column; shorter calls go in tiles.
#pragma once
#include <algorithm>

#include "sweep/stencil/batch/batch.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

template <class T>
class BatchSweeper final : public TilesSweeper<T, 2> {
  using Base = TilesSweeper<T, 2>;
  using Base::w_;

 public:
  BatchSweeper(const Algorithm<T, 2>& self, const Stencil<T, 2>& a, const Plan& plan, int threads)
      : Base(self, a, plan, threads), kernels_(batch_kernels<T>()), scratch_(w_.n[0], w_.n[1], threads) {}

  Executed executed() const override {
    Executed ran = Base::executed();
    if (!this->mostly_in_tiles()) ran.blocking = "all sweeps between checks per visit to a column of a batch";
    return ran;
  }
  Blocking blocking() const override { return {}; }
  /// A column is copied out and back.
  Index sweeps_at_once() const override { return 64; }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    if (!takes(steps)) return Base::do_advance(steps, want);
    const Norms update = kernels_.advance(w_, scratch_, steps);
    this->count_own(steps, this->visits_of(steps, most_per_column));
    return want == Want::update ? update : this->do_norms(want);
  }

  /// Columns, not lines, are summed.
  int lists(Want) const override { return 0; }

  static constexpr Index most_per_column = 1 << 20;

  /// Worth the copies, and able to.
  static bool takes(std::span<const Step> steps) {
    return steps.size() >= 4 &&
           std::ranges::none_of(steps, [](const Step& s) { return kind_of(s) == StepKind::three_term; });
  }

  BatchKernels<T> kernels_;
  BatchScratch<T> scratch_;
};

}  // namespace jacobi::sweep
