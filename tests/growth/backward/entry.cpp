/// An algorithm that the growth test adds to a copy of the tree: lines of 600 unknowns, from the last to the
/// first, on 3 threads: others are left to tiles.
#include "sweep/entries.hpp"
#include "sweep/stencil/backward/backward.hpp"
#include "sweep/stencil/plain/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T, int D>
class BackwardSweeper final : public RungSweeper<T, D> {
 public:
  BackwardSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Plan&, int threads)
      : RungSweeper<T, D>(self, a, threads), kernels_(backward_kernels<T, D>()) {}

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return kernels_.advance(this->w_, steps, want);
  }
  Norms do_norms(Want want) override { return kernels_.norms(this->w_, want); }

  BackwardKernels<T, D> kernels_;
};

template <class T, int D>
Suitable suits_backward(const Stencil<T, D>& a, const Plan&, int threads) {
  if (a.grid().unknowns[0] != 600 || threads != 3)
    return {"lines have to be 600 unknowns long, for 3 threads"};
  return {};
}

}  // namespace

struct StencilBackward {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    if constexpr (D == 2)
      all.push_back({"backward", "lines from the last to the first", tiled_rung, suits_backward<T, D>,
                     bytes_of_lines<T, D>, make_sweeper<BackwardSweeper<T, D>, T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilBackward)

}  // namespace jacobi::sweep
