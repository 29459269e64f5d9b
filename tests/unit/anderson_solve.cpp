/// Anderson-accelerated Jacobi: what it solves, its options, its safeguards.
#include <gtest/gtest.h>

#include "jacobi/error.hpp"
#include "sweep/accelerated/least_squares.hpp"
#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using test::solved;

TEST(Anderson, SolvesWherePlainSweepsDiverge) {
  for (const double c : {0.6, 1.0, 3.0, 10.0})
    for (const AndersonOptions& options :
         {AndersonOptions{}, AndersonOptions{10, 1, 0.5}, AndersonOptions{20, 4, 1}}) {
      const Csr<double> a = test::skew_matrix(200, c);
      const std::vector<double> b = test::times(a, std::vector<double>(200, 1.0));
      std::vector<double> x;
      if (c < 5) EXPECT_EQ(solved<double>(a, plain(), b, x).status, Status::diverged);
      const Report r = solved<double>(a, anderson(options), b, x);
      EXPECT_EQ(r.status, Status::converged) << c << ", period " << options.period;
      for (const double value : x) EXPECT_NEAR(value, 1, 1e-6) << c;
    }
}

/// With all differences kept it is, in exact arithmetic, as good as GMRES: as many sweeps as eigenvalues, and
/// one more, whose correction it has not seen.
TEST(Anderson, EndsAfterAsManySweepsAsThereAreEigenvalues) {
  const Csr<double> a = test::rows_of(poisson<double, 2>({2, 2}));  // 1/2, 1, 1, 3/2
  std::vector<double> x;
  const Report r =
      solved<double>(a, anderson({.depth = 10, .period = 1}), {1, 0, 0, 0}, x, {.relative = 1e-12});
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.sweeps, 4);
}

/// Between two of Anderson's sweeps the others are weighted ones.
TEST(Anderson, MakesWeightedSweepsInBetween) {
  const auto a = poisson<double, 2>({20, 20});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x, y;
  for (const Index period : {2, 5}) {
    const Method method = anderson({.period = period, .omega = 0.8});
    solved<double>(a, method, b, x, {.max_sweeps = period - 1});
    solved<double>(a, weighted(0.8), b, y, {.max_sweeps = period - 1});
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-14);
    solved<double>(a, method, b, x, {.max_sweeps = period});
    solved<double>(a, weighted(0.8), b, y, {.max_sweeps = period});
    EXPECT_LT(a.residual_norms(b, x).l2, 0.99 * a.residual_norms(b, y).l2);
  }
}

TEST(Anderson, TakesFarFewerSweepsThanPlainOnes) {
  const auto a = poisson<double, 2>({40, 40});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x;
  const Index plain_sweeps = solved<double>(a, plain(), b, x).sweeps;
  for (const auto& [depth, fewer] : {std::pair<Index, Index>{1, 1}, {5, 10}, {10, 20}, {32, 25}}) {
    const Report r = solved<double>(a, anderson({.depth = depth}), b, x);
    EXPECT_TRUE(r.converged()) << depth;
    EXPECT_LT(fewer * r.sweeps, plain_sweeps) << depth;
  }
}

/// Columns e_0, 2 e_0, 1e-9 (e_0 + e_1), 0 against f = (3, 4, 5): f - F g = (0, 0, 5), and where 1e-9 is
/// below what counts, relative to a column's own length, nothing changes.
TEST(Anderson, SolvesLeastSquaresWithDependentColumns) {
  const double columns[4][3] = {{1, 0, 0}, {2, 0, 0}, {1e-9, 1e-9, 0}, {0, 0, 0}}, f[3] = {3, 4, 5};
  sweep::LeastSquares<6> system;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      system.rhs[i] += columns[i][k] * f[k];
      for (int j = 0; j < 4; ++j) system.gram[i][j] += columns[i][k] * columns[j][k];
    }
  const auto g = system.solve(4, 1e-13);
  for (int k = 0; k < 3; ++k) {
    double left = f[k];
    for (int i = 0; i < 4; ++i) left -= columns[i][k] * g[i];
    EXPECT_NEAR(left, k == 2 ? 5 : 0, 1e-6) << k;
  }
  EXPECT_TRUE(g[0] == 0 || g[1] == 0);  // one of two that say the same
  EXPECT_EQ(g[3], 0);
}

TEST(Anderson, RefusesOptionsOutOfBounds) {
  for (const AndersonOptions& options :
       {AndersonOptions{.depth = 0}, AndersonOptions{.depth = 33}, AndersonOptions{.period = 0},
        AndersonOptions{.omega = 0}, AndersonOptions{.omega = 2}, AndersonOptions{.omega = NAN}})
    EXPECT_THROW(anderson(options), UsageError);
}

/// Factors far above the ten thousandfold that one sweep may grow by.
TEST(Anderson, RetreatsFromGrowthWithSmallerWeights) {
  const Csr<double> a = Csr<double>::from_entries(
      3,
      std::vector<Entry<double>>{{0, 0, 1.}, {0, 1, 1e6}, {1, 0, -1e6}, {1, 1, 1.}, {2, 2, 1.}, {2, 0, 3.}});
  const std::vector<double> b{1, 2, 3};
  std::vector<double> x;
  EXPECT_EQ(solved<double>(a, weighted(0.5), b, x, {.check_every = 1}).status, Status::diverged);
  const Report r = solved<double>(a, anderson(), b, x);
  EXPECT_EQ(r.status, Status::converged) << test::notes_of(r);
  EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
}

TEST(Anderson, ReturnsTheBestIterateWhereItEndsEarly) {
  const Csr<double> a = test::skew_matrix(200, 10);
  const std::vector<double> b(200, 1.0);
  std::vector<double> x;
  bool went_back = false;
  for (Index limit = 20; limit < 30; ++limit) {
    const Report r =
        solved<double>(a, anderson({.period = 3}), b, x, {.max_sweeps = limit, .check_every = 1});
    ASSERT_EQ(r.status, Status::sweep_limit);
    double least = r.norm_initial;
    for (const HistoryEntry& entry : r.history) least = std::min(least, entry.norm);
    EXPECT_LE(r.norm_final, 1.12 * least) << limit;
    EXPECT_NEAR(r.norm_final, a.residual_norms(b, x).l2, 1e-9 * r.norm_initial);
    went_back |= contains(test::notes_of(r), "the best one seen");
  }
  EXPECT_TRUE(went_back);
}

}  // namespace
}  // namespace jacobi
