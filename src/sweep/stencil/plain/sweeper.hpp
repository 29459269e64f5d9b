/// Sweeps line after line, one at a time.
#pragma once
#include "jacobi/rungs.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/kernels.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"

namespace jacobi::sweep {

/// A rung without blocking: what it moves, and what its norms cost.
template <class T, int D>
class RungSweeper : public GridSweeper<T, D> {
 public:
  double bytes_per_update() const override { return (rung_.words + this->coefficient_words()) * sizeof(T); }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_.update_cost : rung_.pass_cost;
  }

 protected:
  RungSweeper(const Stencil<T, D>& a, const Rung& rung, int threads)
      : GridSweeper<T, D>(a, {}, rung.parallel ? threads : 1), rung_(rung) {}

 private:
  const Rung& rung_;
};

template <class T, int D>
class PlainSweeper final : public RungSweeper<T, D> {
 public:
  PlainSweeper(const Stencil<T, D>& a, const Rung& rung, int threads)
      : RungSweeper<T, D>(a, rung, threads),
        kernels_(grid_kernels<T, D>().plain[static_cast<std::size_t>(rung.number)]) {}

  Norms advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(this->w_, steps, want);
  }
  Norms norms(Want want) override { return kernels_.norms(this->w_, want); }

 private:
  PlainKernels<T, D> kernels_;
};

template <class T, int D>
Bytes bytes_of_lines(const Stencil<T, D>& a, const Plan&, int) {
  return {bytes_of_arrays(a)};
}

/// Of the rung at this place of the ladder.
template <class T, int D, int place>
Algorithm<T, D> plain_algorithm() {
  const Rung& rung = stencil_rungs()[place];
  return {rung.name,
          rung.idea,
          rung.name,
          suits_always<T, D>,
          bytes_of_lines<T, D>,
          [](const Stencil<T, D>& a, const Plan&, int threads) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<PlainSweeper<T, D>>(a, stencil_rungs()[place], threads);
          }};
}

}  // namespace jacobi::sweep
