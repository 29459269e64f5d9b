/// Sweeps by the C++ parallel algorithms.
#pragma once
#include <memory>

#include "sweep/stencil/parallel/parallel.hpp"
#include "sweep/stencil/plain/sweeper.hpp"

namespace jacobi::sweep {

template <class T, int D>
class ParallelSweeper final : public RungSweeper<T, D> {
 public:
  static constexpr int number = 3;  ///< of the rung

  ParallelSweeper(const Stencil<T, D>& a, int threads)
      : RungSweeper<T, D>(a, stencil_rungs()[number], threads), kernels_(parallel_kernels<T, D>()) {}

  Norms advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(this->w_, arena_, steps, want);
  }
  Norms norms(Want want) override { return kernels_.norms(this->w_, arena_, want); }

 private:
  ParallelKernels<T, D> kernels_;
  std::shared_ptr<void> arena_;
};

}  // namespace jacobi::sweep
