#include "backend/cuda/cycle_plan.hpp"

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/hierarchical/hierarchy.hpp"

namespace jacobi::cuda {

template <class T, int D>
CyclePlan plan_cycles(const Stencil<T, D>& a, const Plan& plan, sweep::Kind kind) {
  const auto levels = sweep::levels_of<T, D>(plan, a.grid());
  if (levels.size() > 1)
    throw UsageError(
        "backend 'cuda' takes one tiling, whose tiles lie in shared memory: leave the inner one out");
  return {levels.front().tiling,
          sweep::arrays_of_tile<D>(kind),
          sweep::is_exact<D>(levels, kind),
          sweep::levels_in_words<D>(levels, kind),
          sweep::redundant_work<D>(levels),
          sweep::words_per_cycle<D>(levels.front(), kind)};
}

#define JACOBI_INSTANTIATE(T, D) \
  template CyclePlan plan_cycles<T, D>(const Stencil<T, D>&, const Plan&, sweep::Kind);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
