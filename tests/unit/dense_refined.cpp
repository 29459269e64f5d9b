/// Matrices stored narrower, refined in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io_temporary.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "ladder/run.hpp"
#include "random.hpp"
#include "sweep/dense/workspace.hpp"

namespace jacobi {
namespace {

using sweep::Bf16;
using sweep::to_bf16;
using sweep::value_of;

TEST(Bf16, RoundsToNearestAndTiesToEven) {
  for (const float exact : {0.0F, 1.0F, -1.5F, 3.140625F, 0x1p-120F, -0x1p100F})
    EXPECT_EQ(value_of(to_bf16(exact)), exact);
  EXPECT_EQ(value_of(to_bf16(1 + 0x1p-8F)), 1);               // a tie: to the even neighbour
  EXPECT_EQ(value_of(to_bf16(1 + 0x3p-8F)), 1 + 0x1p-6F);     // a tie the other way
  EXPECT_EQ(value_of(to_bf16(1 + 0x1.02p-8F)), 1 + 0x1p-7F);  // beyond it
  EXPECT_EQ(value_of(to_bf16(-1 - 0x1.02p-8F)), -1 - 0x1p-7F);
  test::Random random(3);
  for (int k = 0; k < 10000; ++k) {
    const float value = static_cast<float>(random.real(-10, 10));
    EXPECT_LE(std::abs(value_of(to_bf16(value)) - value), std::abs(value) * 0x1p-8F);
  }
}

/// Row sums of |M| are `share`, entries of M positive, so that the spectral radius is that.
std::vector<double> slow_values(Index n, double share) {
  test::Random random(static_cast<unsigned>(n));
  std::vector<double> a(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      a[i * n + j] = -random.real(0.1, 1);
      if (i != j) sum -= a[i * n + j];
    }
    a[i * n + i] = sum / share;
  }
  return a;
}

Plan stored_as(MatrixPrecision precision, Method method = plain(), const std::string& rung = "") {
  Plan plan(std::move(method), rung);
  plan.matrix_precision = precision;
  return plan;
}

/// A tolerance that the storage itself is a million times too coarse for, in both layouts, whatever the
/// remainder.
TEST(DenseRefined, MeetsTolerancesOfDouble) {
  for (const Index n : {2, 7, 31, 64, 100, 257}) {
    const auto values = slow_values(n, 0.8);
    const auto b = test::random_values<double>(n, -1, 1, 5);
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const auto precision : {MatrixPrecision::single, MatrixPrecision::bf16})
        for (const Method& method : {plain(), weighted(0.7), l1()})
          for (const char* rung : {"fused", "paired"}) {
            const auto a = Dense<double>::view(values, n, layout);
            std::vector<double> x(b.size());
            const Report report =
                Solver<double>(a, stored_as(precision, method, rung)).solve(b, x, {.relative = 1e-13});
            EXPECT_TRUE(report.converged()) << n << method.name << rung;
            EXPECT_EQ(report.rung, rung);
            EXPECT_LE(a.residual_norms(b, x).l2, report.tolerance);
          }
  }
}

TEST(DenseRefined, TakesAboutAsManySweepsAsDouble) {
  const auto values = slow_values(200, 0.9);
  const auto b = test::random_values<double>(200, 0, 1, 5);
  const auto sweeps = [&](MatrixPrecision precision) {
    std::vector<double> x(b.size());
    return Solver<double>(Dense<double>::view(values, 200), stored_as(precision))
        .solve(b, x, {.relative = 1e-12, .check_every = 5})
        .sweeps;
  };
  const auto given = static_cast<double>(sweeps(MatrixPrecision::as_given));
  EXPECT_NEAR(static_cast<double>(sweeps(MatrixPrecision::single)), given, 0.1 * given);
  EXPECT_NEAR(static_cast<double>(sweeps(MatrixPrecision::bf16)), given, 0.1 * given);
}

