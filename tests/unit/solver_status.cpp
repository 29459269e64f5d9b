/// Every status has its test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::message_of;

/// A problem whose solve takes far longer than any test.
const Stencil<double, 2>& endless() {
  static const auto a = poisson<double, 2>({255, 255});
  return a;
}

TEST(Solver, SaysConvergedWithANormAtOrBelowTheTolerance) {
  const auto a = poisson<double, 2>({15, 11});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x(a.rows());
  const Report r = Solver<double>(a).solve(b, x, {.relative = 1e-9});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.unknowns, 165);
  EXPECT_DOUBLE_EQ(r.tolerance, 1e-9 * std::sqrt(165.0));
  EXPECT_LE(r.norm_final, r.tolerance);
  EXPECT_DOUBLE_EQ(*r.residual_norm, a.residual_norms(b, x).l2);
  EXPECT_GT(r.sweeps, 100);
}

TEST(Solver, SaysConvergedAfterNoSweepForTheSolutionItself) {
  const auto a = tridiagonal<double>(6, -1, 2, -1);
  const std::vector<double> b(6), start(6);
  auto x = start;
  const Report r = Solver<double>(a).solve(b, x);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.sweeps, 0);
  EXPECT_FALSE(r.update_norm.has_value());
  EXPECT_EQ(x, start);
}

TEST(Solver, SaysSweepLimitAfterExactlyThatManySweeps) {
  std::vector<double> b(endless().rows(), 1.0), x(b.size());
  for (const Index limit : {0, 1, 10, 333}) {
    const Report r = Solver<double>(endless()).solve(b, x, {.max_sweeps = limit});
    EXPECT_EQ(r.status, Status::sweep_limit);
    EXPECT_EQ(r.sweeps, limit);
    EXPECT_GT(r.norm_final, r.tolerance);
  }
}

TEST(Solver, SaysTimeLimitWhateverTheCadence) {
  std::vector<double> b(endless().rows(), 1.0), x(b.size());
  for (const Index cadence : {0, 1, 100'000'000}) {
    const Report r = Solver<double>(endless()).solve(
        b, x, {.max_sweeps = 1'000'000'000, .max_seconds = 0.05, .check_every = cadence});
    EXPECT_EQ(r.status, Status::time_limit);
    EXPECT_GT(r.sweeps, 0);
    EXPECT_GE(r.seconds, 0.05);
    EXPECT_LT(r.seconds, 3);  // promised: 0.25
    EXPECT_NEAR(r.norm_final, endless().residual_norms(b, x).l2, 1e-6 * r.norm_final);
  }
}

TEST(Solver, SaysDivergedWhenTheNormGrowsAMillionTimes) {
  const auto a = tridiagonal<double>(50, -1, 1, -1);
  const std::vector<double> b(50, 1.0);
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
    std::vector<double> x(50);
    const Report r = Solver<double>(a).solve(b, x, {.norm = norm, .check_every = 1});
    EXPECT_EQ(r.status, Status::diverged) << name(norm);
    EXPECT_LT(r.sweeps, 60);
    EXPECT_EQ(r.norm_final, r.norm_initial) << name(norm);
    EXPECT_GT(r.history.back().norm, 1e6);
    EXPECT_EQ(x, std::vector<double>(50)) << name(norm);  // the last iterate was thrown away
  }
}

TEST(Solver, SaysDivergedWhenTheNormOverflowsBetweenTwoChecks) {
  const auto a = tridiagonal<double>(50, -1, 1, -1);
  const std::vector<double> b(50, 1.0);
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
    std::vector<double> x(50);
    const Report r = Solver<double>(a).solve(b, x, {.norm = norm, .check_every = 5000});
    EXPECT_EQ(r.status, Status::diverged) << name(norm);
    EXPECT_EQ(r.sweeps, 5000);
  }
}

TEST(Solver, SaysNotFiniteWhenTheFirstNormOverflows) {
  const auto a = poisson<double, 1>({8});
  const std::vector<double> b(8, 1.0), start(8, 1e308);
  auto x = start;
  const Report r = Solver<double>(a).solve(b, x);
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(r.sweeps, 0);
  EXPECT_EQ(x, start);
  EXPECT_FALSE(r.rung.empty());
  EXPECT_GE(r.threads, 1);
}

