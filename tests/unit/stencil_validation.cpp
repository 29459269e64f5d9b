/// What is refused, and in which words.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::message_of;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// 4 x 3 unknowns with one array per diagonal, to be spoiled one entry at a time.
struct Arrays {
  Grid<double, 2> grid = unit_grid<double, 2>({4, 3});
  std::vector<double> center = std::vector<double>(12, 4.0);
  std::array<std::vector<double>, 4> off = {center, center, center, center};
  Stencil<double, 2> make() const {
    return Stencil<double, 2>::variable(grid, center, {off[0], off[1], off[2], off[3]});
  }
};

TEST(Stencil, NamesThePointOfAZeroDiagonal) {
  Arrays a;
  a.center[3 + 4 * 2] = 0;
  EXPECT_EQ(message_of<InputError>([&] { a.make(); }), "ZeroDiagonal: point (3, 2)");
  EXPECT_EQ(message_of<InputError>([] { tridiagonal<double>(5, -1, 0, -1); }), "ZeroDiagonal: all points");
  EXPECT_EQ(message_of<InputError>([] { tridiagonal<float>(5, -1, -0.0F, -1); }), "ZeroDiagonal: all points");
}

TEST(Stencil, NamesANonFiniteCoefficient) {
  Arrays a;
  a.off[2][1 + 4 * 1] = nan;
  EXPECT_EQ(message_of<InputError>([&] { a.make(); }), "NonFiniteCoefficient: south of point (1, 1) is nan");
  Arrays b;
  b.center[2] = inf;
  EXPECT_EQ(message_of<InputError>([&] { b.make(); }), "NonFiniteDiagonal: point (2, 0) has inf");
  EXPECT_NE(message_of<InputError>([] { tridiagonal<double>(5, -inf, 1, -1); }).find("west of all points"),
            std::string::npos);
}

TEST(Stencil, RefusesArraysOfAnotherLength) {
  Arrays a;
  a.off[3].pop_back();
  const std::string text = message_of<UsageError>([&] { a.make(); });
  EXPECT_PRED2(io_test::contains, text, "'north' has 11 values for 12 unknowns");
  Arrays b;
  b.center.push_back(4);
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { b.make(); }), "'center' has 13 values");
}

TEST(Stencil, RefusesGridsWithoutUnknowns) {
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([] { poisson<double, 2>({4, 0}); }), "in y, not 0");
  EXPECT_NE(message_of<UsageError>([] { tridiagonal<double>(-3, -1, 2, -1); }), "");
  const Index huge = Index{1} << 31;
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] {
                 poisson<double, 3>({huge, huge, huge});
               }),
               "more unknowns than can be addressed");
}

TEST(Grid, RefusesTooFewPointsAndEmptyBoxes) {
  const auto grid = [](Index n, double low, double high) { make_grid<double, 1>({n}, {low}, {high}); };
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { grid(2, 0, 1); }), "at least 3");
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { grid(5, 1, 0); }), "[1, 0]");
  EXPECT_NE(message_of<UsageError>([&] { grid(5, 1, 1); }), "");
  EXPECT_NE(message_of<UsageError>([&] { grid(5, 0, inf); }), "");
  EXPECT_NE(message_of<UsageError>([&] { grid(5, nan, 1); }), "");
  EXPECT_NO_THROW(grid(3, 0, 1));
}

TEST(Grid, RefusesAPeriodOfOneSideOnly) {
  for (int e = 0; e < 2; ++e) {
    Sides<double, 2> sides;
    sides[1][e].kind = BoundaryKind::periodic;
    EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] {
                   make_grid<double, 2>({5, 5}, {0, 0}, {1, 1}, sides);
                 }),
                 "direction y is periodic on one side only");
    auto grid = unit_grid<double, 2>({4, 4});  // the operator itself is as careful
    grid.sides = sides;
    EXPECT_NE(message_of<UsageError>([&] { poisson(grid); }), "");
  }
}

TEST(Stencil, NeedsTwoUnknownsAcrossAMirrorOrAPeriod) {
  auto grid = unit_grid<double, 2>({1, 4});
  grid.sides[0][0].kind = BoundaryKind::neumann;
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { poisson(grid); }), "2 unknowns are needed");
}