/// Norms between two refinements are those of the entries as stored. Against residuals from scratch, with
/// entries of any kind, and with entries that bf16 rounds all one way. Residuals in float carry errors of
/// some 6e-8 of the first one of d, of which 1e-5 may be left: up to a percent or two.
TEST(DenseRefined, NormsByTheWayAreThoseOfTheIterate) {
  const Index n = 111;
  std::vector<double> one_way(static_cast<std::size_t>(n * n), -0.008);
  for (Index i = 0; i < n; ++i) one_way[(n + 1) * i] = 1;
  const auto b = test::random_values<double>(n, 0, 1, 5);
  for (const auto& values : {slow_values(n, 0.9), one_way})
    for (const auto precision : {MatrixPrecision::single, MatrixPrecision::bf16}) {
      const auto a = Dense<double>::view(values, n);
      const auto solved = [&](Index most) {
        std::vector<double> x(b.size());
        return Solver<double>(a, stored_as(precision)).solve(b, x, {.relative = 1e-12, .max_sweeps = most});
      };
      for (const auto& [sweeps, norm] : solved(1000).history) {
        const double from_scratch = *solved(sweeps).residual_norm;
        const double rounded = precision == MatrixPrecision::bf16 ? 0.5 : 0.02;
        if (from_scratch > 1e-12) EXPECT_NEAR(norm, from_scratch, rounded * from_scratch) << sweeps;
      }
    }
}

TEST(DenseRefined, TestsUpdatesToo) {
  const auto values = slow_values(50, 0.8);
  const std::vector<double> b(50, 1.0);
  for (const Index every : {0, 1, 7}) {
    std::vector<double> x(b.size()), y(b.size());
    Stop stop{.relative = 0, .absolute = 1e-11};
    stop.norm = Norm::update;
    stop.reference = Reference::none;
    stop.check_every = every;
    const Report report =
        Solver<double>(Dense<double>::view(values, 50), stored_as(MatrixPrecision::bf16)).solve(b, x, stop);
    EXPECT_TRUE(report.converged()) << every;
    EXPECT_LE(*report.update_norm, 1e-11);
    Solver<double>(Dense<double>::view(values, 50)).solve(b, y, {.relative = 1e-14});
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-10);
  }
}

/// Off-diagonal entries that bf16 rounds all one way: updates of the narrow matrix settle far from the
/// solution.
TEST(DenseRefined, UpdatesOfTheNarrowMatrixAloneDoNotEndIt) {
  const Index n = 111;
  std::vector<double> values(static_cast<std::size_t>(n * n), -0.009), b(static_cast<std::size_t>(n), 1.0);
  for (Index i = 0; i < n; ++i) values[(n + 1) * i] = 1;
  const auto a = Dense<double>::view(values, n);
  std::vector<double> x(b.size());
  Stop stop{.relative = 0, .absolute = 0.02};
  stop.norm = Norm::update;
  stop.reference = Reference::none;
  EXPECT_TRUE(Solver<double>(a, stored_as(MatrixPrecision::bf16)).solve(b, x, stop).converged());
  EXPECT_LE(a.residual_norms(b, x, Divisor::diagonal).l2, 0.02);
}

TEST(DenseRefined, NamesItsRungAlsoWithoutASweep) {
  const std::vector<double> values = {4, 1, 1, 4}, b(2);
  std::vector<double> x(2);
  const Report report =
      Solver<double>(Dense<double>::view(values, 2), stored_as(MatrixPrecision::bf16)).solve(b, x);
  EXPECT_EQ(report.rung, "fused");
  EXPECT_GT(report.threads, 0);
}

