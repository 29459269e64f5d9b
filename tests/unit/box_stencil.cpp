/// Box stencils: what they are, the orders of their problems, the ends of their spectra, what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "core/walk.hpp"
#include "dense_eigenvalues.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solve.hpp"
#include "jacobi/solver.hpp"

namespace jacobi {
namespace {

using Place = std::array<double, 3>;
using Formula = std::function<double(const Place&)>;
constexpr double pi = std::numbers::pi;

/// On [0, 1] x [0, 1.5] x [0, 0.8]: spacings that differ.
template <int D>
Grid<double, D> box_grid(Index points, const Sides<double, D>& sides = {}) {
  PerDirection<Index, D> n;
  PerDirection<double, D> low{}, high;
  constexpr Place length{1, 1.5, 0.8};
  for (int d = 0; d < D; ++d) n[d] = points, high[d] = length[d];
  return make_grid<double, D>(n, low, high, sides);
}

/// A formula at the unknowns, or at all points, those on Dirichlet sides included.
template <int D>
std::vector<double> values_at(Grid<double, D> grid, const Formula& f, bool all) {
  for (int d = 0; d < D && all; ++d)
    for (int e = 0; e < 2; ++e)
      if (grid.sides[d][e].kind == BoundaryKind::dirichlet) {
        ++grid.unknowns[d];
        if (e == 0) grid.origin[d] -= grid.spacing[d];
      }
  std::vector<double> values(static_cast<std::size_t>(grid.rows()));
  walk(grid, [&](Index p, const Position<D>& at) {
    Place place{};
    for (int d = 0; d < D; ++d) place[d] = grid.coordinate(d, at[d]);
    values[static_cast<std::size_t>(p)] = f(place);
  });
  return values;
}

using MakeProblem = std::function<double(Index)>;  // cells per side -> the largest error

Stop until(double relative) {
  Stop stop;
  stop.relative = relative;
  return stop;
}

/// Orders of the errors from one of five grids to the next.
void expect_order(double order, double tolerance, Index coarsest, const MakeProblem& error) {
  double before = 0;
  for (int level = 0; level < 5; ++level) {
    const double now = error(coarsest << level);
    if (level > 1) EXPECT_NEAR(std::log2(before / now), order, tolerance) << "grid " << level;
    before = now;
  }
}

double largest_error(const BoxProblem<double>& problem, const std::vector<double>& exact) {
  const Solution<double> found = solve(problem.a, problem.b, until(1e-11));
  EXPECT_TRUE(found.report.converged() || found.report.status == Status::stagnated)
      << name(found.report.status);
  double largest = 0, mean = 0;
  if (problem.a.singular()) {  // which leaves a constant open
    double weights = 0;
    for (Index p = 0; p < problem.a.rows(); ++p) {
      mean +=
          problem.a.weight(p) * (exact[static_cast<std::size_t>(p)] - found.x[static_cast<std::size_t>(p)]);
      weights += problem.a.weight(p);
    }
    mean /= weights;
  }
  for (std::size_t p = 0; p < exact.size(); ++p)
    largest = std::max(largest, std::abs(found.x[p] + mean - exact[p]));
  return largest;
}

/// u = exp(x/2 + y/3 - z/4) + sin(2 x + y + z): values on all sides, corners among them.
template <int D>
void expect_fourth_order(Index coarsest) {
  const auto part = [](const Place& at) {
    return std::pair(at[0] / 2 + (D > 1 ? at[1] / 3 : 0) - (D > 2 ? at[2] / 4 : 0),
                     2 * at[0] + (D > 1 ? at[1] : 0) + (D > 2 ? at[2] : 0));
  };
  const double grow = 0.25 + (D > 1 ? 1.0 / 9 : 0) + (D > 2 ? 1.0 / 16 : 0), wave = 4 + (D > 1) + (D > 2);
  const Formula u = [&](const Place& at) { return std::exp(part(at).first) + std::sin(part(at).second); };
  const Formula f = [&](const Place& at) {
    return -grow * std::exp(part(at).first) + wave * std::sin(part(at).second) + 3 * u(at);
  };
  expect_order(4, 0.1, coarsest, [&](Index cells) {
    const auto grid = box_grid<D>(cells + 1);
    return largest_error(
        compact_poisson<double, D>(grid, values_at(grid, f, true), values_at(grid, u, true), 3),
        values_at(grid, u, false));
  });
}

TEST(BoxStencil, TheCompactLaplacianIsOfFourthOrderIn1D) { expect_fourth_order<1>(8); }
TEST(BoxStencil, TheCompactLaplacianIsOfFourthOrderIn2D) { expect_fourth_order<2>(8); }
TEST(BoxStencil, TheCompactLaplacianIsOfFourthOrderIn3D) { expect_fourth_order<3>(4); }

/// f has a derivative across the insulated sides, where its mirror image has a kink.
TEST(BoxStencil, TheCompactLaplacianIsOfFourthOrderWithInsulatedAndPeriodicSides) {
  Sides<double, 2> sides;
  sides[0][0].kind = sides[0][1].kind = BoundaryKind::neumann;
  sides[1][0].kind = sides[1][1].kind = BoundaryKind::periodic;
  const Formula bump = [](const Place& at) { return at[0] * at[0] * (1 - at[0]) * (1 - at[0]); };
  const auto around = [](const Place& at) { return 2 * pi * at[1] / 1.5; };
  const Formula u = [&](const Place& at) { return bump(at) * (2 + std::sin(around(at))); };
  const Formula f = [&](const Place& at) {
    const double x = at[0], k = 2 * pi / 1.5;
    return -(2 - 12 * x + 12 * x * x) * (2 + std::sin(around(at))) + k * k * bump(at) * std::sin(around(at)) +
           2 * u(at);
  };
  expect_order(4, 0.1, 8, [&](Index cells) {
    const auto grid = make_grid<double, 2>({cells + 1, cells}, {0, 0}, {1, 1.5}, sides);
    return largest_error(compact_poisson<double, 2>(grid, values_at(grid, f, true), {}, 2),
                         values_at(grid, u, false));
  });
}

TEST(BoxStencil, PeriodicOnAllSidesIsSolvedUpToAConstant) {
  Sides<double, 2> sides;
  for (auto& pair : sides) pair[0].kind = pair[1].kind = BoundaryKind::periodic;
  const Formula u = [](const Place& at) { return std::sin(2 * pi * at[0]) * std::cos(2 * pi * at[1] / 1.5); };
  const double factor = 4 * pi * pi * (1 + 1 / 2.25);
  const Formula f = [&](const Place& at) { return factor * u(at); };
  expect_order(4, 0.1, 8, [&](Index cells) {
    const auto grid = box_grid<2>(cells, sides);
    const auto problem = compact_poisson<double, 2>(grid, values_at(grid, f, true));
    EXPECT_TRUE(problem.a.singular());
    return largest_error(problem, values_at(grid, u, false));
  });
}

TEST(BoxStencil, TensorDiffusionIsOfSecondOrderIn2D) {
  const std::vector<double> k = {2, 0.9, 1};
  const Formula u = [](const Place& at) { return std::sin(2 * at[0] + at[1]) + at[0] * at[1]; };
  const Formula f = [&](const Place& at) {
    return (4 * k[0] + 2 * 2 * k[1] + k[2]) * std::sin(2 * at[0] + at[1]) - 2 * k[1];
  };
  expect_order(2, 0.1, 8, [&](Index cells) {
    const auto grid = box_grid<2>(cells + 1);
    return largest_error(
        tensor_diffusion<double, 2>(grid, k, values_at(grid, f, true), values_at(grid, u, true)),
        values_at(grid, u, false));
  });
}

TEST(BoxStencil, TensorDiffusionIsOfSecondOrderIn3D) {
  const std::vector<double> k = {2, 0.5, -0.3, 1, 0.2, 1.5};  // xx xy xz yy yz zz
  const Formula u = [](const Place& at) { return std::sin(2 * at[0] + at[1] - at[2]); };
  const double form = 4 * k[0] + k[3] + k[5] + 2 * (2 * k[1] - 2 * k[2] - k[4]);
  const Formula f = [&](const Place& at) { return form * u(at); };
  expect_order(2, 0.1, 4, [&](Index cells) {
    const auto grid = box_grid<3>(cells + 1);
    return largest_error(
        tensor_diffusion<double, 3>(grid, k, values_at(grid, f, true), values_at(grid, u, true)),
        values_at(grid, u, false));
  });
}

/// Eigenvalues of D^-1 A of its entries, dense.
template <class T>
std::pair<double, double> ends_of(const BoxStencil<T>& a) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(a.rows(), a.rows());
  for (Index p = 0; p < a.rows(); ++p)  // symmetric by the square roots of the weights
    a.each_entry(
        p, [&](Index q, T c) { dense(p, q) += c / a.diagonal() * std::sqrt(a.weight(p) / a.weight(q)); });
  return {diagnosis_test::least_eigenvalue(dense), -diagnosis_test::least_eigenvalue(-dense)};
}

template <class T, int D>
std::vector<Sides<T, D>> all_sides() {
  std::vector<Sides<T, D>> all;
  for (const auto& [x, y] : {std::pair(BoundaryKind::dirichlet, BoundaryKind::dirichlet),
                             {BoundaryKind::neumann, BoundaryKind::dirichlet},
                             {BoundaryKind::neumann, BoundaryKind::neumann},
                             {BoundaryKind::periodic, BoundaryKind::dirichlet},
                             {BoundaryKind::periodic, BoundaryKind::periodic}}) {
    Sides<T, D> sides;
    sides[0][0].kind = sides[0][1].kind = x;
    sides[1][0].kind = sides[1][1].kind = y;
    all.push_back(sides);
    if (x == BoundaryKind::neumann) {
      sides[0][1].kind = BoundaryKind::dirichlet;
      all.push_back(sides);
    }
  }
  return all;
}

TEST(BoxStencil, BoundsOfTheCompactLaplacianAreItsExtremeEigenvalues) {
  for (const auto& sides : all_sides<double, 2>())
    for (const Index n : {5, 6}) {
      PerDirection<Index, 2> points{n, n + 1};
      const auto a = compact_laplacian<double, 2>(make_grid<double, 2>(points, {0, 0}, {1, 2}, sides), 0.5);
      const auto [low, high] = ends_of(a);
      ASSERT_TRUE(a.bounds());
      EXPECT_NEAR(a.bounds()->low, low, 1e-12);
      EXPECT_NEAR(a.bounds()->high, high, 1e-12);
    }
}

TEST(BoxStencil, BoundsOfATensorHoldAllEigenvalues) {
  for (const double mixed : {0.3, -1.2}) {
    for (const bool periodic : {false, true}) {
      Sides<double, 2> sides;
      for (auto& pair : sides)
        pair[0].kind = pair[1].kind = periodic ? BoundaryKind::periodic : BoundaryKind::dirichlet;
      const auto a = tensor_operator<double, 2>(make_grid<double, 2>({8, 9}, {0, 0}, {1, 1}, sides),
                                                std::vector<double>{2, mixed, 1}, 1);
      const auto [low, high] = ends_of(a);
      ASSERT_TRUE(a.bounds());
      EXPECT_LE(a.bounds()->low, low + 1e-14);
      EXPECT_GE(a.bounds()->high, high - 1e-14);
      EXPECT_LT(low, 6 * a.bounds()->low);  // a bound that says something
    }
  }
}

TEST(BoxStencil, TheMatrixByRowsHasItsProducts) {
  Sides<double, 3> sides;
  sides[0][0].kind = sides[0][1].kind = BoundaryKind::periodic;
  sides[1][0].kind = BoundaryKind::neumann;
  const auto a =
      compact_laplacian<double, 3>(make_grid<double, 3>({2, 4, 5}, {0, 0, 0}, {1, 1, 1}, sides), 1);
  std::vector<double> x(static_cast<std::size_t>(a.rows()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 11);
  const std::vector<double> mine = multiply(a, x), rows = multiply(to_csr(a), x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(mine[i], rows[i], 1e-11);
  EXPECT_NEAR(a.residual_norms(mine, x).max, 0, 1e-11);
}

TEST(BoxStencil, EveryMethodSolves) {
  const auto grid = box_grid<2>(18);
  const std::vector<double> f(static_cast<std::size_t>(18 * 18), 1.0);
  for (const bool compact : {true, false}) {
    const BoxProblem<double> problem =
        compact ? compact_poisson<double, 2>(grid, f)
                : tensor_diffusion<double, 2>(grid, std::vector<double>{1, 0.5, 2}, f);
    const std::vector<double> right = solve(to_csr(problem.a), problem.b, until(1e-12)).x;
    for (const Plan& plan : {Plan(plain()), Plan(weighted(0.8)), Plan(l1()),
                             Plan(chebyshev(*problem.a.bounds())), Plan(scheduled({0.6, 1.2, 0.9})),
                             Plan(cg()), Plan(bicgstab()), Plan(anderson()), cg_with_multigrid()}) {
      std::vector<double> x(problem.b.size());
      const Report report = Solver<double>(problem.a, plan).solve(problem.b, x, until(1e-10));
      EXPECT_TRUE(report.converged()) << plan.name() << " is " << name(report.status);
      for (std::size_t p = 0; p < x.size(); ++p) ASSERT_NEAR(x[p], right[p], 1e-8) << plan.name();
    }
  }
}

TEST(BoxStencil, CyclesOfTheStarPreconditionInAsManyIterationsOnEveryGrid) {
  for (const Index points : {33, 129, 257}) {
    const auto grid = box_grid<2>(points);
    const std::vector<double> f(static_cast<std::size_t>(points * points), 1.0);
    const Solution<double> compact =
        solve(compact_poisson<double, 2>(grid, f).a, compact_poisson<double, 2>(grid, f).b);
    EXPECT_TRUE(compact.report.converged());
    EXPECT_LE(compact.report.sweeps, 14) << points;
    const auto tensor = tensor_diffusion<double, 2>(grid, std::vector<double>{1, 0.6, 1}, f);
    const Solution<double> mixed = solve(tensor.a, tensor.b);
    EXPECT_TRUE(mixed.report.converged());
    EXPECT_LE(mixed.report.sweeps, 24) << points;
  }
}

/// The words of what f throws, or nothing.
template <class Error, class F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(BoxStencil, WhatCannotBeIsRefusedInWords) {
  const auto grid = box_grid<2>(5);
  const auto says = [](const std::string& words, const std::string& part) {
    EXPECT_NE(words.find(part), words.npos) << words;
  };
  using Numbers = std::vector<double>;
  says(refusal<InputError>([&] {
         tensor_operator<double, 2>(grid, Numbers{1, 2, 1});
       }),
       "not positive definite");
  says(refusal<UsageError>([&] {
         tensor_operator<double, 2>(grid, Numbers{1, 2});
       }),
       "3 entries, kxx,kxy,kyy, as 2,0.5,1");
  says(refusal<InputError>([&] { compact_laplacian<double, 2>(grid, -1); }), "reaction");
  says(refusal<UsageError>([&] { compact_poisson<double, 2>(grid, Numbers(9)); }), "25 points, 5 x 5");
  auto valued = grid;
  valued.sides[0][0].values = {1};
  says(refusal<UsageError>([&] { compact_laplacian<double, 2>(valued); }), "corners");
  Sides<double, 2> sides;
  sides[0][0].kind = BoundaryKind::neumann;
  says(refusal<UsageError>([&] {
         tensor_operator<double, 2>(box_grid<2>(5, sides), Numbers{1, 0.5, 1});
       }),
       "insulated");
  EXPECT_EQ(refusal<UsageError>([&] {
              tensor_operator<double, 2>(box_grid<2>(5, sides), Numbers{1, 0, 1});
            }),
            "");
  const auto a = compact_laplacian<double, 2>(grid);
  says(refusal<UsageError>([&] { Solver<double>(a, Plan(plain(), "strips")); }), "textbook, threads");
  const std::vector<double> uneven = {0, -1, 0, -2, 8, -1, 0, -1, 0};
  const auto b = BoxStencil<double>::constant(grid, std::span<const double>(uneven));
  says(refusal<InputError>([&] { Solver<double>(b, Plan(cg())); }), "symmetric");
  EXPECT_FALSE(b.bounds());
  EXPECT_EQ(choose(b).plan.name(), "bicgstab");
}

}  // namespace
}  // namespace jacobi
