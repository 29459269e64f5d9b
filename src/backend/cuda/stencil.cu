#include "backend/cuda/stencil.hpp"

#include "backend/cuda/multigrid.hpp"
#include "backend/cuda/rungs.hpp"
#include "backend/cuda/sweeper.hpp"
#include "backend/device/plan.hpp"
#include "core/instantiate.hpp"

namespace jacobi::cuda {

void require_sweeps(const Plan& plan) { device::require_sweeps(plan, "cuda"); }

template <class T, int D>
StencilSweeper<T, D>::StencilSweeper(const Stencil<T, D>& a, const Plan& plan, int device)
    : GridSweeper<T, D>(a, device, !is_three_term(plan.method), block_of<T, D>(plan)),
      rung_(rung_for(grid_, plan)),
      many_(rung_.many.get()) {
  if (!many_) ran_.blocking = grid_.block_in_words();
  if (!rung_.is_classic) return;
  with_kind<D>(grid_.kind, [&](auto k) {
    const Launch how = grid_.sweep();
    const Index threads = resident(this->stream_, how, classic_kernel<k()>(grid_)) * how.threads.count();
    ran_.occupancy = static_cast<double>(threads) / properties_of(device).threads_of_multiprocessor;
  });
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int device) {
  if (plan.multigrid()) return bind_multigrid(a, plan, device);
  device::require_sweeps_of_grid(plan, "cuda");
  if (plan.tiling()) return bind_cycles(a, plan, device);
  return std::make_unique<StencilSweeper<T, D>>(a, plan, device);
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cuda
