#include "sweep/entries.hpp"
#include "sweep/stencil/plain/sweeper.hpp"

namespace jacobi::sweep {

namespace {

/// Number 3, C++ parallel algorithms, needs oneTBB: apps/bench has it.
constexpr Rung plain_rungs[] = {
    {0, "textbook", "sweep, norm and copy every time", false, true, 7, 0.0, 1.0},
    {1, "no-copy", "the two arrays change roles", false, true, 3, 1.0, 1.0},
    {2, "fused", "update norm inside the sweep", false, true, 3, 0.5, 1.0},
    {4, "simd", "vectors by hand, one thread", false, true, 3, 0.3, 1.0},
    {5, "threads", "rung simd on bands of lines", true, true, 3, 0.3, 1.0},
};

}  // namespace

struct StencilPlain {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    const auto with_norm_and_copy = [](const Stencil<T, D>& a, bool weighted) {
      Costs costs = costs_as_written(a, weighted);
      costs.loads += 3;
      return costs;
    };
    for (const Rung& rung : plain_rungs)
      all.push_back({rung.name, rung.idea, rung, suits_always<T, D>, bytes_of_lines<T, D>,
                     make_sweeper<PlainSweeper<T, D>, T, D>,
                     rung.number == 0 ? +with_norm_and_copy : costs_as_written<T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilPlain)

}  // namespace jacobi::sweep
