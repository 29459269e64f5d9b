/// Sweeps line after line, one at a time.
#pragma once
#include "sweep/rungs.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/plain/plain.hpp"

namespace jacobi::sweep {

/// A rung without blocking: what it moves, and what its norms cost.
template <class T, int D>
class RungSweeper : public GridSweeper<T, D> {
 public:
  double bytes_per_update() const override {
    return (this->self().rung.words + this->coefficient_words()) * sizeof(T);
  }
  double check_cost(Want want) const override {
    return want == Want::update ? this->self().rung.update_cost : this->self().rung.pass_cost;
  }

 protected:
  RungSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, int threads)
      : GridSweeper<T, D>(self, a, {}, self.rung.parallel ? threads : 1) {}
};

template <class T, int D>
class PlainSweeper final : public RungSweeper<T, D> {
 public:
  PlainSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Plan& plan, int threads)
      : RungSweeper<T, D>(self, a, threads),
        kernels_(plain_kernels<T, D>().rungs[static_cast<std::size_t>(self.rung.number)]) {
    this->w_.undivided = plan.method.divisor == Divisor::none;
  }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(this->w_, steps, want);
  }
  Norms do_norms(Want want) override { return kernels_.norms(this->w_, want); }

  OfRung<T, D> kernels_;
};

template <class T, int D>
Bytes bytes_of_lines(const Stencil<T, D>& a, const Plan&, int) {
  return {bytes_of_arrays(a)};
}

}  // namespace jacobi::sweep
