#include "sweep/stencil/bind.hpp"

#include <fmt/format.h>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/multigrid/bind.hpp"
#include "sweep/stencil/field.hpp"
#include "sweep/stencil/in_place.hpp"
#include "sweep/stencil/red_black.hpp"
#include "sweep/stencil/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T, int D>
Index arrays_needed(const Stencil<T, D>& a) {
  return 3 + (a.is_constant() ? 0 : 2 * D + 1);
}

template <class T, int D>
double bytes_of_tiles(const Stencil<T, D>& a, const Plan& plan, int threads) {
  const auto levels = levels_of(plan, a.grid());
  const Kind kind = a.is_constant() ? Kind::constant : Kind::variable;
  return static_cast<double>(tile_memory<D>(levels, kind)) * threads * sizeof(T);
}

}  // namespace

template <class T, int D>
double bytes_needed(const Stencil<T, D>& a) {
  return bytes_of_vector(a) * static_cast<double>(arrays_needed(a));
}

template <class T, int D>
double bytes_in_place(const Stencil<T, D>& a, const Plan& plan) {
  const int rung = chosen_rung(plan).number;
  if (accelerated(plan.method) || plan.multigrid || plan.method.red_black ||
      !rung_functions<T, D>(rung).in_place)
    return 0;
  return 3 * (bytes_of_vector(a, levels_in_place(a, plan)) - bytes_of_vector(a));
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (plan.method.divisor != Divisor::diagonal)
    throw UsageError(
        fmt::format("method {} is for sparse matrices: on a grid take weighted", plan.method.name));
  require_memory(3.0 * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");  // whatever the layout adds
  if (plan.multigrid) return bind_multigrid(a, plan, threads);
  if (plan.method.red_black) {
    require_red_black(a, plan);
    require_memory(bytes_of_vector(a) * static_cast<double>(arrays_needed(a) - 1), "the sweeps");
    return std::make_unique<RedBlackSweeper<T, D>>(a, plan, threads);
  }
  const double vectors = vectors_of(plan) * bytes_of_vector(a);
  require_memory(bytes_needed(a) + vectors + bytes_of_tiles(a, plan, threads), "the sweeps");
  if (!accelerated(plan.method)) return std::make_unique<StencilSweeper<T, D>>(a, plan, threads);
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  if (plan.preconditioner) {
    Plan cycle = multigrid(a, *plan.preconditioner);
    cycle.multigrid->full = false;
    auto inner = bind_multigrid(a, cycle, threads, true);
    std::vector<Step> steps;
    for (Index n = 0; n < inner->sweeps_per_cycle(); ++n) steps.push_back(cycle.method.step(n, {}));
    return accelerate<T>(std::make_unique<GridField<T, D>>(a, threads), std::move(inner), std::move(steps),
                         a.singular());
  }
  return accelerate<T>(std::make_unique<GridField<T, D>>(a, threads), plan.method);
}

#define JACOBI_INSTANTIATE(T, D)                                                           \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, int); \
  template double bytes_needed<T, D>(const Stencil<T, D>&);                                \
  template double bytes_in_place<T, D>(const Stencil<T, D>&, const Plan&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
