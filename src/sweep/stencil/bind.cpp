#include "sweep/stencil/bind.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/multigrid/bind.hpp"
#include "sweep/multigrid/coarsen.hpp"
#include "sweep/stencil/products/field.hpp"
#include "sweep/stencil/registry.hpp"

namespace jacobi::sweep {

namespace {

/// The cycle that preconditions.
template <class T, int D>
Plan cycle_of(const Stencil<T, D>& a, const Plan& plan) {
  Multigrid cycle = *plan.preconditioner();
  cycle.full = false;
  return multigrid(a, cycle);
}

/// The directions that cycles coarsen first, in turn; -1 where one cycle will do.
template <class T, int D>
std::vector<int> turns_or_none(const Stencil<T, D>& a) {
  const std::vector<int> turns = turns_of(a);
  return turns.empty() ? std::vector<int>{-1} : turns;
}

/// Of accelerated methods: vectors, 1 / diagonal, and weights of Neumann sides.
template <class T, int D>
double bytes_of_field(const Stencil<T, D>& a, const Plan& plan) {
  const auto has_neumann = [](const auto& sides) {
    return sides[0].kind == BoundaryKind::neumann || sides[1].kind == BoundaryKind::neumann;
  };
  const double more = vectors_of(plan) + !a.is_constant() + std::ranges::any_of(a.grid().sides, has_neumann);
  return bytes_of_arrays(a) + more * bytes_of_vector(a.grid());
}

/// Undivided are steps of weight omega where the diagonal varies, by algorithms that take any coefficients.
template <class T, int D>
void require_divisor(const Stencil<T, D>& a, const Plan& plan) {
  const bool takes_any = !a.is_constant() && !plan.multigrid() && !plan.tiling() && !plan.method.red_black &&
                         !accelerated(plan.method);
  if (plan.method.divisor != Divisor::diagonal && !(plan.method.divisor == Divisor::none && takes_any))
    throw UsageError(
        fmt::format("method {} is for sparse matrices: on a grid take weighted", plan.method.name));
}

}  // namespace

template <class T, int D>
double bytes_if_free(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (accelerated(plan.method) || plan.multigrid()) return 0;
  return select(a, plan, threads).bytes(a, plan, threads).spare;
}

template <class T, int D>
double bytes_of_cycles(const Stencil<T, D>& a, const Plan& plan, int threads) {
  const Plan cycle = cycle_of(a, plan);
  double bytes = 0;
  for (const int first : turns_or_none(a)) bytes += bytes_needed(a, cycle, threads, first);
  return bytes;
}

template <class T, int D>
std::unique_ptr<Preconditioning<T>> cycles_of(Field<T>& field, const Stencil<T, D>& a, const Plan& plan,
                                              int threads, bool singular, const AmongRanks* among) {
  const Plan cycle = cycle_of(a, plan);
  std::vector<std::unique_ptr<Sweeper<T>>> inner;
  for (const int first : turns_or_none(a))
    inner.push_back(bind_multigrid(a, cycle, threads, true, first, among));
  std::vector<Step> steps;
  for (Index n = 0; n < inner.front()->sweeps_per_cycle(); ++n) steps.push_back(cycle.method.step(n, {}));
  return std::make_unique<BySweeper<T>>(field, std::move(inner), std::move(steps), singular);
}

template <class T, int D>
double bytes_to_bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  if (plan.multigrid()) return bytes_needed(a, plan, threads);
  if (!accelerated(plan.method)) return select(a, plan, threads).bytes(a, plan, threads).all;
  const double bytes = bytes_of_field(a, plan);
  if (!plan.preconditioner()) return bytes;
  return bytes + bytes_of_cycles(a, plan, threads);
}

template <class T, int D>
std::unique_ptr<GridField<T, D>> bind_field(const Stencil<T, D>& a, const Plan& plan, int threads) {
  require_memory(bytes_to_bind(a, plan, threads), "the sweeps");
  const Algorithm<T, D>& by_lines = best_by_lines<T, D>();
  return std::make_unique<GridField<T, D>>(a, by_lines.make(by_lines, a, plan, threads));
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads) {
  require_divisor(a, plan);
  require_memory(3.0 * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");  // whatever the layout adds
  if (plan.multigrid()) return bind_multigrid(a, plan, threads);
  if (!accelerated(plan.method)) {
    const Algorithm<T, D>& algorithm = select(a, plan, threads);
    const Bytes bytes = algorithm.bytes(a, plan, threads);
    require_memory(bytes.all - bytes.spare, "the sweeps");
    return algorithm.make(algorithm, a, plan, threads);
  }
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  auto field = bind_field(a, plan, threads);
  if (plan.preconditioner()) {
    auto by = cycles_of(*field, a, plan, threads, a.singular());
    return accelerate<T>(std::move(field), plan.method, std::move(by));
  }
  return accelerate<T>(std::move(field), plan.method);
}

#define JACOBI_INSTANTIATE(T, D)                                                                             \
  template std::unique_ptr<Sweeper<T>> bind<T, D>(const Stencil<T, D>&, const Plan&, int);                   \
  template std::unique_ptr<GridField<T, D>> bind_field<T, D>(const Stencil<T, D>&, const Plan&, int);        \
  template double bytes_of_cycles<T, D>(const Stencil<T, D>&, const Plan&, int);                             \
  template std::unique_ptr<Preconditioning<T>> cycles_of<T, D>(Field<T>&, const Stencil<T, D>&, const Plan&, \
                                                               int, bool, const AmongRanks*);                \
  template double bytes_to_bind<T, D>(const Stencil<T, D>&, const Plan&, int);                               \
  template double bytes_if_free<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
