/// The count reported is that of the check that stopped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

/// First sweep after which the residual meets the tolerance: one sweep at a time, the norm from scratch.
template <class T>
Index first_sweep(const Stencil<T, 2>& a, const std::vector<T>& b, double tolerance) {
  std::vector<T> x(b.size());
  const auto sweeper = backend("serial")->bind(Operator<T>(a), plain());
  sweeper->load(b, x);
  const Step step;
  for (Index n = 1; n < 100'000; ++n) {
    sweeper->advance({&step, 1}, Want::nothing);
    sweeper->store(x);
    if (a.residual_norms(b, x).l2 <= tolerance) return n;
  }
  return -1;
}

struct Case {
  Stencil<double, 2> a = poisson<double, 2>({14, 9});
  std::vector<double> b = std::vector<double>(126, 1.0);
  std::vector<double> x = std::vector<double>(126);
};

TEST(Solver, StopsAtTheFirstCheckThatSatisfiesTheTest) {
  Case c;
  const Index first = first_sweep(c.a, c.b, 1e-6 * c.a.rhs_norms(c.b, false).l2);
  ASSERT_GT(first, 50);
  for (const Index every : {1, 2, 7, 50, 1000}) {
    c.x.assign(c.x.size(), 0);
    const Report r = Solver<double>(c.a).solve(c.b, c.x, {.relative = 1e-6, .check_every = every});
    EXPECT_EQ(r.sweeps, (first + every - 1) / every * every);
    EXPECT_EQ(r.checks, r.sweeps / every);
    EXPECT_EQ(r.check_every, every);
    ASSERT_FALSE(r.history.empty());
    EXPECT_EQ(r.history.front().sweeps, 0);
    EXPECT_EQ(r.history.front().norm, r.norm_initial);
    EXPECT_EQ(r.history.back().sweeps, r.sweeps);
    EXPECT_EQ(r.history.back().norm, r.norm_final);
  }
}

TEST(Solver, ChecksAtPowersOfTwoUntilTheyAreACadenceApart) {
  Case c;
  const Report r = Solver<double>(c.a).solve(c.b, c.x, {.relative = 1e-12});
  ASSERT_TRUE(r.converged());
  ASSERT_GT(r.check_every, 1);
  Index expected = 1;
  for (std::size_t k = 1; k < r.history.size(); ++k) {
    EXPECT_EQ(r.history[k].sweeps, expected);
    expected = expected < r.check_every ? std::min(2 * expected, r.check_every) : expected + r.check_every;
  }
  EXPECT_EQ(r.checks, static_cast<Index>(r.history.size()) - 1);
  EXPECT_GT(r.sweeps, r.check_every);  // else the second half of this would not have been seen
}

TEST(Solver, ChecksFirstWhereItIsTold) {
  Case c;
  const Index first = first_sweep(c.a, c.b, 1e-6 * c.a.rhs_norms(c.b, false).l2);
  for (const Index start : {Index{1}, Index{3}, first - 1, first, first + 5})
    for (const Index every : {1, 2, 7}) {
      c.x.assign(c.x.size(), 0);
      const Report r =
          Solver<double>(c.a).solve(c.b, c.x, {.relative = 1e-6, .check_every = every, .first_check = start});
      Index expected = start;
      while (expected < first) expected += every;
      EXPECT_EQ(r.sweeps, expected) << start << " then every " << every;
      EXPECT_EQ(r.checks, (expected - start) / every + 1);
    }
}

TEST(Solver, ReturnsTheIterateOfTheCount) {
  Case c;
  const Report r = Solver<double>(c.a).solve(c.b, c.x, {.relative = 1e-5, .check_every = 1});
  std::vector<double> same(c.x.size());
  const auto sweeper = backend("serial")->bind(Operator<double>(c.a), plain());
  sweeper->load(c.b, same);
  sweeper->advance(std::vector<Step>(r.sweeps), Want::nothing);
  sweeper->store(same);
  EXPECT_EQ(c.x, same);
}

TEST(Solver, CountsTheSweepLimitBetweenTwoChecks) {
  Case c;
  const Report r = Solver<double>(c.a).solve(c.b, c.x, {.max_sweeps = 10, .check_every = 7});
  EXPECT_EQ(r.status, Status::sweep_limit);
  EXPECT_EQ(r.sweeps, 10);
  EXPECT_NEAR(r.norm_final, c.a.residual_norms(c.b, c.x).l2, 1e-10 * r.norm_final);
}

