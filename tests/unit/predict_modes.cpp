/// Predictions against power iteration on the dense matrix, and against counted sweeps.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi {
namespace {

using std::numbers::pi;
using enum BoundaryKind;

/// Largest eigenvalue magnitude of I - omega D^-1 A, by power iteration; constants are left out where A is
/// singular. All eigenvalues are real here.
template <int D>
double power_radius(const Stencil<double, D>& a, double omega) {
  const auto m = test::dense(a);
  const std::size_t n = m.rows;
  std::vector<double> v(n), next(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(1.0 + static_cast<double>(i * i)) + 0.1;
  double growth = 0;
  for (int step = 0; step < 6000; ++step) {
    if (a.singular()) {
      double sum = 0, weights = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sum += a.weight(static_cast<Index>(i)) * v[i];
        weights += a.weight(static_cast<Index>(i));
      }
      for (double& value : v) value -= sum / weights;
    }
    double before = 0, after = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double w = a.weight(static_cast<Index>(i));
      double row = 0;
      for (std::size_t j = 0; j < n; ++j) row += m.at(i, j) * v[j];
      next[i] = v[i] - omega * row / m.diagonal[i];
      before += w * v[i] * v[i];
      after += w * next[i] * next[i];
    }
    growth = std::sqrt(after / before);
    for (std::size_t i = 0; i < n; ++i) v[i] = next[i] / std::sqrt(after);
  }
  return growth;
}

template <int D>
void expect_exact(std::array<std::array<BoundaryKind, 2>, D> kinds, std::array<Index, D> points,
                  std::array<double, D> lengths, double omega, double reaction = 0) {
  Sides<double, D> sides;
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) sides[d][e].kind = kinds[d][e];
  const auto a = poisson(make_grid<double, D>(points, {}, lengths, sides), reaction);
  const std::vector<double> b(a.rows()), x(a.rows(), 1.0);
  const Plan plan = omega == 1 ? plain() : weighted(omega);
  const Prediction p = predict<double>(Operator<double>(a), plan, b, x, {});
  const double truth = power_radius(a, omega);
  if (p.exact) {
    EXPECT_NEAR(p.spectral_radius, truth, 1e-5);
  }
  EXPECT_LE(p.spectral_radius, truth + 1e-5);
}

TEST(Predict, RadiusIsThatOfThePowerIterationWithDirichletSides) {
  expect_exact<1>({{{dirichlet, dirichlet}}}, {14}, {1}, 1);
  expect_exact<2>({{{dirichlet, dirichlet}, {dirichlet, dirichlet}}}, {9, 7}, {1, 2}, 1);
  expect_exact<2>({{{dirichlet, dirichlet}, {dirichlet, dirichlet}}}, {9, 7}, {1, 2}, 0.8);
  expect_exact<2>({{{dirichlet, dirichlet}, {dirichlet, dirichlet}}}, {6, 7}, {1, 1}, 1, 20);
  expect_exact<3>({{{dirichlet, dirichlet}, {dirichlet, dirichlet}, {dirichlet, dirichlet}}}, {5, 6, 4},
                  {1, 1, 1}, 1);
}

TEST(Predict, RadiusIsThatOfThePowerIterationWithMixedSides) {
  expect_exact<1>({{{neumann, dirichlet}}}, {9}, {1}, 1);
  expect_exact<1>({{{dirichlet, neumann}}}, {9}, {1}, 0.7);
  expect_exact<2>({{{neumann, neumann}, {dirichlet, neumann}}}, {6, 7}, {1, 1}, 1);
  expect_exact<2>({{{periodic, periodic}, {dirichlet, dirichlet}}}, {6, 7}, {1, 1}, 1);
  expect_exact<2>({{{periodic, periodic}, {neumann, neumann}}}, {6, 7}, {1, 1}, 1, 5);
}