/// Whatever level of the caches the matrix fits on one thread and on several, and whatever was solved before.
TEST(DenseRefined, GivesTheSameBitsForEveryNumberOfThreadsAndAgain) {
  for (const Index n : {257, 1100}) {
    if (n * JACOBI_TEST_SHARE > 10000) continue;  // takes half a minute there
    const auto values = slow_values(n, 0.8);
    const auto b = test::random_values<double>(n, -1, 1, 5);
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const auto& [precision, rung] :
           {std::pair{MatrixPrecision::single, "fused"}, std::pair{MatrixPrecision::single, "paired"},
            std::pair{MatrixPrecision::bf16, "fused"}, std::pair{MatrixPrecision::bf16, "paired"}}) {
        const auto a = Dense<double>::view(values, n, layout);
        const Plan plan = stored_as(precision, plain(), rung);
        const auto solution = [&](Solver<double>& solver) {
          std::vector<double> x(b.size());
          EXPECT_TRUE(solver.solve(b, x, {.relative = 1e-10}).converged());
          return x;
        };
        Solver<double> one(a, plan, backend("threads:1"));
        const std::vector<double> expected = solution(one);
        for (const char* threads : {"threads:2", "threads:3"}) {
          Solver<double> several(a, plan, backend(threads));
          EXPECT_EQ(solution(several), expected) << n << ", " << threads;
        }
        std::vector<double> x(b.size());
        one.solve(b, x, {.max_sweeps = 3});
        EXPECT_EQ(solution(one), expected) << n;
      }
  }
}

/// Updates are what the iterate changes by, weight included.
TEST(DenseRefined, TestsWeightedUpdatesAsDoubleDoes) {
  const auto values = slow_values(20, 0.8);
  const auto b = test::random_values<double>(20, -1, 1, 5);
  Stop stop{.relative = 1e-6};
  stop.norm = Norm::update;
  stop.check_every = 1;
  const auto sweeps = [&](MatrixPrecision precision) {
    std::vector<double> x(b.size());
    return Solver<double>(Dense<double>::view(values, 20), stored_as(precision, weighted(0.1)))
        .solve(b, x, stop)
        .sweeps;
  };
  const double given = static_cast<double>(sweeps(MatrixPrecision::as_given));
  EXPECT_GT(given, 100);
  EXPECT_NEAR(static_cast<double>(sweeps(MatrixPrecision::single)), given, 0.03 * given);
  EXPECT_NEAR(static_cast<double>(sweeps(MatrixPrecision::bf16)), given, 0.03 * given);
}

/// So slow that updates come down to the rounding errors of float before they have settled.
TEST(DenseRefined, RefinesWhereUpdatesAreRoundingErrors) {
  const auto values = slow_values(60, 0.999);
  const auto b = test::random_values<double>(60, -1, 1, 5);
  Stop stop{.relative = 1e-10, .max_sweeps = 40000};
  stop.check_every = 20000;  // no refinement by a check meanwhile
  std::vector<double> x(b.size());
  const Report report =
      Solver<double>(Dense<double>::view(values, 60), stored_as(MatrixPrecision::single)).solve(b, x, stop);
  EXPECT_TRUE(report.converged()) << *report.residual_norm;
}

/// Rounding errors of float that come and go with an eigenvalue near -1: updates stand far above them.
TEST(DenseRefined, RefinesWhereUpdatesStand) {
  const std::vector<double> values = {1, -0.9, -0.9, 1}, b = {1, 0.3};
  for (const Index every : {0, 1, 50})
    for (const auto precision : {MatrixPrecision::single, MatrixPrecision::bf16}) {
      Stop stop{.relative = 1e-8, .max_sweeps = 10000};
      stop.check_every = every;
      std::vector<double> x(2);
      const Report report =
          Solver<double>(Dense<double>::view(values, 2), stored_as(precision, weighted(1.05)))
              .solve(b, x, stop);
      EXPECT_TRUE(report.converged()) << every << ", " << report.sweeps << ", " << *report.residual_norm;
      EXPECT_LT(report.sweeps, 5000);
    }
}

/// Sweeps that leave nothing of the residual by the entries as stored, and some by those as given: no growth.
TEST(DenseRefined, NormsDoNotFallBelowWhatStoredEntriesTell) {
  const std::vector<double> values = {1, 0, 0.3, 1}, b = {1, 1};
  for (const Index every : {1, 2, 3}) {
    Stop stop{.relative = 1e-10};
    stop.check_every = every;
    std::vector<double> x(2);
    const Report report =
        Solver<double>(Dense<double>::view(values, 2), stored_as(MatrixPrecision::bf16)).solve(b, x, stop);
    EXPECT_TRUE(report.converged()) << every;
    EXPECT_LE(report.sweeps, 6);
  }
}

