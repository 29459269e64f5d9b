/// Methods that sweep one colour at a time: what they say of themselves, where they stop, what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

std::vector<double> ones(Index n) { return std::vector<double>(static_cast<std::size_t>(n), 1.0); }

TEST(RedBlack, CountsSweepsOfOneColourAndTheirWork) {
  const auto a = poisson<double, 2>({40, 30});
  std::vector<double> b = ones(a.rows()), x(b.size());
  const Report r = Solver<double>(a, red_black()).solve(b, x, {.relative = 0, .max_sweeps = 101});
  EXPECT_EQ(r.method, "red-black");
  EXPECT_EQ(r.sweeps, 101);
  ASSERT_TRUE(r.work);
  EXPECT_EQ(*r.work, 50.5);
  EXPECT_NEAR(r.lups * r.seconds, 1200 * 50.5, 1e-6);
}

/// Two sweeps of one colour are one of Gauss and Seidel's, in the order of the colours.
TEST(RedBlack, TwoSweepsAreOneOfGaussSeidel) {
  const Index n = 11;
  const auto a = tridiagonal<double>(n, -1, 2.5, -1.25);
  std::vector<double> b(n), x(n);
  for (Index i = 0; i < n; ++i) b[i] = std::sin(static_cast<double>(i));
  std::vector<double> expected = x;
  for (int sweep = 0; sweep < 6; ++sweep)
    for (const Index colour : {1, 0})
      for (Index i = colour; i < n; i += 2) {
        const double west = i > 0 ? expected[i - 1] : 0, east = i + 1 < n ? expected[i + 1] : 0;
        expected[i] = (b[i] + west + 1.25 * east) / 2.5;
      }
  Solver<double>(a, red_black()).solve(b, x, {.relative = 0, .max_sweeps = 12});
  for (Index i = 0; i < n; ++i) EXPECT_NEAR(x[i], expected[i], 1e-14) << i;
}

TEST(RedBlack, StopsWhereTheResidualFromScratchMeetsTheTolerance) {
  const auto a = poisson<double, 2>({37, 23});
  const std::vector<double> b = ones(a.rows());
  for (const Method& method : {red_black(), cyclic_chebyshev(bounds(a).low)})
    for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
      std::vector<double> x(b.size());
      const Report r =
          Solver<double>(a, method).solve(b, x, {.relative = 1e-7, .norm = norm, .check_every = 1});
      ASSERT_EQ(r.status, Status::converged) << method.name << " " << name(norm);
      EXPECT_EQ(r.sweeps % 2, 0);
      EXPECT_EQ(r.check_every, 2);
      EXPECT_LE(r.norm_final, r.tolerance);
      EXPECT_NEAR(*r.residual_norm, a.residual_norms(b, x).l2, 1e-12 * *r.residual_norm);
      if (norm == Norm::residual) {
        EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
      }
    }
}

/// As accurate as plain sweeps stopped by the same tolerance, within the two sweeps of a check.
TEST(RedBlack, ReachesAToleranceWithPlainJacobisSweeps) {
  const auto a = poisson<double, 2>({40, 40});
  const std::vector<double> b = ones(a.rows());
  std::vector<double> x(b.size()), y(b.size());
  const Stop stop{.relative = 1e-6, .norm = Norm::max_residual, .check_every = 1};
  const Report plain_one = Solver<double>(a, plain()).solve(b, x, stop);
  const Report half = Solver<double>(a, red_black()).solve(b, y, stop);
  ASSERT_TRUE(plain_one.converged() && half.converged());
  // the residual is all on one colour, and there twice what plain Jacobi's is
  const double later = std::log(2.0) / -std::log(1 - bounds(a).low);
  EXPECT_NEAR(static_cast<double>(half.sweeps - plain_one.sweeps), later, 4);
  EXPECT_LT(*half.work, 0.6 * static_cast<double>(plain_one.sweeps));
}

/// One sweep would change nothing here: the source is red, the first points to be updated are black.
TEST(RedBlack, ASourceOnTheOtherColourIsNoConvergence) {
  const auto a = poisson<double, 2>({9, 9});
  for (const Index p : {40, 41}) {
    std::vector<double> b(81), x(81);
    b[static_cast<std::size_t>(p)] = 1;
    const Report r = Solver<double>(a, red_black())
                         .solve(b, x, {.relative = 1e-9, .norm = Norm::update, .check_every = 1});
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_GT(r.sweeps, 100);
    EXPECT_LT(a.residual_norms(b, x).l2, 1e-6);
  }
}

