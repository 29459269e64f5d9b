/// Manufactured solutions: halving h divides the error by 4.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/walk.hpp"
#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

using std::numbers::pi;
using enum BoundaryKind;

using Point = std::array<double, 3>;
using Field = std::function<double(const Point&)>;

/// -div(k grad u) + c u = f on the unit box; k empty is 1.
template <int D>
struct Manufactured {
  std::array<std::array<BoundaryKind, 2>, D> kinds;
  Field u;
  std::array<Field, D> gradient;
  Field f;
  Field k = {};
  double c = 0;

  /// Largest error on the grid of n + 1 points per side (n where periodic).
  double error(Index n) const {
    std::array<Index, D> points;
    std::array<double, D> low{}, high;
    high.fill(1);
    Sides<double, D> sides;
    for (int d = 0; d < D; ++d) {
      points[d] = kinds[d][0] == periodic ? n : n + 1;
      for (int e = 0; e < 2; ++e) sides[d][e].kind = kinds[d][e];
    }
    Grid<double, D> grid = make_grid<double, D>(points, low, high, sides);
    fill_sides(grid);
    const auto a = make(grid, points);
    std::vector<double> b(a.rows()), x(a.rows()), exact(a.rows());
    walk(grid, [&](Index p, const Position<D>& at) {
      b[p] = f(place(grid, at));
      exact[p] = u(place(grid, at));
    });
    const Method method = a.singular() ? weighted(0.9) : plain();
    EXPECT_TRUE(Solver<double>(a, method, backend("serial")).solve(b, x, {.relative = 1e-9}).converged());
    double shift = 0, weights = 0, worst = 0;
    for (Index p = 0; p < a.rows(); ++p) shift += a.weight(p) * exact[p], weights += a.weight(p);
    for (Index p = 0; p < a.rows(); ++p)
      worst = std::max(worst, std::abs(x[p] - exact[p] + (a.singular() ? shift / weights : 0)));
    return worst;
  }

  static Point place(const Grid<double, D>& grid, const Position<D>& at) {
    Point point{};
    for (int d = 0; d < D; ++d) point[d] = grid.coordinate(d, at[d]);
    return point;
  }

  void fill_sides(Grid<double, D>& grid) const {
    for (int s = 0; s < 2 * D; ++s) {
      const int d = s / 2;
      Side<double>& side = grid.sides[d][s % 2];
      if (side.kind == periodic) continue;
      Grid<double, D> face = grid;
      face.unknowns[d] = 1;
      face.origin[d] = s % 2;
      walk(face, [&](Index, const Position<D>& at) {
        const Point point = place(face, at);
        side.values.push_back(side.kind == dirichlet ? u(point) : (s % 2 ? 1 : -1) * gradient[d](point));
      });
    }
  }

  Stencil<double, D> make(const Grid<double, D>& grid, const std::array<Index, D>& points) const {
    if (!k) return poisson(grid, c);
    Grid<double, D> all = grid;
    all.unknowns = points;
    all.origin.fill(0);
    std::vector<double> conductivity;
    walk(all, [&](Index, const Position<D>& at) { conductivity.push_back(k(place(all, at))); });
    return diffusion<double, D>(grid, conductivity, std::vector<double>{c});
  }
};

template <int D>
void expect_second_order(const Manufactured<D>& problem, Index n) {
  const double coarse = problem.error(n), middle = problem.error(2 * n), fine = problem.error(4 * n);
  EXPECT_GT(fine, 1e-7);  // else the tolerance of the solve would be measured
  EXPECT_NEAR(middle / fine, 4, 0.5);
  EXPECT_NEAR(coarse / middle, 4, 0.9);
}

TEST(Order, IsTwoWithDirichletValuesIn1D) {
  expect_second_order<1>({{{{dirichlet, dirichlet}}},
                          [](const Point& p) { return std::exp(p[0]) + std::sin(5 * p[0]); },
                          {},
                          [](const Point& p) { return -std::exp(p[0]) + 25 * std::sin(5 * p[0]); }},
                         12);
}

TEST(Order, IsTwoWithNeumannValuesOnEitherSideIn1D) {
  for (const bool low : {true, false})
    expect_second_order<1>({{{{low ? neumann : dirichlet, low ? dirichlet : neumann}}},
                            [](const Point& p) { return std::exp(2 * p[0]); },
                            {[](const Point& p) { return 2 * std::exp(2 * p[0]); }},
                            [](const Point& p) { return -4 * std::exp(2 * p[0]); }},
                           10);
}