/// Where every sweep is tested, some are made again, one at a time or together: to the same bits.
TEST(DenseRefined, SweepsMadeAgainHaveTheSameBits) {
  for (const auto& [precision, rung] :
       {std::pair{MatrixPrecision::single, "fused"}, std::pair{MatrixPrecision::bf16, "fused"},
        std::pair{MatrixPrecision::single, "paired"}, std::pair{MatrixPrecision::bf16, "paired"}}) {
    const auto values = slow_values(200, 0.9);
    const auto b = test::random_values<double>(200, -1, 1, 5);
    const auto sweeper =
        backend("serial")->bind(Dense<double>::view(values, 200), stored_as(precision, plain(), rung));
    std::vector<double> x(200), once(200), again(200);
    sweeper->load(b, x);
    sweeper->advance(std::vector<Step>(7), Want::update);
    sweeper->save();
    std::vector<Norms> updates(60);
    sweeper->advance_measured(std::vector<Step>(60), updates);
    sweeper->store(once);
    sweeper->restore();
    const Norms update = sweeper->advance(std::vector<Step>(60), Want::update);
    sweeper->store(again);
    EXPECT_EQ(once, again);
    EXPECT_EQ(update.l2, updates.back().l2);
  }
}

TEST(DenseRefined, RefusesEntriesTooLargeToBeStored) {
  const std::vector<double> beyond_float = {1, 0, 1e39, 2}, beyond_bf16 = {1, 3.4e38, 0, 1};
  const auto message = [](const std::vector<double>& values, MatrixPrecision precision) -> std::string {
    try {
      Solver<double>(Dense<double>::view(values, 2), stored_as(precision));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_TRUE(
      io_test::contains(message(beyond_float, MatrixPrecision::single), "entry (1, 0), 1e+39, is 5e+38"));
  EXPECT_TRUE(io_test::contains(message(beyond_bf16, MatrixPrecision::bf16), "entry (0, 1)"));
  EXPECT_EQ(message(beyond_bf16, MatrixPrecision::single), "");
}

/// Entries beyond the range of float: rows are divided by their diagonal before they are stored.
TEST(DenseRefined, StoresRowsOfAnySize) {
  auto values = slow_values(40, 0.8);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) values[40 * i + j] *= i % 2 == 0 ? 1e200 : 1e-200;
  std::vector<double> b(40), x(40);
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 40; ++j) b[i] += values[40 * i + j];
  Stop stop;
  stop.norm = Norm::max_update;
  stop.relative = 0;
  stop.absolute = 1e-12;
  stop.reference = Reference::none;
  const Report report =
      Solver<double>(Dense<double>::view(values, 40), stored_as(MatrixPrecision::bf16)).solve(b, x, stop);
  EXPECT_TRUE(report.converged());
  for (const double value : x) EXPECT_NEAR(value, 1, 1e-10);
}

TEST(DenseRefined, SaysWhyNotWhereItDoesNotConverge) {
  std::vector<double> values = {1, 2, 3, 1};  // plain Jacobi diverges
  std::vector<double> x(2);
  const Report report = Solver<double>(Dense<double>::view(values, 2), stored_as(MatrixPrecision::bf16))
                            .solve(std::vector<double>{1, 1}, x, {.max_sweeps = 1000});
  EXPECT_FALSE(report.converged());
  ASSERT_FALSE(report.notes.empty());
  EXPECT_TRUE(io_test::contains(report.notes.front(), "stored narrower"));
}

TEST(DenseRefined, RefusesWhatItIsNotFor) {
  const std::vector<double> values = {4, 1, 1, 4};
  const auto a = Dense<double>::view(values, 2);
  Plan plan = stored_as(MatrixPrecision::bf16);
  plan.by = OnRung{"textbook"};
  EXPECT_THROW(Solver<double>(a, plan), UsageError);
  const std::vector<float> few = {4, 1, 1, 4};
  EXPECT_THROW(Solver<float>(Dense<float>::view(few, 2), stored_as(MatrixPrecision::single)), UsageError);
  EXPECT_THROW(Solver<double>(poisson<double, 1>({5}), stored_as(MatrixPrecision::bf16)), UsageError);
}

}  // namespace
}  // namespace jacobi
