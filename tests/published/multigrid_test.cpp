/// Error factors of V-cycles, asymptotic, as published/poisson_counts.json has them; alike on every grid.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "published.hpp"

namespace jacobi {
namespace {

/// Ratio of error 2-norms of the last of `cycles` cycles, of the error that x_0 = 0 has where b = 1.
double error_factor(Index interior, const Method& method, const Multigrid& cycle, int cycles) {
  const auto a = poisson<double, 2>({interior, interior});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  Solver<double>(a, multigrid(a), backend("serial")).solve(b, x, {.relative = 1e-12});
  Plan plan{method};
  plan.by = cycle;
  const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
  std::fill(b.begin(), b.end(), 0.0);  // the error itself is iterated: no rounding of a solution hides it
  sweeper->load(b, x);
  double before = 0, now = 0;
  std::vector<Step> steps;
  for (Index n = 0; n < cycle.pre + cycle.post; ++n) steps.push_back(method.step(n, {}));
  for (int c = 0; c < cycles; ++c) {
    sweeper->advance(steps, Want::nothing);
    sweeper->store(x);
    before = now;
    now = 0;
    for (const double value : x) now += value * value;
  }
  return std::sqrt(now / before);
}

TEST(PublishedMultigrid, CyclesHaveTheirErrorFactorsOnEveryGrid) {
  const auto table =
      nlohmann::json::parse(published::k_poisson_counts).at("v_cycle_error_ratio_2d_poisson_rhs_one");
  const Range rough{0.5, 2};
  struct Case {
    const char* name;
    Method method;
    Multigrid cycle;
  };
  const Case cases[] = {
      {"V(2,1) omega=0.8", weighted(0.8), {2, 1, 1, false}},
      {"V(2,1) Chebyshev-3 weights on [0.5,2]", scheduled(chebyshev_weights(rough, 3)), {2, 1, 1, false}},
      {"V(2,2) omega=0.8", weighted(0.8), {2, 2, 1, false}},
      {"V(2,2) Chebyshev-2", scheduled(chebyshev_weights(rough, 2)), {2, 2, 1, false}}};
  for (const Case& one : cases)
    for (const Index interior : {63, 127, 255})
      EXPECT_NEAR(error_factor(interior, one.method, one.cycle, 40), table.at(one.name).get<double>(), 0.005)
          << one.name << ", " << interior + 2 << " points";
}

}  // namespace
}  // namespace jacobi
