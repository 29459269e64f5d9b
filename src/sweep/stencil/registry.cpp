#include "sweep/stencil/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "sweep/registry.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/layout/blocking.hpp"

namespace jacobi::sweep {

/// Each folder here with an entry.cpp; of one rung, those that suit least come first.
using GridFolders = Registry<struct StencilPlain,         // a sweep per pass
                             struct StencilBatch,         // many 1D problems
                             struct StencilStrips,        // 2D, dimension-lifted
                             struct StencilWavefront,     // 3D, in one array
                             struct StencilTiles,         // leaning ones
                             struct StencilHierarchical,  // overlapping ones
                             struct StencilRedBlack       // a colour per sweep
                             >;

namespace {

/// Throws: as select().
const char* rung_asked_for(const Plan& plan) {
  if (plan.method.red_black) return red_black_rung.name;
  if (plan.tiling()) return hierarchical_rung.name;
  return stencil_rung(plan.rung().empty() ? tiled_rung.name : plan.rung()).name;
}

}  // namespace

template <class T, int D>
const Algorithms<T, D>& algorithms() {
  return GridFolders::all<Algorithm<T, D>>();
}

template <class T, int D>
Costs costs_of(std::string_view algorithm, const Stencil<T, D>& a, bool weighted) {
  const Algorithms<T, D>& all = algorithms<T, D>();
  const auto one = std::ranges::find(all, algorithm, &Algorithm<T, D>::name);
  return one == all.end() ? costs_as_written(a, weighted) : one->costs(a, weighted);
}

template <class T, int D>
const Algorithm<T, D>& select(const Stencil<T, D>& a, const Plan& plan, int threads) {
  const std::string_view rung = rung_asked_for(plan);
  require_sensible(plan.blocking(), D);
  Suitable suitable;
  for (const Algorithm<T, D>& algorithm : algorithms<T, D>()) {
    if (algorithm.rung.name != rung) continue;
    suitable = algorithm.suits(a, plan, threads);
    if (suitable) return algorithm;
  }
  throw UsageError(suitable.why_not);
}

/// The last one below the rung of many sweeps per visit.
template <class T, int D>
const Algorithm<T, D>& best_by_lines() {
  const Algorithms<T, D>& all = algorithms<T, D>();
  const auto rank = [](const Algorithm<T, D>& one) {
    return one.rung.number < tiled_rung.number ? one.rung.number : -1;
  };
  return *std::ranges::max_element(all, {}, rank);
}

namespace {

/// In the order of the registry, whichever dimensions come first.
template <int D>
void list(std::vector<AlgorithmOnGrids>& to) {
  auto next = to.begin();
  for (const Algorithm<double, D>& one : algorithms<double, D>()) {
    const auto known = std::ranges::find(to, one.name, &AlgorithmOnGrids::name);
    next = known != to.end()
               ? known
               : to.insert(next, {std::string(one.name), std::string(one.summary), one.rung.name, {}});
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

#define JACOBI_INSTANTIATE(T, D)                                                        \
  template Costs costs_of<T, D>(std::string_view, const Stencil<T, D>&, bool);          \
  template const Algorithms<T, D>& algorithms<T, D>();                                  \
  template const Algorithm<T, D>& select<T, D>(const Stencil<T, D>&, const Plan&, int); \
  template const Algorithm<T, D>& best_by_lines<T, D>();
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep

namespace jacobi {

std::span<const Rung> stencil_rungs() {
  static const std::vector<Rung> rungs = [] {
    std::vector<Rung> all;
    const auto add = [&](const auto& algorithms) {
      for (const auto& one : algorithms)
        if (one.rung.number >= 0 && std::ranges::find(all, one.rung.number, &Rung::number) == all.end())
          all.push_back(one.rung);
    };
    add(sweep::algorithms<double, 1>());
    add(sweep::algorithms<double, 2>());
    add(sweep::algorithms<double, 3>());
    std::ranges::sort(all, {}, &Rung::number);
    return all;
  }();
  return rungs;
}

}  // namespace jacobi
