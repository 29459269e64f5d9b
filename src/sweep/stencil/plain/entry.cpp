#include "sweep/entries.hpp"
#include "sweep/stencil/plain/sweeper.hpp"

namespace jacobi::sweep {

namespace {

/// Of the rung at this place of the ladder.
template <class T, int D, int place>
Algorithm<T, D> plain_algorithm() {
  constexpr const Rung& rung = plain_rungs[place];
  return {rung.name,
          rung.idea,
          rung,
          suits_always<T, D>,
          bytes_of_lines<T, D>,
          [](const Stencil<T, D>& a, const Plan&, int threads) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<PlainSweeper<T, D>>(a, plain_rungs[place], threads);
          }};
}

}  // namespace

struct StencilPlain {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    all.push_back(plain_algorithm<T, D, 0>());
    all.push_back(plain_algorithm<T, D, 1>());
    all.push_back(plain_algorithm<T, D, 2>());
    all.push_back(plain_algorithm<T, D, 3>());
    all.push_back(plain_algorithm<T, D, 4>());
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilPlain)

}  // namespace jacobi::sweep
