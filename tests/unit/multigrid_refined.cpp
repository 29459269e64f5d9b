/// Multigrid cycles in float inside a refinement in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "sweep/multigrid/bind.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using test::Random;

template <int D>
Plan in_float(const Stencil<double, D>& a, Multigrid cycle = {}) {
  Plan plan = multigrid(a, cycle);
  plan.matrix_precision = MatrixPrecision::single;
  return plan;
}

/// Any sizes, sides and values given on them; coefficients that vary by up to 100, a reaction, or neither.
template <int D>
Stencil<double, D> random_problem(Random& random, Index most) {
  using enum BoundaryKind;
  std::array<Index, D> size;
  std::array<double, D> low{}, high;
  Sides<double, D> sides;
  for (int d = 0; d < D; ++d) {
    const Index kind = random.integer(0, 3);
    size[d] = random.integer(5, most);
    high[d] = random.real(0.5, 2);
    sides[d][0] = {kind == 2 ? periodic : kind == 1 ? neumann : dirichlet, {random.real(-1, 1)}};
    sides[d][1] = {kind == 2 ? periodic : kind == 3 ? neumann : dirichlet, {random.real(-1, 1)}};
    if (kind == 2) sides[d][0].values = sides[d][1].values = {};
  }
  if (D > 1 || sides[0][0].kind == periodic)
    sides[0] = {Side<double>{dirichlet, {0.5}}, Side<double>{dirichlet, {-2}}};
  const auto grid = make_grid<double, D>(size, low, high, sides);
  if (random.integer(0, 1) == 0) return poisson<double, D>(grid, random.integer(0, 1) * random.real(0, 50));
  std::size_t points = 1;
  for (int d = 0; d < D; ++d) {
    const bool wraps = sides[d][0].kind == periodic;
    points *= static_cast<std::size_t>(grid.unknowns[d]) +
              (wraps ? 0 : (sides[d][0].kind == dirichlet) + (sides[d][1].kind == dirichlet));
  }
  std::vector<double> k(points);
  const double steep = random.real(0, 2);
  for (std::size_t p = 0; p < points; ++p) k[p] = std::exp(steep * std::sin(0.3 * static_cast<double>(p)));
  return diffusion<double, D>(grid, k);
}

template <int D>
void expect_tolerances_of_double(unsigned seed, Index most, int cases) {
  Random random(seed);
  for (int one = 0; one < cases; ++one) {
    const auto a = random_problem<D>(random, most);
    const std::vector<double> b = random.vector<double>(a.rows());
    const std::vector<double> start =
        random.integer(0, 1) == 0 ? std::vector<double>(b.size()) : random.vector<double>(a.rows());
    const Multigrid cycle{random.integer(1, 2), random.integer(1, 2), random.integer(1, 2),
                          random.integer(0, 1) == 1};
    std::vector<double> x = start, y = start;
    const Stop stop{.relative = 1e-11};
    const Report narrow = Solver<double>(a, in_float(a, cycle), backend("serial")).solve(b, x, stop);
    const Report wide = Solver<double>(a, multigrid(a, cycle), backend("serial")).solve(b, y, stop);
    ASSERT_TRUE(narrow.converged()) << one << " " << name(narrow.status) << " " << narrow.norm_final;
    EXPECT_LE(a.residual_norms(b, x).l2, narrow.tolerance * (1 + 1e-6));
    EXPECT_LE(*narrow.cycles, *wide.cycles * 3 / 2 + 3) << one;
    double off = 0, size = 0;
    for (std::size_t p = 0; p < x.size(); ++p) {
      off = std::max(off, std::abs(x[p] - y[p]));
      size = std::max(size, std::abs(y[p]));
    }
    EXPECT_LE(off, 1e-6 * size) << one;
  }
}

TEST(MultigridRefined, MeetsTolerancesOfDouble) {
  expect_tolerances_of_double<1>(1, 200, 30);
  expect_tolerances_of_double<2>(2, 40, 40);
  expect_tolerances_of_double<3>(3, 14, 30);
}

TEST(MultigridRefined, SolvesSingularProblemsUpToTheirMean) {
  using enum BoundaryKind;
  for (const BoundaryKind kind : {neumann, periodic}) {
    Sides<double, 2> sides;
    for (auto& direction : sides)
      for (auto& side : direction) side.kind = kind;
    const auto a = poisson(make_grid<double, 2>({32, 37}, {0, 0}, {1, 1}, sides));
    ASSERT_TRUE(a.singular());
    std::vector<double> b(a.rows()), x(b.size());
    for (Index p = 0; p < a.rows(); ++p)
      b[p] = std::cos(2 * std::numbers::pi * a.grid().coordinate(0, p % 32)) *
             std::cos(4 * std::numbers::pi * a.grid().coordinate(1, p / 32));
    const Report r = Solver<double>(a, in_float(a), backend("serial")).solve(b, x, {.relative = 1e-10});
    EXPECT_TRUE(r.converged()) << name(r.status);
  }
}

/// Right-hand sides out of float's range, and residuals that fall by twelve digits.
TEST(MultigridRefined, ScalesWhatFloatCannotHold) {
  const auto a = poisson<double, 2>({40, 40});
  std::vector<double> one(a.rows(), 1.0), x(a.rows());
  ASSERT_TRUE(
      Solver<double>(a, in_float(a), backend("serial")).solve(one, x, {.relative = 1e-12}).converged());
  for (const double size : {1e-60, 1e60}) {
    std::vector<double> b(a.rows(), size), y(a.rows());
    EXPECT_TRUE(
        Solver<double>(a, in_float(a), backend("serial")).solve(b, y, {.relative = 1e-12}).converged());
    for (std::size_t p = 0; p < y.size(); ++p) EXPECT_NEAR(y[p] / size, x[p], 1e-11);
  }
}