TEST(Order, IsTwoOnAPeriodicLine) {
  expect_second_order<1>({{{{periodic, periodic}}},
                          [](const Point& p) { return std::exp(std::sin(2 * pi * p[0])); },
                          {},
                          [](const Point& p) {
                            const double s = std::sin(2 * pi * p[0]), c = std::cos(2 * pi * p[0]);
                            return -4 * pi * pi * std::exp(s) * (c * c - s);
                          }},
                         16);
}

TEST(Order, IsTwoWithAReaction) {
  expect_second_order<1>({{{{neumann, neumann}}},
                          [](const Point& p) { return std::cos(3 * p[0]); },
                          {[](const Point& p) { return -3 * std::sin(3 * p[0]); }},
                          [](const Point& p) { return (9 + 7) * std::cos(3 * p[0]); },
                          {},
                          7},
                         10);
}

/// k = 1 + x + y, u = sin(2 x + y): k' != 0 at every side.
Manufactured<2> variable(BoundaryKind low, BoundaryKind high, double c) {
  return {{{{low, dirichlet}, {dirichlet, high}}},
          [](const Point& p) { return std::sin(2 * p[0] + p[1]); },
          {[](const Point& p) { return 2 * std::cos(2 * p[0] + p[1]); },
           [](const Point& p) { return std::cos(2 * p[0] + p[1]); }},
          [c](const Point& p) {
            const double s = std::sin(2 * p[0] + p[1]), q = std::cos(2 * p[0] + p[1]);
            return -3 * q + (1 + p[0] + p[1]) * 5 * s + c * s;
          },
          [](const Point& p) { return 1 + p[0] + p[1]; },
          c};
}

TEST(Order, IsTwoWithVariableDiffusionAndDirichletValues) {
  expect_second_order<2>(variable(dirichlet, dirichlet, 0), 6);
}

TEST(Order, IsTwoWithVariableDiffusionAtNeumannSides) {
  expect_second_order<2>(variable(neumann, neumann, 0), 6);
}

TEST(Order, IsTwoWithVariableDiffusionReactionAndNeumannSides) {
  expect_second_order<2>(variable(neumann, dirichlet, 3), 6);
  expect_second_order<2>(variable(dirichlet, neumann, 3), 6);
}

TEST(Order, IsTwoWithMixedSidesIn2D) {
  expect_second_order<2>(
      {{{{periodic, periodic}, {neumann, dirichlet}}},
       [](const Point& p) { return std::sin(2 * pi * p[0]) * std::exp(p[1]); },
       {Field{}, [](const Point& p) { return std::sin(2 * pi * p[0]) * std::exp(p[1]); }},
       [](const Point& p) { return (4 * pi * pi - 1) * std::sin(2 * pi * p[0]) * std::exp(p[1]); }},
      8);
}

TEST(Order, IsTwoIn3D) {
  const Field u = [](const Point& p) { return std::sin(2 * p[0]) * std::exp(p[1]) * std::cos(3 * p[2]); };
  expect_second_order<3>(
      {{{{dirichlet, dirichlet}, {neumann, dirichlet}, {dirichlet, neumann}}},
       u,
       {Field{}, u,
        [](const Point& p) { return -3 * std::sin(2 * p[0]) * std::exp(p[1]) * std::sin(3 * p[2]); }},
       [u](const Point& p) { return (4 - 1 + 9) * u(p); }},
      5);
}

TEST(Order, IsTwoOnAnAllNeumannSquare) {
  expect_second_order<2>(
      {{{{neumann, neumann}, {neumann, neumann}}},
       [](const Point& p) { return std::cos(2 * p[0]) * std::cos(pi * p[1]); },
       {[](const Point& p) { return -2 * std::sin(2 * p[0]) * std::cos(pi * p[1]); },
        [](const Point& p) { return -pi * std::cos(2 * p[0]) * std::sin(pi * p[1]); }},
       [](const Point& p) { return (4 + pi * pi) * std::cos(2 * p[0]) * std::cos(pi * p[1]); }},
      8);
}

}  // namespace
}  // namespace jacobi
