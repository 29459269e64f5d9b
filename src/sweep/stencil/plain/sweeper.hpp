/// Sweeps line after line, one at a time.
#pragma once
#include "sweep/rungs.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/plain/plain.hpp"

namespace jacobi::sweep {

/// Number 3, C++ parallel algorithms, needs oneTBB: apps/bench has it.
inline constexpr std::array<Rung, 5> plain_rungs = {{
    {0, "textbook", "sweep, norm and copy every time", false, true, 7, 0.0, 1.0},
    {1, "no-copy", "the two arrays change roles", false, true, 3, 1.0, 1.0},
    {2, "fused", "update norm inside the sweep", false, true, 3, 0.5, 1.0},
    {4, "simd", "vectors by hand, one thread", false, true, 3, 0.3, 1.0},
    {5, "threads", "rung 4 on blocks of lines", true, true, 3, 0.3, 1.0},
}};

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
        kernels_(plain_kernels<T, D>().rungs[static_cast<std::size_t>(rung.number)]) {}

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