TEST(Predict, RadiusIsThatOfThePowerIterationWithoutDirichletSides) {
  expect_exact<1>({{{neumann, neumann}}}, {9}, {1}, 0.9);
  expect_exact<1>({{{periodic, periodic}}}, {10}, {1}, 0.9);
  expect_exact<2>({{{periodic, periodic}, {neumann, neumann}}}, {8, 7}, {1, 2}, 0.9);
}

TEST(Predict, RadiusHoldsForAnOddPeriodToo) {
  expect_exact<1>({{{periodic, periodic}}}, {9}, {1}, 1);
  expect_exact<1>({{{periodic, periodic}}}, {9}, {1}, 0.9);
  expect_exact<2>({{{periodic, periodic}, {dirichlet, dirichlet}}}, {5, 6}, {1, 1}, 1);
  expect_exact<2>({{{periodic, periodic}, {dirichlet, dirichlet}}}, {5, 6}, {1, 1}, 1.2);
}

TEST(Predict, RadiusHoldsWhereTheLongerDirectionIsNotTheSlower) {
  // angle / h is 6.28 in x and 6.35 in y, the eigenvalues are 39.4 and 27.5
  expect_exact<2>({{{periodic, periodic}, {periodic, periodic}}}, {40, 4}, {1, 0.99}, 0.9);
}

template <class T>
Index counted(double omega, const Stop& stop, double& predicted) {
  const Index n = 30;
  const auto a = poisson<T, 2>({n, n});
  std::vector<T> b(a.rows()), x(a.rows());
  for (Index p = 0; p < a.rows(); ++p)
    b[p] = static_cast<T>(std::sin(pi * a.grid().coordinate(0, p % n)) *
                          std::sin(pi * a.grid().coordinate(1, p / n)));
  const Plan plan = omega == 1 ? plain() : weighted(omega);
  const Prediction p = predict<T>(Operator<T>(a), plan, b, x, stop);
  EXPECT_TRUE(p.exact);
  const Report r = Solver<T>(a, plan).solve(b, x, stop);
  EXPECT_TRUE(r.converged());
  EXPECT_NEAR(p.norm_initial, r.norm_initial, 1e-6 * r.norm_initial);
  EXPECT_NEAR(p.tolerance, r.tolerance, 1e-6 * r.tolerance);
  predicted = p.sweeps.value_or(-1);
  return r.sweeps;
}

TEST(Predict, CountsTheSweepsOfASlowestModeWithinFivePercent) {
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update})
    for (const double omega : {1.0, 0.7}) {
      double predicted = 0;
      const Index sweeps =
          counted<double>(omega, {.relative = 1e-5, .norm = norm, .check_every = 1}, predicted);
      EXPECT_NEAR(predicted, static_cast<double>(sweeps), 0.05 * static_cast<double>(sweeps)) << name(norm);
      EXPECT_GT(sweeps, 1000);
    }
}

TEST(Predict, SaysNothingWhereNothingCanBeSaid) {
  const Operator<double> a = tridiagonal<double>(50, -1, 1, -1);  // diverges
  const std::vector<double> b(50, 1.0), x(50);
  EXPECT_FALSE(predict<double>(a, plain(), b, x, {}).sweeps.has_value());
  const Operator<double> good = tridiagonal<double>(50, -1, 2, -1);
  EXPECT_FALSE(predict<double>(good, plain(), b, x, {.relative = 0}).sweeps.has_value());
  EXPECT_EQ(predict<double>(good, plain(), b, x, {.absolute = 1e9}).sweeps.value_or(-1), 0);
}

TEST(Predict, CallsNonsymmetricAndVariableOperatorsEstimates) {
  const std::vector<double> b(9), x(9), k(11, 2.0);
  EXPECT_FALSE(predict<double>(tridiagonal<double>(9, -1, 3, -2), plain(), b, x, {}).exact);
  EXPECT_FALSE(predict<double>(diffusion<double, 1>(unit_grid<double, 1>({9}), k), plain(), b, x, {}).exact);
}

}  // namespace
}  // namespace jacobi