TEST(RedBlack, ConvergesWithoutADirichletSideWherePlainJacobiDoesNot) {
  Sides<double, 2> sides;
  for (auto& pair : sides)
    pair = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto a = poisson(make_grid<double, 2>({16, 16}, {0, 0}, {1, 1}, sides));
  std::vector<double> b(256), x(256), y(256);
  for (std::size_t p = 0; p < 256; ++p) b[p] = p % 16 < 8 ? 1 : -1;
  b[0] += 1;  // both colours see it differently: a chequerboard mode
  b[1] -= 1;
  const Stop stop{.relative = 1e-8, .max_sweeps = 5000};
  EXPECT_FALSE(Solver<double>(a, plain()).solve(b, x, stop).converged());
  const Report r = Solver<double>(a, red_black()).solve(b, y, stop);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(a.residual_norms(b, y).l2, 1.01 * r.tolerance);
}

TEST(RedBlack, CyclicChebyshevHasTheStepsOfChebyshevForASymmetricSpectrum) {
  const Method whole = chebyshev({0.01, 1.99}), half = cyclic_chebyshev(0.01);
  Step a, b;
  for (Index n = 0; n < 50; ++n) {
    a = whole.step(n, a);
    b = half.step(n, b);
    EXPECT_EQ(b.omega, 1);
    EXPECT_EQ(b.rho, a.rho);
  }
  EXPECT_EQ(half.rate, whole.rate);
}

/// Rounding apart: whole steps take omega = 1 through a difference with x_n, which one colour has not.
TEST(RedBlack, CyclicChebyshevHasTheValuesOfChebyshevColourByColour) {
  const auto a = poisson<double, 2>({30, 41});
  const std::vector<double> b = ones(a.rows());
  const double low = bounds(a).low;
  for (const Index n : {1, 2, 5, 60, 61}) {
    std::vector<double> last(b.size()), before(b.size()), half(b.size());
    const Stop stop{.relative = 0, .max_sweeps = n}, one_less{.relative = 0, .max_sweeps = n - 1};
    Solver<double>(a, chebyshev({low, 2 - low})).solve(b, last, stop);
    Solver<double>(a, chebyshev({low, 2 - low})).solve(b, before, one_less);
    Solver<double>(a, cyclic_chebyshev(low)).solve(b, half, stop);
    for (Index p = 0; p < a.rows(); ++p) {
      const bool black = (p % 30 + p / 30) % 2 == 1;
      const double expected = black == (n % 2 == 1) ? last[p] : before[p];
      EXPECT_NEAR(half[p], expected, 1e-12) << n << " sweeps, point " << p;
    }
  }
}

TEST(RedBlack, CyclicChebyshevSolvesWhereCoefficientsJump) {
  std::vector<double> k(40 * 40, 1.0);  // at all points, boundary included
  for (std::size_t p = 0; p < k.size(); ++p)
    if (p % 40 > 20) k[p] = 1e3;
  const auto a = diffusion<double, 2>(poisson<double, 2>({38, 38}).grid(), std::span<const double>(k));
  std::vector<double> b = ones(a.rows()), x(b.size()), y(b.size());
  const Report half = Solver<double>(a, cyclic_chebyshev(bounds(a).low)).solve(b, x, {.relative = 1e-8});
  const Report whole = Solver<double>(a, chebyshev(bounds(a))).solve(b, y, {.relative = 1e-8});
  ASSERT_TRUE(half.converged() && whole.converged());
  EXPECT_LT(*half.work, 0.8 * static_cast<double>(whole.sweeps));
}

TEST(RedBlack, SweepsAMatrixThatIsAGrid) {
  const Index n = 50;
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (Index j = std::max<Index>(0, i - 1); j <= std::min(n - 1, i + 1); ++j)
      entries.push_back({i, j, i == j ? 2.5 : -1});
  const auto a = Csr<double>::from_entries(n, entries);
  std::vector<double> b = ones(n), x(b.size());
  EXPECT_TRUE(Solver<double>(a, red_black()).solve(b, x).converged());
  Plan plan = red_black();
  plan.recognise_grids = false;
  EXPECT_THROW(Solver<double>(a, plan), UsageError);
}

TEST(RedBlack, RefusesWhatHasNoTwoColours) {
  const Operator<double> a = poisson<double, 2>({20, 20});
  const auto on = backend("serial");
  Plan tiled(red_black());
  tiled.by = Tiling{{8, 8, 1}, 2, {1, 1, 0}};
  Plan cycles(red_black());
  cycles.by = Multigrid{};
  EXPECT_THROW(on->bind(a, tiled), UsageError);
  EXPECT_THROW(on->bind(a, cycles), UsageError);
  EXPECT_THROW(on->bind(a, {red_black(), "simd"}), UsageError);
  EXPECT_NO_THROW(on->bind(a, {red_black(), "tiled"}));
  const std::vector<double> entries = {2, 1, 1, 2};
  EXPECT_THROW(on->bind(Operator<double>(Dense<double>::view(entries, 2)), red_black()), UsageError);
  EXPECT_THROW(on->bind(a, red_black())->advance(std::vector<Step>{{0.9, 1}}, Want::nothing), UsageError);
  for (const double low : {0.0, -1.0, 1.5, std::nan("")}) EXPECT_THROW(cyclic_chebyshev(low), UsageError);
}

}  // namespace
}  // namespace jacobi
