/// Methods are generators of steps, and the loop knows nothing else of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"

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

TEST(Method, OfTheCallersNeedsStepsAndAPeriod) {
  const Csr<double> a = Csr<double>::own<std::int32_t>({0, 1}, {0}, {2});
  Plan plan;
  plan.method.step = nullptr;
  EXPECT_THROW(Solver<double>(a, plan), UsageError);
  plan.method = cg();
  plan.method.step = nullptr;  // which is not asked
  std::vector<double> b{1}, x{0};
  EXPECT_TRUE(Solver<double>(a, plan).solve(b, x).converged());
  for (const AndersonOptions& wrong : {AndersonOptions{0, 2, 0.5}, {10, 0, 0.5}, {10, 2, 3}}) {
    plan.method = anderson();
    plan.method.anderson = wrong;
    EXPECT_THROW(Solver<double>(a, plan), UsageError);
  }
  EXPECT_THROW(Solver<double>(a, Plan(plain()), nullptr), UsageError);
  plan.method = plain();
  plan.method.period = 0;
  EXPECT_THROW(Solver<double>(a, plan), UsageError);
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

TEST(Method, ChebyshevAndSchedulesRefuseWhatTheyCannotUse) {
  for (const Range wrong :
       {Range{0, 2}, Range{-1, 2}, Range{2, 1}, Range{1, HUGE_VAL}, Range{std::nan(""), 2}}) {
    EXPECT_THROW(chebyshev(wrong), UsageError);
    EXPECT_THROW(scheduled(wrong, 4), UsageError);
  }
  for (const Index period : {0, 3, 4096}) EXPECT_THROW(scheduled(Range{0.1, 1.9}, period), UsageError);
  EXPECT_THROW(scheduled(std::vector<double>{}), UsageError);
  EXPECT_THROW(scheduled({1, 0}), UsageError);
}

TEST(Method, ChebyshevForOnePointIsOneSweep) {
  const Method m = chebyshev({2, 2});
  EXPECT_EQ(m.step(0, {}).omega, 0.5);
  EXPECT_EQ(m.step(1, m.step(0, {})).rho, 1);
}

/// A period does the same in any order but for what grows on the way: in the natural one, all large weights
/// one after the other, that is more than a double can hold the difference of.
TEST(Method, SchedulesInNaturalOrderDrownInRounding) {
  const auto a = poisson<double, 2>({62, 62});
  const Method good = scheduled(bounds(a), 64);
  std::vector<double> omegas;
  for (Index n = 0; n < 64; ++n) omegas.push_back(good.step(n, {}).omega);
  std::sort(omegas.begin(), omegas.end());
  const Method natural = scheduled(omegas);
  EXPECT_LT(good.growth, 1e4);
  EXPECT_GT(natural.growth, 1e20);
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  const auto solve = [&](const Method& method) {
    std::vector<double> x(b.size());
    return Solver<double>(a, method, backend("serial")).solve(b, x, {.relative = 1e-6, .max_sweeps = 2560});
  };
  const Report with_order = solve(good);
  EXPECT_TRUE(with_order.converged());
  EXPECT_EQ(with_order.sweeps % 64, 0);
  EXPECT_FALSE(solve(natural).converged());
  std::reverse(omegas.begin(), omegas.end());  // now iterates grow first, and errors of rounding with them
  const Method reversed = scheduled(omegas);
  EXPECT_GT(reversed.growth, 1e20);
  std::vector<double> x(b.size());
  const Report r = Solver<double>(a, reversed, backend("serial")).solve(b, x, {.relative = 1e-6});
  EXPECT_EQ(r.status, Status::stagnated);
  EXPECT_LT(r.sweeps, 100'000);
  EXPECT_NE(r.notes.at(0).text.find("64 weights lets rounding errors grow"), std::string::npos)
      << r.notes[0].text;
}

TEST(Method, SchedulesStandAtAFloorOfTheirOwn) {
  const auto a = poisson<double, 2>({62, 62});
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> x(b.size());
  const Report r = Solver<double>(a, scheduled(bounds(a), 1024)).solve(b, x, {.relative = 1e-13});
  EXPECT_EQ(r.status, Status::stagnated);
  EXPECT_LT(r.sweeps, 100'000);
  EXPECT_LT(r.norm_final, 1e-6 * r.norm_initial);
}

TEST(Method, ChebyshevSolvesWhereCoefficientsJump) {
  std::vector<double> k(40 * 40, 1.0);  // at all points, boundary included
  for (std::size_t p = 0; p < k.size(); ++p)
    if (p % 40 > 20) k[p] = 1e3;
  const auto a = diffusion<double, 2>(poisson<double, 2>({38, 38}).grid(), std::span<const double>(k));
  std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x(b.size()), y(b.size());
  const Report fast = Solver<double>(a, chebyshev(bounds(a))).solve(b, x, {.relative = 1e-8});
  const Report slow = Solver<double>(a, plain()).solve(b, y, {.relative = 1e-8});
  ASSERT_TRUE(fast.converged() && slow.converged());
  EXPECT_LT(5 * fast.sweeps, slow.sweeps);
}

}  // namespace
}  // namespace jacobi
