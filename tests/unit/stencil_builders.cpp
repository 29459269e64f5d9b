/// The coefficients that each builder gives.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi {
namespace {

using test::dense;

TEST(Stencil, TridiagonalIsLowerDiagonalUpper) {
  const auto a = tridiagonal<double>(4, -1, 5, -2);
  EXPECT_TRUE(a.is_constant());
  EXPECT_EQ(a.rows(), 4);
  const auto m = dense(a);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_EQ(m.at(i, j), j + 1 == i ? -1 : j == i ? 5 : j == i + 1 ? -2 : 0) << i << ", " << j;
}

TEST(Stencil, PentadiagonalTakesWestCenterEastSouthNorth) {
  const auto a = pentadiagonal<double>({3, 2}, 1, 10, 2, 3, 4);
  EXPECT_EQ(a.center(0), 10);
  EXPECT_EQ(a.off(Direction::west, 0), 1);
  EXPECT_EQ(a.off(Direction::east, 0), 2);
  EXPECT_EQ(a.off(Direction::south, 0), 3);
  EXPECT_EQ(a.off(Direction::north, 0), 4);
  const auto r = a.residual_norms(std::vector<double>(6), std::vector<double>{0, 1, 0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(r.l2, std::sqrt(2. * 2 + 10 * 10 + 1 * 1 + 3 * 3));  // the column of point (1, 0)
}

TEST(Stencil, HeptadiagonalTakesBackAndFrontLast) {
  const auto a = heptadiagonal<float>({2, 3, 4}, 1, 10, 2, 3, 4, 5, 6);
  EXPECT_EQ(a.rows(), 24);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(a.off(k, 7), static_cast<float>(k + 1)) << k;
  EXPECT_EQ(a.center(7), 10.0F);
}

TEST(Stencil, PoissonOnTheUnitSquareHasInverseSquaresOfTheSpacing) {
  const auto a = poisson<double, 2>({7, 3});  // spacing 1/8 and 1/4
  EXPECT_DOUBLE_EQ(a.grid().spacing[0], 0.125);
  EXPECT_DOUBLE_EQ(a.grid().spacing[1], 0.25);
  EXPECT_DOUBLE_EQ(a.off(Direction::west, 0), -64);
  EXPECT_DOUBLE_EQ(a.off(Direction::east, 0), -64);
  EXPECT_DOUBLE_EQ(a.off(Direction::south, 0), -16);
  EXPECT_DOUBLE_EQ(a.off(Direction::north, 0), -16);
  EXPECT_DOUBLE_EQ(a.center(0), 160);
}

TEST(Stencil, ReactionAddsToTheDiagonalAlone) {
  const auto a = poisson(unit_grid<double, 1>({3}), 2.5);
  EXPECT_DOUBLE_EQ(a.center(0), 34.5);
  EXPECT_DOUBLE_EQ(a.off(Direction::west, 0), -16);
}

TEST(Grid, SidesDecideWhichPointsAreUnknowns) {
  Sides<double, 3> sides;
  sides[1] = {Side<double>{BoundaryKind::neumann}, Side<double>{}};
  sides[2] = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto grid = make_grid<double, 3>({5, 5, 5}, {0, 1, 2}, {1, 3, 4}, sides);
  EXPECT_EQ(grid.unknowns, (std::array<Index, 3>{3, 4, 5}));
  EXPECT_DOUBLE_EQ(grid.spacing[0], 0.25);
  EXPECT_DOUBLE_EQ(grid.spacing[1], 0.5);
  EXPECT_DOUBLE_EQ(grid.spacing[2], 0.4);  // length over points: the first one is not repeated
  EXPECT_DOUBLE_EQ(grid.origin[0], 0.25);
  EXPECT_DOUBLE_EQ(grid.origin[1], 1);
  EXPECT_DOUBLE_EQ(grid.origin[2], 2);
  EXPECT_DOUBLE_EQ(grid.coordinate(2, 4), 3.6);
  EXPECT_EQ(grid.name(3 + 3 * 4), "(0, 1, 1)");
}

TEST(Stencil, NeumannDoublesTheCoefficientTowardsTheInside) {
  Sides<double, 1> sides;
  sides[0][1] = {BoundaryKind::neumann, {3.0}};
  const auto a = poisson(make_grid<double, 1>({5}, {0}, {1}, sides));
  const auto m = dense(a);
  EXPECT_DOUBLE_EQ(m.at(3, 2), -32);
  EXPECT_DOUBLE_EQ(m.at(3, 3), 32);
  ASSERT_EQ(a.neumann_flux(Direction::east).size(), 1U);
  EXPECT_DOUBLE_EQ(a.neumann_flux(Direction::east)[0], 2 * 3.0 / 0.25);
  EXPECT_TRUE(a.neumann_flux(Direction::west).empty());
  std::vector<double> b(4, 1.0);
  a.fold(b, b);
  EXPECT_EQ(b, (std::vector<double>{1, 1, 1, 25}));
}

TEST(Stencil, PeriodicCouplesBothEnds) {
  Sides<double, 1> sides;
  sides[0] = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto a = poisson(make_grid<double, 1>({4}, {0}, {1}, sides));
  std::vector<double> x{1, 0, 0, 0}, b(4);
  EXPECT_EQ(a.residual_norms(b, x).l2, std::sqrt(32. * 32 + 16 * 16 + 16 * 16));
  EXPECT_TRUE(a.singular());
}

TEST(Stencil, DiffusionTakesHarmonicMeansAtTheFaces) {
  const std::vector<double> k{1, 2, 3, 5, 7};  // both Dirichlet points included
  const auto a = diffusion<double, 1>(unit_grid<double, 1>({3}), k);
  const auto mean = [](double k1, double k2) { return 2 * k1 * k2 / (k1 + k2); };
  for (Index p = 0; p < 3; ++p) {
    const double low = 16 * mean(k[p], k[p + 1]), high = 16 * mean(k[p + 1], k[p + 2]);
    EXPECT_DOUBLE_EQ(a.off(Direction::west, p), -low);
    EXPECT_DOUBLE_EQ(a.off(Direction::east, p), -high);
    EXPECT_DOUBLE_EQ(a.center(p), low + high);
  }
  EXPECT_FALSE(a.is_constant());
}

TEST(Stencil, DiffusionGivesANeumannSideItsOwnConductivity) {
  Sides<double, 2> sides;
  sides[0][0] = {BoundaryKind::neumann, {0.5}};
  const auto grid = make_grid<double, 2>({3, 3}, {0, 0}, {1, 1}, sides);  // unknowns 2 x 1, k on 3 x 3
  const std::vector<double> k{1, 1, 1, 3, 5, 1, 1, 1, 1};
  const auto a = diffusion<double, 2>(grid, k, std::vector<double>{0.25});
  ASSERT_EQ(a.neumann_flux(Direction::west).size(), 1U);
  EXPECT_DOUBLE_EQ(a.neumann_flux(Direction::west)[0], 2 * 3 * 0.5 / 0.5);
  EXPECT_DOUBLE_EQ(a.off(Direction::west, 0), a.off(Direction::east, 0));  // the mirrored face
  EXPECT_DOUBLE_EQ(a.off(Direction::east, 0), -4 * 2 * 3. * 5 / 8);
  EXPECT_DOUBLE_EQ(a.off(Direction::south, 0), -4 * 2 * 3. * 1 / 4);
  EXPECT_DOUBLE_EQ(a.center(0), 2 * 15 + 2 * 6 + 0.25);
}

TEST(Stencil, DiffusionOfOneIsPoisson) {
  Sides<double, 2> sides;
  sides[1] = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto grid = make_grid<double, 2>({6, 5}, {0, 0}, {1, 2}, sides);
  const auto a = poisson(grid, 1.5);
  const auto v = diffusion<double, 2>(grid, std::vector<double>(30, 1.0), std::vector<double>{1.5});
  for (Index p = 0; p < a.rows(); ++p) {
    for (int k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(a.off(k, p), v.off(k, p));
    EXPECT_DOUBLE_EQ(a.center(p), v.center(p));
  }
}

TEST(Stencil, ABatchHoldsEveryProblemWithoutMixingThem) {
  auto grid = unit_grid<double, 1>({4});
  grid.sides[0][0].values = {3};
  const auto one = poisson(grid, 2.5);
  const auto all = batch(one, 3);
  ASSERT_EQ(all.rows(), 12);
  std::vector<double> b(12), x(12), b1(4), x1(4);
  double squares = 0;
  for (Index c = 0; c < 3; ++c) {
    for (Index i = 0; i < 4; ++i) {
      b1[i] = b[c + 3 * i] = std::sin(1.0 + static_cast<double>(c + 7 * i));
      x1[i] = x[c + 3 * i] = std::cos(2.0 * static_cast<double>(c * i));
    }
    const double r = one.residual_norms(b1, x1).l2;
    squares += r * r;
  }
  EXPECT_NEAR(all.residual_norms(b, x).l2, std::sqrt(squares), 1e-12 * std::sqrt(squares));
  EXPECT_NEAR(all.slowest_mode(), one.slowest_mode(), 1e-14);
  EXPECT_THROW(batch(one, 0), UsageError);
  EXPECT_THROW(batch(diffusion<double, 1>(unit_grid<double, 1>({3}), std::vector<double>{1, 2, 3, 5, 7}), 2),
               UsageError);
}

TEST(Stencil, VariableKeepsViewsOfTheCallersArrays) {
  const std::vector<double> center{2, 3}, low{0, -1}, high{-1, 0};
  const auto a = Stencil<double, 1>::variable(unit_grid<double, 1>({2}), center, {low, high});
  EXPECT_EQ(a.center().data(), center.data());
  EXPECT_EQ(a.off(Direction::east).data(), high.data());
}

}  // namespace
}  // namespace jacobi