TEST(Solver, RepeatsNoLineOfTheHistory) {
  Case c;
  for (const Norm norm : {Norm::residual, Norm::update})
    for (const Index every : {1, 3, 7})
      for (const Index limit : {0, 1, 2, 7, 21, 22, 2100}) {
        c.x.assign(c.x.size(), 0);
        const Report r = Solver<double>(c.a).solve(
            c.b, c.x, {.relative = 0, .norm = norm, .max_sweeps = limit, .check_every = every});
        for (std::size_t i = 1; i < r.history.size(); ++i)
          EXPECT_GT(r.history[i].sweeps, r.history[i - 1].sweeps) << limit << " by " << every;
        EXPECT_EQ(r.history.back().sweeps, limit);
        EXPECT_EQ(r.history.back().norm, r.norm_final);
        EXPECT_EQ(r.history.size() == 1, limit == 0);
      }
}

TEST(Solver, ReadsNoContractionOffTheFirstUpdate) {  // of x_0 and of x_1 the norm is the same
  Case c;
  const Stop one{.norm = Norm::update, .max_sweeps = 1};
  EXPECT_FALSE(Solver<double>(c.a).solve(c.b, c.x, one).contraction.has_value());
  c.x.assign(c.x.size(), 0);
  const Stop two{.norm = Norm::update, .max_sweeps = 2, .check_every = 2};
  const Report r = Solver<double>(c.a).solve(c.b, c.x, two);
  ASSERT_TRUE(r.contraction.has_value());
  EXPECT_NEAR(*r.contraction, r.norm_final / r.norm_initial, 1e-14);
}

TEST(Solver, ThinsTheHistoryEvenly) {
  Case c;
  const Report r = Solver<double>(c.a).solve(c.b, c.x, {.relative = 0, .max_sweeps = 2345, .check_every = 1});
  EXPECT_EQ(r.checks, r.sweeps);
  EXPECT_LE(r.history.size(), 1000U);
  EXPECT_GT(r.history.size(), 400U);
  const Index step = r.history[1].sweeps - r.history[0].sweeps;
  for (std::size_t i = 1; i + 1 < r.history.size(); ++i)
    EXPECT_EQ(r.history[i].sweeps - r.history[i - 1].sweeps, step) << i;
  EXPECT_EQ(r.history.back().sweeps, r.sweeps);
}

TEST(Solver, MeasuresWithTheNormAndReferenceItNames) {
  Case c;
  c.x.assign(c.x.size(), 0.01);
  const auto start = c.x;
  const auto scaled = c.a.residual_norms(c.b, start, true);
  const auto solve = [&](Stop stop) {
    c.x = start;
    stop.relative = 1e-3;
    stop.check_every = 1;
    return Solver<double>(c.a).solve(c.b, c.x, stop);
  };
  EXPECT_DOUBLE_EQ(solve({.norm = Norm::max_residual}).reference_norm, 1);
  EXPECT_DOUBLE_EQ(solve({.norm = Norm::residual}).reference_norm, std::sqrt(126.0));
  EXPECT_DOUBLE_EQ(solve({.norm = Norm::update}).reference_norm, c.a.rhs_norms(c.b, true).l2);
  EXPECT_NEAR(solve({.norm = Norm::update, .reference = Reference::initial}).reference_norm, scaled.l2,
              1e-12);
  EXPECT_NEAR(solve({.norm = Norm::max_update}).norm_initial, scaled.max, 1e-12);
  const Report none = solve({.absolute = 0.5, .reference = Reference::none});
  EXPECT_EQ(none.tolerance, 0.5);
  EXPECT_LE(none.norm_final, 0.5);
  const Report both = solve({.absolute = 1e6});
  EXPECT_EQ(both.tolerance, 1e6);
  EXPECT_EQ(both.sweeps, 0);
}

TEST(Solver, TakesTheInitialNormWhereTheRightHandSideIsZero) {
  Case c;
  std::vector<double> zero(c.b.size()), x(c.b.size(), 1.0);
  const double initial = c.a.residual_norms(zero, x).l2;
  const Report r = Solver<double>(c.a).solve(zero, x, {.relative = 1e-4, .check_every = 1});
  EXPECT_TRUE(r.converged());
  EXPECT_NEAR(r.tolerance, 1e-4 * initial, 1e-12 * initial);
}

}  // namespace
}  // namespace jacobi
