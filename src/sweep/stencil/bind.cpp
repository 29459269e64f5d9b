#include "sweep/stencil/bind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/multigrid/bind.hpp"
#include "sweep/stencil/products/field.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"
#include "sweep/stencil/red_black/sweeper.hpp"
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

/// The cycle that preconditions.
template <class T, int D>
Plan cycle_of(const Stencil<T, D>& a, const Plan& plan) {
  Plan cycle = multigrid(a, *plan.preconditioner);
  cycle.multigrid->full = false;
  return cycle;
}

/// Of rung tiled.
template <class T, int D>
Index pieces_of(const Stencil<T, D>& a, const Plan& plan) {
  const Index width = choose_tile(a.grid(), plan.blocking, plan.method.red_black).size[0];
  return a.rows() / a.grid().unknowns[0] * ((a.grid().unknowns[0] + width - 1) / width);
}

}  // namespace

template <class T, int D>
double bytes_if_free(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (accelerated(plan.method) || plan.multigrid || plan.method.red_black) return 0;
  const Rung& rung = chosen_rung(plan);
  const RungFunctions<T, D> run = rung_functions<T, D>(rung.number);
  if (run.in_place && levels_in_place(a, plan) > 0)
    return 3 * (bytes_of_vector(a, levels_in_place(a, plan)) - bytes_of_vector(a));
  return bytes_of_strips(a, plan, run.riser, rung.parallel ? threads : 1);
}

template <class T, int D>
double bytes_to_bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (plan.multigrid) return bytes_needed(a, plan, threads);
  double arrays = static_cast<double>(arrays_needed(a)) - plan.method.red_black + vectors_of(plan), bytes = 0;
  if (accelerated(plan.method)) {  // 1 / diagonal, and weights of Neumann sides
    const auto has_neumann = [](const auto& sides) {
      return sides[0].kind == BoundaryKind::neumann || sides[1].kind == BoundaryKind::neumann;
    };
    arrays += !a.is_constant() + std::ranges::any_of(a.grid().sides, has_neumann);
  }
  if (plan.preconditioner) bytes += bytes_needed(a, cycle_of(a, plan), threads);
  const bool tiled = !accelerated(plan.method) && plan.tilings.empty() && chosen_rung(plan).number == 6;
  return bytes + arrays * bytes_of_vector(a, 0, plan.method.red_black) + bytes_of_tiles(a, plan, threads) +
         bytes_if_free(a, plan, threads) +
         (tiled ? static_cast<double>(pieces_of(a, plan)) * (sizeof(Piece<D>) + sizeof(Partial)) : 0);
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (plan.method.divisor != Divisor::diagonal)
    throw UsageError(
        fmt::format("method {} is for sparse matrices: on a grid take weighted", plan.method.name));
  require_memory(3.0 * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");  // whatever the layout adds
  if (plan.multigrid) return bind_multigrid(a, plan, threads);
  if (plan.method.red_black) require_red_black(a, plan);
  require_memory(bytes_to_bind(a, plan, threads) - bytes_if_free(a, plan, threads), "the sweeps");
  if (plan.method.red_black) return std::make_unique<RedBlackSweeper<T, D>>(a, plan, threads);
  if (!accelerated(plan.method)) return std::make_unique<StencilSweeper<T, D>>(a, plan, threads);
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  if (plan.preconditioner) {
    const Plan cycle = cycle_of(a, plan);
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
  template double bytes_to_bind<T, D>(const Stencil<T, D>&, const Plan&, int);             \
  template double bytes_if_free<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
