/// Methods are generators of steps, and the loop knows nothing else of them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

/// Chebyshev's three-term recurrence for a spectrum of D^-1 R in [-s, s]. Source: Golub and Varga (1961).
Method chebyshev_of_this_test(double s) {
  return {"chebyshev (of this test)", [s](Index n, const Step& before) {
            if (n == 0) return Step{1, 1};
            return Step{1, n == 1 ? 1 / (1 - s * s / 2) : 1 / (1 - s * s * before.rho / 4)};
          }};
}

TEST(Method, PlainAndWeightedGiveConstantSteps) {
  for (const Index n : {0, 1, 1000}) {
    EXPECT_EQ(plain().step(n, Step{5, 5}).omega, 1);
    EXPECT_EQ(plain().step(n, Step{5, 5}).rho, 1);
    EXPECT_EQ(weighted(0.75).step(n, Step{5, 5}).omega, 0.75);
    EXPECT_EQ(weighted(0.75).step(n, Step{5, 5}).rho, 1);
  }
  EXPECT_EQ(plain().name, "plain");
  EXPECT_EQ(weighted(0.75).name, "weighted");
}

TEST(Method, WeightedRefusesOmegaOutsideItsInterval) {
  for (const double omega : {0.0, -0.0, -1.0, 2.0, 3.0, std::nan(""), HUGE_VAL})
    EXPECT_THROW(weighted(omega), UsageError) << omega;
  EXPECT_NO_THROW(weighted(1e-3));
  EXPECT_NO_THROW(weighted(1.999));
}

TEST(Method, AThreeTermMethodOfTheCallersRunsThroughTheLoop) {
  const double h = 1.0 / 129;  // 130 points per side
  const auto a = poisson<double, 2>({128, 128});
  std::vector<double> b(a.rows(), 1.0), fast(b.size()), slow(b.size());
  const Stop stop{.relative = 1e-8, .check_every = 10};
  const Report r =
      Solver<double>(a, chebyshev_of_this_test(std::cos(std::numbers::pi * h)), backend("serial"))
          .solve(b, fast, stop);
  ASSERT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.method, "chebyshev (of this test)");
  EXPECT_LT(r.sweeps, 1200);
  EXPECT_GT(r.sweeps, 500);
  EXPECT_LE(a.residual_norms(b, fast).l2, r.tolerance * (1 + 1e-12));
  Stop twenty_times = stop;
  twenty_times.max_sweeps = 20 * r.sweeps;
  EXPECT_EQ(Solver<double>(a, plain(), backend("serial")).solve(b, slow, twenty_times).status,
            Status::sweep_limit);
}

TEST(Method, TheThreeTermStepIsTheFormulaOfTheDocumentation) {
  const Index n = 9;
  const auto a = tridiagonal<double>(n, -1, 3, -1.5);
  std::vector<double> b(n), x(n), ours(n);
  for (Index i = 0; i < n; ++i) {
    const double t = static_cast<double>(i);
    b[i] = 1 + t;
    x[i] = ours[i] = 0.5 * t * t;
  }
  const std::vector<Step> steps{{0.9, 1}, {0.8, 1.3}, {1.1, 0.7}, {1, 1}, {0.5, 1.6}};
  std::vector<double> before(n);
  for (const Step& step : steps) {
    const auto old = x;
    for (Index i = 0; i < n; ++i) {
      const double west = i > 0 ? old[i - 1] : 0, east = i + 1 < n ? old[i + 1] : 0;
      const double weighted_value = old[i] + step.omega * (b[i] + west + 1.5 * east - 3 * old[i]) / 3;
      x[i] = step.rho == 1 ? weighted_value : before[i] + step.rho * (weighted_value - before[i]);
    }
    before = old;
  }
  for (const Rung& rung : stencil_rungs()) {
    if (!rung.compiled) continue;
    const auto sweeper = backend("threads:2")->bind(Operator<double>(a), Plan(plain(), rung.name));
    sweeper->load(b, ours);
    sweeper->advance(steps, Want::nothing);
    std::vector<double> result(n);
    sweeper->store(result);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(result[i], x[i], 1e-12 * (1 + std::abs(x[i]))) << rung.name;
    EXPECT_EQ(sweeper->executed().sweeps, 5);
    EXPECT_EQ(sweeper->executed().rung, rung.name);
  }
}

TEST(Method, StepsAreAskedForInOrderAndWithTheOneBefore) {
  std::vector<double> b(50, 1.0), x(50);
  Index next = 0;
  double last = 0;
  const Method counting{"counting", [&](Index n, const Step& before) {
                          EXPECT_EQ(n, next++);
                          if (n > 0) {
                            EXPECT_EQ(before.omega, last);
                          }
                          last = 0.5 + 0.4 * std::sin(static_cast<double>(n));
                          return Step{last, 1};
                        }};
  Solver<double>(tridiagonal<double>(50, -1, 2, -1), counting)
      .solve(b, x, {.relative = 0, .max_sweeps = 777, .check_every = 100});
  EXPECT_EQ(next, 777);
}

}  // namespace
}  // namespace jacobi