TEST(Stencil, RefusesBoundaryValuesThatDoNotFit) {
  auto grid = unit_grid<double, 2>({4, 3});
  grid.sides[1][1].values = {1, 2, 3};
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] { poisson(grid); }),
               "the north side has 4 points, and 3 values were given");
  grid.sides[1][1].values = {1, 2, nan, 4};
  EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { poisson(grid); }),
               "boundary value 2 of the north side is nan");
}

TEST(Stencil, DiffusionRefusesConductivityThatIsNotPositive) {
  const auto grid = unit_grid<double, 2>({2, 2});  // 4 x 4 points
  for (const double bad : {0.0, -1.0, nan, inf}) {
    std::vector<double> k(16, 1.0);
    k[1 + 4 * 3] = bad;
    EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { diffusion<double, 2>(grid, k); }), "(1, 3)");
  }
  EXPECT_PRED2(io_test::contains,
               message_of<UsageError>([&] { diffusion<double, 2>(grid, std::vector<double>(4, 1.0)); }),
               "4 values for 16 grid points");
  EXPECT_PRED2(io_test::contains, message_of<UsageError>([&] {
                 diffusion<double, 2>(grid, std::vector<double>(16, 1.0), std::vector<double>(3, 1.0));
               }),
               "3 values for 4 unknowns");
}

TEST(Stencil, RefusesNegativeReactions) {
  const auto grid = unit_grid<double, 2>({2, 2});
  std::vector<double> c(4, 1.0);
  c[2] = -1e-3;
  EXPECT_PRED2(io_test::contains,
               message_of<InputError>([&] { diffusion<double, 2>(grid, std::vector<double>(16, 1.0), c); }),
               "(0, 1)");
  EXPECT_NE(message_of<InputError>([&] { poisson(grid, -1); }), "");
  EXPECT_NE(message_of<InputError>([&] { poisson(grid, nan); }), "");
  EXPECT_NO_THROW(poisson(grid, 0));
}

TEST(Stencil, RefusesASingularOperatorThatIsNotSymmetric) {
  Sides<double, 1> sides;
  sides[0] = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto grid = make_grid<double, 1>({6}, {0}, {1}, sides);
  const auto make = [&](double w, double c, double e) {
    return Stencil<double, 1>::constant(grid, c, {w, e});
  };
  EXPECT_PRED2(io_test::contains, message_of<InputError>([&] { make(-1.5, 2, -0.5); }), "not symmetric");
  EXPECT_TRUE(make(-1, 2, -1).singular());
  EXPECT_FALSE(make(-1.5, 2.5, -0.5).singular());  // not singular: may be as it likes
}

TEST(Stencil, IsSingularOnlyWithoutDirichletSidesAndReaction) {
  using enum BoundaryKind;
  const auto with = [](BoundaryKind x0, BoundaryKind x1, BoundaryKind y, double c) {
    Sides<float, 2> sides;
    sides[0] = {Side<float>{x0}, Side<float>{x1}};
    sides[1] = {Side<float>{y}, Side<float>{y}};
    return poisson(make_grid<float, 2>({7, 6}, {0, 0}, {1, 3}, sides), c).singular();
  };
  EXPECT_TRUE(with(neumann, neumann, periodic, 0));
  EXPECT_TRUE(with(neumann, neumann, neumann, 0));
  EXPECT_TRUE(with(periodic, periodic, periodic, 0));
  EXPECT_FALSE(with(periodic, periodic, dirichlet, 0));
  EXPECT_FALSE(with(neumann, dirichlet, periodic, 0));
  EXPECT_FALSE(with(periodic, periodic, periodic, 0.5));
}

TEST(Stencil, DiffusionWithoutDirichletSidesIsSingularToo) {
  Sides<double, 2> sides;
  for (auto& pair : sides) pair = {Side<double>{BoundaryKind::neumann}, Side<double>{BoundaryKind::neumann}};
  const auto grid = make_grid<double, 2>({5, 4}, {0, 0}, {1, 1}, sides);
  std::vector<double> k(20);
  for (std::size_t i = 0; i < 20; ++i) k[i] = 1 + 0.1 * static_cast<double>(i * i % 7);
  const auto a = diffusion<double, 2>(grid, k);
  EXPECT_TRUE(a.singular());
  EXPECT_EQ(a.weight(0), 0.25);
  EXPECT_EQ(a.weight(2), 0.5);
  EXPECT_EQ(a.weight(2 + 5), 1);
}

}  // namespace
}  // namespace jacobi