std::vector<Step> steps_of(const Plan& plan, Index count) {
  std::vector<Step> steps;
  Step step;
  for (Index n = 0; n < count; ++n) steps.push_back(step = plan.method.step(n, step));
  return steps;
}

TEST(MultigridRefined, GivesTheSameBitsForEveryNumberOfThreads) {
  const auto a = poisson<double, 2>({301, 257});
  const Plan plan = in_float(a);
  const auto b = test::random_values<double>(a.rows(), -1, 1, 7),
             x = test::random_values<double>(a.rows(), -1, 1, 8);
  std::vector<double> first;
  double norm = 0;
  for (const char* where : {"serial", "threads:2", "threads:3", "threads:4"}) {
    const auto sweeper = backend(where)->bind(Operator<double>(a), plan);
    sweeper->load(b, x);
    const double here = sweeper->advance(steps_of(plan, 9), Want::residual).l2;
    std::vector<double> y(a.rows());
    sweeper->store(y);
    if (first.empty()) first = y, norm = here;
    EXPECT_EQ(y, first) << where;
    EXPECT_EQ(here, norm) << where;
  }
}

TEST(MultigridRefined, MeasuresWhatItReachedAndCanGoBack) {
  Random random(11);
  for (int one = 0; one < 12; ++one) {
    const auto a = random_problem<2>(random, 40);
    const Plan plan = in_float(a);
    const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
    const auto b = random.vector<double>(a.rows()), x = random.vector<double>(a.rows());
    std::vector<double> y(a.rows()), z(a.rows());
    const auto expect_right = [&](const Norms& norms) {
      sweeper->store(y);
      const Norms there = a.residual_norms(b, y);
      EXPECT_NEAR(norms.l2, there.l2, 1e-8 * there.l2);
      EXPECT_NEAR(norms.max, there.max, 1e-8 * there.max);
    };
    const auto steps = steps_of(plan, 8);
    sweeper->load(b, x);
    expect_right(sweeper->norms(Want::residual));
    expect_right(sweeper->advance(std::span(steps).first(3), Want::residual));
    const Norms moved = sweeper->norms(Want::update);
    EXPECT_GT(moved.l2, 0);
    sweeper->save();
    expect_right(sweeper->advance(std::span(steps).subspan(3), Want::residual));  // a cycle and two sweeps
    sweeper->restore();
    EXPECT_EQ(sweeper->executed().sweeps, 3);
    EXPECT_EQ(sweeper->norms(Want::update).l2, moved.l2);
    expect_right(sweeper->norms(Want::residual));
    sweeper->advance(std::span(steps).subspan(3), Want::nothing);
    sweeper->store(z);
    sweeper->load(b, x);
    sweeper->advance(steps, Want::update);
    sweeper->store(y);
    EXPECT_EQ(y, z) << "however they are asked for";
  }
}

TEST(MultigridRefined, SaysSoAndRefusesWhatItIsNotFor) {
  const auto a = poisson<double, 2>({127, 127});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  const Report r = Solver<double>(a, in_float(a), backend("serial")).solve(b, x);
  EXPECT_PRED2(contains, r.plan,
               "V(2,1) cycles in float, refined in double, on 7 grids, from 16129 unknowns to 1");
  Plan plan = in_float(a);
  plan.matrix_precision = MatrixPrecision::bf16;
  const auto refusal = [](const Operator<double>& o, const Plan& p) {
    return message_of<UsageError>([&] { backend("serial")->bind(o, p); });
  };
  EXPECT_PRED2(contains, refusal(a, plan), "bf16");
  const auto tiny = pentadiagonal<double>({9, 9}, -1e-30, 4e-30, -1e-30, -1e-30, -1e-30);
  EXPECT_PRED2(contains, refusal(tiny, in_float(tiny)), "out of their range");
  using enum BoundaryKind;
  Sides<double, 2> sides;
  for (auto& pair : sides)
    for (auto& side : pair) side.kind = periodic;
  const auto loose = poisson(make_grid<double, 2>({33, 33}, {0, 0}, {1, 1}, sides), 1e-6);
  EXPECT_PRED2(contains, refusal(loose, in_float(loose)), "cannot tell from a singular operator");
  const auto held = poisson(make_grid<double, 2>({33, 33}, {0, 0}, {1, 1}, sides), 1);
  for (const Norm norm : {Norm::residual, Norm::update}) {
    std::vector<double> c(held.rows(), 1.0), y(held.rows());
    c[7] = 40;
    const Report s =
        Solver<double>(held, in_float(held), backend("serial")).solve(c, y, {.relative = 1e-8, .norm = norm});
    EXPECT_TRUE(s.converged()) << name(norm) << " " << name(s.status);
    EXPECT_LE(held.residual_norms(c, y).l2, 1e-6 * s.norm_initial * held.center(0)) << name(norm);
  }
  plan = Plan{plain()};
  plan.matrix_precision = MatrixPrecision::single;
  EXPECT_PRED2(contains, refusal(a, plan), "dense matrices and multigrid");
}

/// Beside b and x: two arrays in double, and two and a third of each in float.
TEST(MultigridRefined, TakesLessThanFourArraysOfThePlaneBesideBAndX) {
  const auto a = poisson<double, 2>({1023, 1023});
  Plan plan = multigrid(a);
  plan.matrix_precision = MatrixPrecision::single;
  EXPECT_LT(sweep::bytes_needed(a, plan, 2), 4.0 * sizeof(double) * static_cast<double>(a.rows()));
}

}  // namespace
}  // namespace jacobi
