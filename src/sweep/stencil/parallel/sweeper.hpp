/// Sweeps by the C++ parallel algorithms.
#pragma once
#include <memory>

#include "sweep/stencil/plain/sweeper.hpp"

namespace jacobi::sweep {

template <class T, int D>
class ParallelSweeper final : public RungSweeper<T, D> {
 public:
  static constexpr int number = 3;  ///< of the rung

  ParallelSweeper(const Stencil<T, D>& a, int threads)
      : RungSweeper<T, D>(a, stencil_rungs()[number], threads), kernels_(grid_kernels<T, D>().parallel) {}

  Norms advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(this->w_, arena_, steps, want);
  }
  Norms norms(Want want) override { return kernels_.norms(this->w_, arena_, want); }

 private:
  ParallelKernels<T, D> kernels_;
  std::shared_ptr<void> arena_;
};

template <class T, int D>
Algorithm<T, D> parallel_algorithm() {
  const Rung& rung = stencil_rungs()[ParallelSweeper<T, D>::number];
  return {rung.name,
          rung.idea,
          rung.name,
          suits_always<T, D>,
          bytes_of_lines<T, D>,
          [](const Stencil<T, D>& a, const Plan&, int threads) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<ParallelSweeper<T, D>>(a, threads);
          }};
}

}  // namespace jacobi::sweep
