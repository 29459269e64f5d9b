#include "sweep/stencil/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/layout/blocking.hpp"

namespace jacobi::sweep {

/// Each folder here with an entry.cpp, which adds its algorithms; of one rung, those that suit least come
/// first.
#define JACOBI_FOR_EACH_ALGORITHM(FOLDER) \
  FOLDER(plain)                           \
  FOLDER(batch)                           \
  FOLDER(strips)                          \
  FOLDER(wavefront)                       \
  FOLDER(tiles)                           \
  FOLDER(hierarchical)                    \
  FOLDER(red_black)

#define JACOBI_DECLARE(folder) \
  template <class T, int D>    \
  void add_##folder(Algorithms<T, D>& all);
JACOBI_FOR_EACH_ALGORITHM(JACOBI_DECLARE)
#undef JACOBI_DECLARE

namespace {

template <class T, int D>
Algorithms<T, D> all_algorithms() {
  Algorithms<T, D> all;
#define JACOBI_ADD(folder) add_##folder<T, D>(all);
  JACOBI_FOR_EACH_ALGORITHM(JACOBI_ADD)
#undef JACOBI_ADD
  return all;
}

/// Throws: as choose().
const char* rung_asked_for(const Plan& plan) {
  if (plan.method.red_black) return red_black_rung;
  if (plan.tiling) return hierarchical_rung;
  const Rung& rung = stencil_rung(plan.rung.empty() ? tiled_rung : plan.rung);
  if (!rung.compiled)
    throw BackendError(
        fmt::format("rung '{}' is not in this build: it needs OpenMP (-DJACOBI_OPENMP=ON)", rung.name));
  return rung.name;
}

}  // namespace

template <class T, int D>
const Algorithms<T, D>& algorithms() {
  static const Algorithms<T, D> all = all_algorithms<T, D>();
  return all;
}

template <class T, int D>
const Algorithm<T, D>& choose(const Stencil<T, D>& a, const Plan& plan, int threads) {
  const std::string_view rung = rung_asked_for(plan);
  require_sensible(plan.blocking, D);
  Suitable suitable;
  for (const Algorithm<T, D>& algorithm : algorithms<T, D>()) {
    if (algorithm.rung != rung) continue;
    suitable = algorithm.suits(a, plan, threads);
    if (suitable) return algorithm;
  }
  throw UsageError(suitable.why_not);
}

namespace {

/// In the order of the registry, whichever dimensions come first.
template <int D>
void list(std::vector<AlgorithmOnGrids>& to) {
  auto next = to.begin();
  for (const Algorithm<double, D>& one : algorithms<double, D>()) {
    const auto known = std::ranges::find(to, one.name, &AlgorithmOnGrids::name);
    next =
        known != to.end()
            ? known
            : to.insert(next, {std::string(one.name), std::string(one.summary), std::string(one.rung), {}});
    next++->dimensions.push_back(D);
  }
}

}  // namespace

std::vector<AlgorithmOnGrids> algorithms_on_grids() {
  std::vector<AlgorithmOnGrids> all;
  list<1>(all);
  list<2>(all);
  list<3>(all);
  return all;
}

#define JACOBI_INSTANTIATE(T, D)                       \
  template const Algorithms<T, D>& algorithms<T, D>(); \
  template const Algorithm<T, D>& choose<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
