#include "jacobi/advise_tiling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/clock.hpp"
#include "core/executed.hpp"
#include "core/instantiate.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

/// Tiles tried: small enough for L1 or L2 with g and both iterates, k around half the width and below.
template <int D>
std::vector<Tiling> tilings_to_try(const std::array<Index, D>& unknowns) {
  std::vector<Tiling> list;
  for (const Index width : D == 1   ? std::vector<Index>{64, 256, 1024}
                           : D == 2 ? std::vector<Index>{32, 64, 128}
                                    : std::vector<Index>{16, 32})
    for (const Index k : {4, 8, 16})
      for (const Index overlap : {Index(0), Index(2), k - 1}) {
        if (2 * overlap >= width / 2 || (overlap != k - 1 && k == 4 && overlap == 2)) continue;
        Tiling t{{1, 1, 1}, k, {}};
        for (int d = 0; d < D; ++d) {
          t.extent[d] = std::min(width, unknowns[d]);
          t.overlap[d] = t.extent[d] > 2 * overlap ? overlap : 0;
        }
        list.push_back(t);
      }
  return list;
}

template <class T>
double mean(std::span<const T> values) {
  double sum = 0;
  for (const T value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

/// A box with the operator's mean coefficients that so many tiles cover, and its slowest mode.
template <int D>
struct SmallInstance {
  Stencil<double, D> a;
  std::vector<double> mode;

  template <class T>
  static SmallInstance of(const Stencil<T, D>& original) {
    constexpr Index most = D == 1 ? 4096 : D == 2 ? 320 : 64;
    std::array<Index, D> n = original.grid().unknowns;
    for (Index& size : n) size = std::min(size, most);
    std::array<double, 2 * D> off;
    for (int k = 0; k < 2 * D; ++k) off[k] = mean(original.off(k));
    SmallInstance small{Stencil<double, D>::constant(unit_grid<double, D>(n), mean(original.center()), off),
                        {}};
    for (Index p = 0; p < small.a.rows(); ++p) {
      double value = 1;
      Index rest = p;
      for (int d = 0; d < D; ++d, rest /= n[d - 1])
        value *=
            std::sin(std::numbers::pi * static_cast<double>(rest % n[d] + 1) / static_cast<double>(n[d] + 1));
      small.mode.push_back(value);
    }
    return small;
  }
};

double size_of(const Sweeper<double>& sweeper, std::vector<double>& x) {
  sweeper.store(x);
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

/// What a plan does to the slowest mode.
struct Measured {
  double decay = 0;    ///< -ln of the contraction per sweep
  double seconds = 0;  ///< per sweep and unknown
  Executed ran;
  double bytes = 0;
};

/// The first sweeps let the errors at the tiles' edges find their steady shape.
template <int D>
Measured measure(const SmallInstance<D>& small, const Plan& plan, const Backend& on) {
  const auto sweeper = on.bind(Operator<double>(small.a), plan);
  const std::vector<double> zero(small.mode.size());
  std::vector<double> x(small.mode.size());
  sweeper->load(zero, small.mode);
  const Index k = std::max<Index>(16, sweeper->sweeps_per_cycle());
  std::vector<Step> steps;
  for (Index j = 0; j < k; ++j) steps.push_back(plan.method.step(j, steps.empty() ? Step{} : steps.back()));
  Measured m;
  for (int warm = 0; warm < 3; ++warm) sweeper->advance(steps, Want::nothing);
  const double before = size_of(*sweeper, x);
  double best = std::numeric_limits<double>::infinity();
  constexpr int runs = 4;
  for (int run = 0; run < runs; ++run) {
    const auto begin = Clock::now();
    sweeper->advance(steps, Want::nothing);
    best = std::min(best, seconds_since(begin));
  }
  m.decay = -std::log(size_of(*sweeper, x) / before) / static_cast<double>(runs * k);
  m.seconds = best / static_cast<double>(k) / static_cast<double>(small.a.rows());
  m.ran = sweeper->executed();
  m.bytes = sweeper->bytes_per_update();
  return m;
}

template <int D>
std::string sizes(const Index* values) {
  return fmt::format("{}", fmt::join(values, values + D, "x"));
}

}  // namespace

template <class T, int D>
TilingAdvice advise_tiling(const Stencil<T, D>& a, const Method& method, const Backend& on,
                           double bytes_per_second) {
  const auto small = SmallInstance<D>::of(a);
  TilingAdvice advice;
  const Measured tiled = measure(small, {method, "tiled"}, on);
  advice.tiled_cost = tiled.seconds + tiled.bytes / bytes_per_second;
  for (const Tiling& tiling : tilings_to_try<D>(a.grid().unknowns)) {
    Plan plan{method};
    plan.tiling = tiling;
    const Measured m = measure(small, plan, on);
    TilingCost cost{tiling, tiling.exact(1, a.grid().unknowns), m.ran.redundant_work, m.bytes, 1, m.seconds,
                    0};
    if (!cost.exact) cost.worth = std::clamp(m.decay / tiled.decay, 1e-3, 2.0);
    cost.cost = (cost.seconds_per_update + cost.bytes_per_update / bytes_per_second) / cost.worth;
    advice.tried.push_back(cost);
  }
  const TilingCost& best =
      *std::min_element(advice.tried.begin(), advice.tried.end(),
                        [](const TilingCost& one, const TilingCost& other) { return one.cost < other.cost; });
  const std::string what = fmt::format(
      "of {} tilings tried on {} unknowns, tile {} with {} subiterations and overlap {} is best ({:.2g} ns "
      "per unknown "
      "and plain sweep's worth: {:.0f} % redundant work, a sweep in it is worth {:.2f} plain ones)",
      advice.tried.size(), small.a.rows(), sizes<D>(best.tiling.extent), best.tiling.subiterations,
      sizes<D>(best.tiling.overlap), 1e9 * best.cost, 100 * best.redundant_work, best.worth);
  if (best.cost < advice.tiled_cost) advice.tiling = best.tiling;
  advice.why = fmt::format("{}; rung tiled needs {:.2g} ns{}", what, 1e9 * advice.tiled_cost,
                           advice.tiling ? "" : " for exact sweeps, and is taken");
  return advice;
}

#define JACOBI_INSTANTIATE(T, D) \
  template TilingAdvice advise_tiling<T, D>(const Stencil<T, D>&, const Method&, const Backend&, double);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
