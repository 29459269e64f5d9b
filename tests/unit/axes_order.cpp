/// Stretched grids, and grids around an axis, against known solutions: of second order.
#include <gtest/gtest.h>

#include "axes.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::test {
namespace {

constexpr double within = 0.1;

/// With a wrong volume, or a face's coefficient from index space, orders fall to 1 or less.
TEST(Axes, AreOfSecondOrderIn1DWithEveryKindOfSide) {
  for (const Kind low : {Kind::dirichlet, Kind::neumann, Kind::robin})
    for (const Kind high : {Kind::dirichlet, Kind::neumann, Kind::robin}) {
      const Known<1> known{{square}, {{{low, high}}}, Coordinates::cartesian, {2}, {0.3}};
      EXPECT_NEAR((order_of<double, 1>(known, 12)), 2, within)
          << static_cast<int>(low) << " " << static_cast<int>(high);
    }
}

TEST(Axes, AreOfSecondOrderIn2DWithEveryKindOfSide) {
  for (const Kind kind : {Kind::dirichlet, Kind::neumann, Kind::robin}) {
    const Known<2> known{{square, sinh_map},
                         {{{kind, Kind::dirichlet}, {Kind::neumann, kind}}},
                         Coordinates::cartesian,
                         {2, 1.5},
                         {0.3, 0.4}};
    EXPECT_NEAR((order_of<double, 2>(known, 8)), 2, within) << static_cast<int>(kind);
  }
}

TEST(Axes, AreOfSecondOrderWhereOneIsPeriodicAndStretched) {
  const double whole = 2 * std::acos(-1.0);
  const Map wave = [=](double s) { return s + 0.1 * std::sin(whole * s); };
  const Known<2> known{{wave, square},
                       {{{Kind::periodic, Kind::periodic}, {Kind::dirichlet, Kind::robin}}},
                       Coordinates::cartesian,
                       {whole, 1.5},
                       {0.3, 0.4},
                       0};
  EXPECT_NEAR((order_of<double, 2>(known, 8)), 2, within);
}

TEST(Axes, AreOfSecondOrderIn3D) {
  const Known<3> known{
      {square, {}, sinh_map},
      {{{Kind::dirichlet, Kind::neumann}, {Kind::robin, Kind::dirichlet}, {Kind::dirichlet, Kind::robin}}},
      Coordinates::cartesian,
      {2, 1, 1.5},
      {0.3, 0.2, 0.4}};
  EXPECT_NEAR((order_of<double, 3>(known, 4)), 2, within);
}

TEST(Axes, AreOfSecondOrderAroundTheAxisOfACylinder) {
  const double quarter = std::acos(-1.0) / 2;  // u' = 0 at r = 0
  for (const Map& map : {Map(), Map(square)})
    for (const Kind outer : {Kind::dirichlet, Kind::neumann, Kind::robin}) {
      const Known<2> known{{map, sinh_map},
                           {{{Kind::neumann, outer}, {Kind::dirichlet, Kind::robin}}},
                           Coordinates::cylindrical,
                           {2, 1.5},
                           {quarter, 0.4}};
      EXPECT_NEAR((order_of<double, 2>(known, 8)), 2, within) << static_cast<int>(outer);
    }
  const Known<1> disc{
      {square}, {{{Kind::neumann, Kind::dirichlet}}}, Coordinates::cylindrical, {2}, {quarter}};
  EXPECT_NEAR((order_of<double, 1>(disc, 12)), 2, within);
}

TEST(Axes, AreOfSecondOrderBetweenTwoCircles) {
  const double whole = 2 * std::acos(-1.0);
  const Map radius = [](double s) { return 1 + 2 * square(s); }, around = [=](double s) { return whole * s; };
  const Known<2> ring{{radius, around},
                      {{{Kind::robin, Kind::dirichlet}, {Kind::periodic, Kind::periodic}}},
                      Coordinates::polar,
                      {1, 2},
                      {0.2, 0.3}};
  EXPECT_NEAR((order_of<double, 2>(ring, 8)), 2, within);
  const Known<2> wedge{{radius, square},
                       {{{Kind::dirichlet, Kind::neumann}, {Kind::robin, Kind::neumann}}},
                       Coordinates::polar,
                       {1, 2},
                       {0.2, 0.3}};
  EXPECT_NEAR((order_of<double, 2>(wedge, 8)), 2, within);
  const Known<3> pipe{
      {radius, around, square},
      {{{Kind::dirichlet, Kind::robin}, {Kind::periodic, Kind::periodic}, {Kind::dirichlet, Kind::neumann}}},
      Coordinates::cylindrical,
      {1, 1, 1},
      {0.2, 0.3, 0.2}};
  EXPECT_NEAR((order_of<double, 3>(pipe, 6)), 2, within);
}

}  // namespace
}  // namespace jacobi::test
