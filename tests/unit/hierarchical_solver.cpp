/// Cycles inside a solve: cadence, limits, reports; and as a smoother.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/executed.hpp"
#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

Plan in_cycles(const Tiling& tiling, Method method = plain()) {
  Plan plan{std::move(method)};
  plan.by = tiling;
  return plan;
}

const Tiling inexact{{16, 16, 1}, 8, {1, 1, 0}};

TEST(HierarchicalSolve, ChecksEveryCycleAndStopsAtTheFirstThatSatisfiesTheTest) {
  const auto a = poisson<double, 2>({50, 40});
  const std::vector<double> b(2000, 1.0);
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
    Stop stop{.relative = 1e-6, .norm = norm, .check_every = 1};
    std::vector<double> x(2000), y(2000);
    Solver<double> solver(a, in_cycles(inexact));
    const Report r = solver.solve(b, x, stop);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_EQ(r.sweeps, 8 * r.cycles.value());
    EXPECT_EQ(r.checks, r.cycles.value());
    EXPECT_EQ(r.rung, "hierarchical");
    EXPECT_NEAR(*r.redundant_work, 56.0 * 44 / (50 * 40) - 1, 1e-12);
    stop.max_sweeps = r.sweeps - 8;
    EXPECT_EQ(solver.solve(b, y, stop).status, Status::sweep_limit) << "a cycle earlier it had not converged";
  }
}

/// Inside a tile sweeps converge while its ghosts stand still: that says nothing of the solution.
TEST(HierarchicalSolve, UpdatesInsideATileDoNotEndIt) {
  const auto a = poisson<double, 2>({20, 20});
  const std::vector<double> b(400, 1.0);
  const double reference = a.rhs_norms(b, true).l2;
  for (const Tiling& tiling :
       {Tiling{{1, 1, 1}, 8, {}}, Tiling{{8, 8, 1}, 1000, {}}, Tiling{{4, 4, 1}, 64, {}}})
    for (const Method& method : {plain(), weighted(0.8)}) {
      std::vector<double> x(400);
      const Report r =
          Solver<double>(a, in_cycles(tiling, method)).solve(b, x, {.relative = 1e-6, .norm = Norm::update});
      ASSERT_TRUE(r.converged());
      EXPECT_LE(a.residual_norms(b, x, true).l2, 1.3e-6 * reference);
    }
}

TEST(HierarchicalSolve, KeepsToALimitThatIsNoWholeNumberOfCycles) {
  const auto a = poisson<double, 2>({50, 40});
  const std::vector<double> b(2000, 1.0);
  std::vector<double> x(2000), y(2000);
  const Tiling exact{{20, 40, 1}, 8, {7, 0, 0}};
  const Report r = Solver<double>(a, in_cycles(exact)).solve(b, x, {.max_sweeps = 101});
  EXPECT_EQ(r.status, Status::sweep_limit);
  EXPECT_EQ(r.sweeps, 101);
  EXPECT_EQ(r.cycles, 13);
  const Report plain_one = Solver<double>(a).solve(b, y, {.max_sweeps = 101});
  EXPECT_EQ(plain_one.sweeps, 101);
  EXPECT_FALSE(plain_one.cycles);
  EXPECT_EQ(x, y);
  EXPECT_NEAR(*r.update_norm, *plain_one.update_norm, 1e-13 * *plain_one.update_norm);
}

TEST(HierarchicalSolve, ConvergesToTheSolutionWhateverTheTilingAndTheWeight) {
  const auto a = poisson<double, 2>({50, 40});
  const auto b = random_values<double>(2000, -1, 1, 1);
  std::vector<double> expected(2000);
  Solver<double>(a).solve(b, expected, {.relative = 1e-10});
  for (const double omega : {1.0, 0.8})
    for (const Index k : {1, 5, 50}) {
      std::vector<double> x(2000);
      const Tiling tiling{{16, 12, 1}, k, {1, 0, 0}};
      const Report r = Solver<double>(a, in_cycles(tiling, omega < 1 ? weighted(omega) : plain()))
                           .solve(b, x, {.relative = 1e-10});
      EXPECT_TRUE(r.converged());
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], expected[i], 1e-9) << "k " << k;
    }
}

