#include "sweep/stencil/registry.hpp"

#include <fmt/format.h>

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "sweep/stencil/batch/sweeper.hpp"
#include "sweep/stencil/hierarchical/sweeper.hpp"
#include "sweep/stencil/plain/sweeper.hpp"
#include "sweep/stencil/red_black/sweeper.hpp"
#include "sweep/stencil/strips/sweeper.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"
#include "sweep/stencil/wavefront/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T, int D>
std::vector<Algorithm<T, D>> all_algorithms() {
  std::vector<Algorithm<T, D>> all;
  all.push_back(plain_algorithm<T, D, 0>());
  all.push_back(plain_algorithm<T, D, 1>());
  all.push_back(plain_algorithm<T, D, 2>());
  all.push_back(plain_algorithm<T, D, 3>());
  all.push_back(plain_algorithm<T, D, 4>());
  if constexpr (D == 2) all.push_back(batch_algorithm<T>());
  if constexpr (D == 2) all.push_back(strips_algorithm<T>());
  if constexpr (D == 3) all.push_back(wavefront_algorithm<T>());
  all.push_back(tiles_algorithm<T, D>());
  all.push_back(hierarchical_algorithm<T, D>());
  all.push_back(red_black_algorithm<T, D>());
  return all;
}

/// Throws: as choose().
const char* rung_asked_for(const Plan& plan) {
  if (plan.method.red_black) return red_black_rung;
  if (!plan.tilings.empty()) return hierarchical_rung;
  const Rung& rung = stencil_rung(plan.rung.empty() ? tiled_rung : plan.rung);
  if (!rung.compiled)
    throw BackendError(
        fmt::format("rung '{}' is not in this build: it needs OpenMP (-DJACOBI_OPENMP=ON)", rung.name));
  return rung.name;
}

}  // namespace

template <class T, int D>
const std::vector<Algorithm<T, D>>& algorithms() {
  static const std::vector<Algorithm<T, D>> all = all_algorithms<T, D>();
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

#define JACOBI_INSTANTIATE(T, D)                                   \
  template const std::vector<Algorithm<T, D>>& algorithms<T, D>(); \
  template const Algorithm<T, D>& choose<T, D>(const Stencil<T, D>&, const Plan&, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
