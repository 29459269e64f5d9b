#include "core/multigrid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi {

namespace {

constexpr Index most_smoothing = 64;
constexpr double usual_rate = 0.2;  // of a V(2,1) cycle of a Laplacian: published/poisson_counts.json

}  // namespace

void require_sensible(const Multigrid& cycle) {
  if (cycle.pre < 0 || cycle.pre > most_smoothing || cycle.post < 1 || cycle.post > most_smoothing)
    throw UsageError(fmt::format(
        "multigrid with {} sweeps before and {} after the correction: 0 to {} before, 1 to {} after",
        cycle.pre, cycle.post, most_smoothing, most_smoothing));
  if (cycle.visits < 1 || cycle.visits > 2)
    throw UsageError(
        fmt::format("multigrid with {} visits of a coarser grid: 1 is a V-cycle, 2 a W-cycle", cycle.visits));
}

std::vector<double> chebyshev_weights(Range spectrum, Index sweeps) {
  const auto [low, high] = spectrum;
  constexpr Index most = 1'000'000;
  if (!(low > 0 && low <= high && std::isfinite(high)) || sweeps < 1 || sweeps > most)
    throw UsageError(fmt::format(
        "{} Chebyshev weights for eigenvalues of D^-1 A from {:.6g} to {:.6g}: 1 to {} weights, and "
        "a positive and finite range",
        sweeps, low, high, most));
  std::vector<double> weights;
  for (Index j = 0; j < sweeps; ++j) {
    const double angle =
        std::numbers::pi * (2 * static_cast<double>(j) + 1) / (2 * static_cast<double>(sweeps));
    weights.push_back(2 / (high + low + (high - low) * std::cos(angle)));
  }
  return weights;
}

std::vector<double> fourth_kind_weights(double high, Index sweeps) {
  constexpr Index most = 1'000'000;
  if (!(high > 0 && std::isfinite(high)) || sweeps < 1 || sweeps > most)
    throw UsageError(fmt::format(
        "{} weights of the fourth kind for eigenvalues of D^-1 A up to {:.6g}: 1 to {} weights, and a "
        "positive and finite number",
        sweeps, high, most));
  const double angle = std::numbers::pi / (4 * static_cast<double>(sweeps) + 2);
  const double shift = std::tan(angle) * std::tan(angle);
  std::vector<double> weights;
  for (Index j = 0; j < sweeps; ++j) {
    const double cosine = std::cos((2 * static_cast<double>(j) + 1) * angle);
    weights.push_back(1 / (high * ((1 + shift) * cosine * cosine - shift)));
  }
  return weights;
}

template <class T, int D>
Plan multigrid(const Stencil<T, D>& a, Multigrid cycle) {
  require_sensible(cycle);
  const Index sweeps = cycle.pre + cycle.post;
  const bool alone = a.rows() == 1;  // which a plain sweep solves
  Plan plan{scheduled(alone ? std::vector<double>(static_cast<std::size_t>(sweeps), 1.0)
                            : chebyshev_weights({1.0 / D, 2}, sweeps))};
  plan.method.rate = a.is_constant() ? std::pow(usual_rate, 1 / static_cast<double>(sweeps)) : 0;
  plan.by = cycle;
  return plan;
}

Plan cg_with_multigrid(Multigrid cycle) {
  require_sensible(cycle);
  Plan plan{cg()};
  plan.by = PreconditionedBy{cycle};
  return plan;
}

#define JACOBI_INSTANTIATE(T, D) template Plan multigrid<T, D>(const Stencil<T, D>&, Multigrid);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