TEST(HierarchicalSolve, ReturnsToASavedIterate) {
  const auto a = poisson<double, 2>({50, 40});
  const auto b = random_values<double>(2000, -1, 1, 1), x = random_values<double>(2000, -1, 1, 2);
  const auto sweeper = backend("serial")->bind(Operator<double>(a), in_cycles(inexact));
  EXPECT_EQ(sweeper->sweeps_per_cycle(), 8);
  sweeper->load(b, x);
  const std::vector<Step> steps(16);
  const Norms before = sweeper->advance(steps, Want::update);
  std::vector<double> kept(2000), found(2000);
  sweeper->store(kept);
  sweeper->save();
  sweeper->advance(steps, Want::nothing);
  sweeper->restore();
  sweeper->store(found);
  EXPECT_EQ(kept, found);
  EXPECT_EQ(sweeper->executed().cycles, 2);
  EXPECT_EQ(sweeper->executed().sweeps, 16);
  EXPECT_EQ(sweeper->norms(Want::update).l2, before.l2);
}

/// Amplitudes of the upper half of the modes, which no coarser grid sees, in 1D.
double high_frequencies(const std::vector<double>& e) {
  const std::size_t n = e.size();
  double squares = 0;
  for (std::size_t j = n / 2 + 1; j <= n; ++j) {
    double amplitude = 0;
    for (std::size_t i = 0; i < n; ++i)
      amplitude +=
          e[i] * std::sin(std::numbers::pi * static_cast<double>((i + 1) * j) / static_cast<double>(n + 1));
    squares += amplitude * amplitude;
  }
  return std::sqrt(squares * 2 / static_cast<double>(n + 1));
}

/// A cycle where a smoother's sweeps would be: on errors of all frequencies, b = 0. k - 1 unknowns away from
/// tile edges it is those sweeps, and what the edges add to the high frequencies as a whole stays small.
TEST(HierarchicalSmoother, ReducesHighFrequenciesAsItsSweepsDo) {
  const Index n = 127;
  const Operator<double> a = poisson<double, 1>({n});
  const std::vector<double> zero(n);
  const auto error = random_values<double>(n, -1, 1, 5);
  for (const Index k : {1, 2, 3, 4}) {
    const Tiling tiling{{32, 1, 1}, k, {0, 0, 0}};
    const std::vector<Step> steps(static_cast<std::size_t>(k), Step{2.0 / 3, 1});
    const auto smoothed = [&](const Plan& plan) {
      const auto sweeper = backend("serial")->bind(a, plan);
      sweeper->load(zero, error);
      sweeper->advance(steps, Want::nothing);
      std::vector<double> x(n);
      sweeper->store(x);
      return x;
    };
    const auto by_sweeps = smoothed({weighted(2.0 / 3), "textbook"});
    const auto by_cycle = smoothed(in_cycles(tiling, weighted(2.0 / 3)));
    for (Index i = 0; i < n; ++i) {
      const Index tile = i / 32, from_low = i - 32 * tile, from_high = std::min(32 * tile + 31, n - 1) - i;
      const bool away = (tile == 0 || from_low >= k - 1) && (tile == 3 || from_high >= k - 1);
      if (away) ASSERT_EQ(by_cycle[i], by_sweeps[i]) << "unknown " << i << ", k " << k;
    }
    const double before = high_frequencies(error), sweeps = high_frequencies(by_sweeps),
                 cycle = high_frequencies(by_cycle);
    EXPECT_LE(sweeps, std::pow(1.0 / 3, k) * before * (1 + 1e-12)) << "theory: 1/3 per sweep at omega = 2/3";
    EXPECT_LE(cycle, sweeps + 0.1 * before) << "k " << k;
  }
}

}  // namespace
}  // namespace jacobi::test