TEST(Solver, SaysInterruptedWhenTheCallbackReturnsFalse) {
  std::vector<double> b(endless().rows(), 1.0), x(b.size());
  int calls = 0;
  Stop stop{.max_sweeps = 1'000'000'000, .max_seconds = 60, .check_every = 100'000'000};
  stop.progress = [&](const Progress& p) {
    EXPECT_GT(p.sweeps, 0);
    EXPECT_GT(p.tolerance, 0);
    return ++calls < 3;
  };
  const Report r = Solver<double>(endless()).solve(b, x, stop);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_EQ(calls, 3);
  EXPECT_LT(r.seconds, 3);
  std::vector<double> same(x.size());  // the iterate returned is that of the count
  Solver<double>(endless()).solve(b, same, {.max_sweeps = r.sweeps});
  EXPECT_EQ(x, same);
}

TEST(Solver, NamesTheEntryThatIsNotFinite) {
  const auto a = poisson<double, 2>({4, 3});
  Solver<double> solver(a);
  std::vector<double> good(12, 1.0), bad(12, 1.0);
  bad[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { solver.solve(bad, good); }),
               "b[7] at point (3, 1) is nan");
  EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { solver.solve(good, bad); }), "x[7]");
  bad[7] = -std::numeric_limits<double>::infinity();
  EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { solver.solve(bad, good); }), "-inf");
}

TEST(Solver, RefusesLengthsAndTolerancesThatCannotBeMeant) {
  Solver<double> solver(poisson<double, 2>({4, 3}));
  std::vector<double> x(12), shorter(11);
  const std::vector<double> b(12);
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { solver.solve(shorter, x); }),
               "b has 11 entries for 12");
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { solver.solve(x, shorter); }),
               "x has 11 entries for 12");
  const double nan = std::nan("");
  for (const Stop& stop : {Stop{.relative = -1}, Stop{.absolute = nan}, Stop{.max_sweeps = -1},
                           Stop{.max_seconds = nan}, Stop{.check_every = -2}, Stop{.first_check = -1}})
    EXPECT_THROW(solver.solve(b, x, stop), UsageError);
}

TEST(Operators, RefuseVectorsOfOtherLengths) {
  const auto grid = poisson<double, 2>({4, 3});
  const std::vector<double> b(12), shorter(11), two(2), one(1);
  std::vector<double> out(8);
  const auto dense = Dense<double>::own({2, 1, 1, 2}, 2, Layout::row_major);
  const auto sparse = Csr<double>::from_entries(2, std::vector<Entry<double>>{{0, 0, 2}, {1, 1, 2}});
  for (const auto& [call, says] : std::initializer_list<std::pair<std::function<void()>, const char*>>{
           {[&] { grid.fold(b, out); }, "out has 8 entries for 12"},
           {[&] { grid.rhs_norms(shorter, false); }, "b has 11 entries for 12"},
           {[&] { grid.residual_norms(b, shorter); }, "x has 11 entries for 12"},
           {[&] { dense.rhs_norms(one, Divisor::none); }, "b has 1 entries for 2"},
           {[&] { dense.residual_norms(two, one); }, "x has 1 entries for 2"},
           {[&] { sparse.rhs_norms(one, Divisor::none); }, "b has 1 entries for 2"},
           {[&] { sparse.residual_norms(one, two); }, "b has 1 entries for 2"}})
    EXPECT_PRED2(io_test::contains, message_of<UsageError>(call), says);
}

/// Of (0, 1, 1) sums in double lose the 5 beside 1e18; (5, 1, 1) is the solution.
TEST(Solver, AStartWhoseResidualIsLostInRoundingIsNotConverged) {
  const auto a = Dense<double>::own({1, 1e18, -1e18, 0, 1, 0, 0, 0, 1}, 3, Layout::row_major);
  const std::vector<double> b = {5, 1, 1};
  for (const Method& method : {plain(), bicgstab()}) {
    std::vector<double> x = {0, 1, 1};
    const Report r = Solver<double>(a, {method}).solve(b, x, {.max_sweeps = 100});
    EXPECT_EQ(r.norm_initial, 5) << method.name;  // in double it would be 0
    EXPECT_EQ(r.norm_final, std::abs(5 - x[0])) << method.name;
    EXPECT_EQ(r.converged(), x[0] == 5) << method.name;
  }
}

TEST(Solver, SaysThatARightHandSideOfZeroGivesNoReference) {
  const auto a = poisson<double, 1>({9});
  const std::vector<double> b(9);
  std::vector<double> x(9, 1.0);
  const Report r = Solver<double>(a).solve(b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.reference, Reference::initial);
  EXPECT_EQ(r.reference_norm, r.norm_initial);
}

TEST(Solver, RefusesAToleranceThatCanEndNothing) {  // as solver.hpp says
  Solver<double> solver(poisson<double, 2>({4, 3}));
  std::vector<double> b(12, 1.0), x(12);
  EXPECT_THROW(
      solver.solve(b, x, {.reference = Reference::none, .max_sweeps = std::numeric_limits<Index>::max()}),
      UsageError);
}

}  // namespace
}  // namespace jacobi
