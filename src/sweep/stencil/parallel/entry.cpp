#include "core/instantiate.hpp"
#include "sweep/stencil/parallel/sweeper.hpp"

namespace jacobi::sweep {

namespace {

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

}  // namespace

template <class T, int D>
void add_parallel(Algorithms<T, D>& all) {
  all.push_back(parallel_algorithm<T, D>());
}

#define JACOBI_INSTANTIATE(T, D) template void add_parallel<T, D>(Algorithms<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
