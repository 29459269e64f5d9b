/// Operators that map constants to 0: compatible right-hand sides are solved, others are refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using std::numbers::pi;

template <int D>
Stencil<double, D> closed(BoundaryKind kind, Index n, double left = 0, double right = 0) {
  Sides<double, D> sides;
  for (auto& pair : sides) pair = {Side<double>{kind}, Side<double>{kind}};
  if (left != 0 || right != 0) sides[0] = {Side<double>{kind, {left}}, Side<double>{kind, {right}}};
  std::array<Index, D> points;
  std::array<double, D> low, high;
  points.fill(n);
  low.fill(0);
  high.fill(1);
  return poisson(make_grid<double, D>(points, low, high, sides));
}

template <int D>
double mean(const Stencil<double, D>& a, const std::vector<double>& x) {
  double sum = 0, weights = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    sum += a.weight(p) * x[p];
    weights += a.weight(p);
  }
  return sum / weights;
}

TEST(Solver, SolvesAPeriodicProblemUpToItsMean) {
  const auto a = closed<2>(BoundaryKind::periodic, 24);
  std::vector<double> b(a.rows()), x(a.rows(), 3.0);
  for (Index p = 0; p < a.rows(); ++p)
    b[p] = 8 * pi * pi * std::sin(2 * pi * a.grid().coordinate(0, p % 24)) *
           std::cos(2 * pi * a.grid().coordinate(1, p / 24));
  const Report r = Solver<double>(a, weighted(0.9)).solve(b, x, {.relative = 1e-10});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NEAR(mean(a, x), 0, 1e-13);
  ASSERT_EQ(r.notes.size(), 1U);
  EXPECT_PRED2(io_test::contains, r.notes[0], "singular");
  for (Index p = 0; p < a.rows(); ++p) EXPECT_NEAR(x[p], b[p] / (8 * pi * pi), 0.01);
}

TEST(Solver, SolvesAnAllNeumannProblemWithFluxes) {
  // u = x^2 - 1/3: -u'' = -2, du/dn = 0 at 0 and 2 at 1; second order is exact for it
  const auto a = closed<1>(BoundaryKind::neumann, 17, 0, 2);
  std::vector<double> b(17, -2.0), x(17);
  const Report r = Solver<double>(a, weighted(0.9)).solve(b, x, {.relative = 1e-12});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_NEAR(mean(a, x), 0, 1e-14);
  const double shift = x[0];
  for (Index i = 0; i < 17; ++i) {
    const double position = a.grid().coordinate(0, i);
    EXPECT_NEAR(x[i] - shift, position * position, 1e-9);
  }
}

TEST(Solver, RemovesAMeanOfTheSizeOfDiscretisationError) {
  const auto a = closed<1>(BoundaryKind::neumann, 33);
  std::vector<double> b(33), x(33);
  for (Index i = 0; i < 33; ++i) {
    const double position = a.grid().coordinate(0, i);
    b[i] = position * position - 1.0 / 3;  // its mean by the trapezoidal rule is h^2 / 6
  }
  const Report r = Solver<double>(a, weighted(0.9)).solve(b, x);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_GT(mean(a, b), 1e-4);
  EXPECT_FALSE(r.notes.empty());
}

/// sin 2 pi x + shift, x along the first direction of n points.
std::vector<double> shifted_sine(const Stencil<double, 2>& a, double shift) {
  std::vector<double> b(a.rows());
  for (Index p = 0; p < a.rows(); ++p)
    b[p] = std::sin(2 * pi * a.grid().coordinate(0, p % a.grid().unknowns[0])) + shift;
  return b;
}

TEST(Solver, RefusesAMeanThatNoPeriodCanHaveMade) {
  const auto a = closed<2>(BoundaryKind::periodic, 16);
  for (const double shift : {0.01, 1e-6, 1e-12}) {
    std::vector<double> x(a.rows());
    EXPECT_THROW(Solver<double>(a, weighted(0.9)).solve(shifted_sine(a, shift), x), InputError) << shift;
  }
  std::vector<double> x(a.rows());
  const Report r = Solver<double>(a, weighted(0.9)).solve(shifted_sine(a, 0), x);
  EXPECT_TRUE(r.converged());
  EXPECT_PRED2(io_test::contains, r.notes.at(0), "compatible up to rounding");
}

TEST(Solver, TakesTheRoundingOfAPeriodicRightHandSide) {
  for (const Index n : {7, 48, 400}) {
    const auto a = closed<2>(BoundaryKind::periodic, n);
    auto b = shifted_sine(a, 0.25);
    const double shift = mean(a, b);
    for (double& value : b) value -= shift;
    std::vector<double> x(a.rows());
    EXPECT_NO_THROW(Solver<double>(a, weighted(0.9)).solve(b, x, {.max_sweeps = 3})) << n;
  }
}

TEST(Solver, SaysWhatItTookFromTheRightHandSideBetweenNeumannSides) {
  const auto a = closed<2>(BoundaryKind::neumann, 16);
  const auto b = shifted_sine(a, 0.01);
  std::vector<double> x(a.rows());
  const Report r = Solver<double>(a, weighted(0.9)).solve(b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(*r.residual_norm, r.tolerance * (1 + 1e-6));  // of the problem so changed
  ASSERT_EQ(r.notes.size(), 1U);
  EXPECT_PRED2(io_test::contains, r.notes[0], "0.01 (0.016 of its mean magnitude), was removed");
  EXPECT_PRED2(io_test::contains, r.notes[0], "a residual of 2-norm 1.600000e-01 remains");  // 16 * 0.01
  EXPECT_NEAR(a.residual_norms(b, x).l2, 0.16, 1e-6);
  EXPECT_FALSE(io_test::contains(r.notes[0], "compatible"));
}

template <int D>
void expect_refused(BoundaryKind kind, Index n) {
  const auto a = closed<D>(kind, n);
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  const std::string text = io_test::message_of<InputError>(
      [&] { Solver<double>(a, weighted(0.9)).solve(b, x, {.max_sweeps = 10}); });
  EXPECT_PRED2(io_test::contains, text, "no solution exists") << n;
  EXPECT_EQ(x, std::vector<double>(a.rows()));
}

TEST(Solver, RefusesARightHandSideThatNoSolutionExistsFor) {
  expect_refused<2>(BoundaryKind::periodic, 16);
  expect_refused<1>(BoundaryKind::neumann, 16);
  expect_refused<3>(BoundaryKind::neumann, 8);
}

TEST(Solver, RefusesAConstantRightHandSideOnTheSmallestClosedGridsToo) {
  expect_refused<1>(BoundaryKind::periodic, 4);
  expect_refused<1>(BoundaryKind::periodic, 3);
  expect_refused<2>(BoundaryKind::neumann, 3);
}

/// c = 2 beside 2 / h^2 = 1.9 million is regular in float too; beside 128 million it is rounded away.
TEST(Solver, TellsASmallReactionFromNone) {
  Sides<float, 1> sides;
  for (Side<float>& side : sides[0]) side.kind = BoundaryKind::neumann;
  const auto with = [&](Index n) { return poisson(make_grid<float, 1>({n}, {0}, {1}, sides), 2); };
  EXPECT_FALSE(with(984).singular());
  std::vector<float> b(984, 1.0F), x(984);
  const Report r = Solver<float>(with(984)).solve(b, x, {.max_sweeps = 1});  // u = 0.5: not refused
  EXPECT_EQ(r.status, Status::sweep_limit);
  EXPECT_PRED2(io_test::contains, io_test::message_of<InputError>([&] { with(8001); }), "is lost in float");
}

TEST(Solver, RefusesFluxesThatDoNotBalanceTheSource) {
  const auto a = closed<1>(BoundaryKind::neumann, 17, 0, 2);
  std::vector<double> b(17, +2.0), x(17);
  EXPECT_THROW(Solver<double>(a, weighted(0.9)).solve(b, x), InputError);
}

TEST(Solver, ReportsTheResidualOfTheSolutionWhoseMeanWasRemoved) {
  const auto a = closed<2>(BoundaryKind::neumann, 9);
  std::vector<double> b(81), x(81, 100.0);
  b[3 + 9 * 3] = 1;
  b[5 + 9 * 4] = -1;
  const Report r = Solver<double>(a, weighted(0.9)).solve(b, x, {.relative = 1e-9});
  EXPECT_TRUE(r.converged());
  EXPECT_NEAR(mean(a, x), 0, 1e-12);  // x began at 100
  EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance * 1.01);
}

/// All ones, or 2 and a first column of 3: of rank 1. The iterate grows along the null space until A x says
/// nothing of b any more, and its residual may come out as 0.
TEST(Solver, CallsNoIterateConvergedThatHidesTheRightHandSideInRounding) {
  test::Random random(11);
  for (const Index n : {3, 4, 5, 6, 7, 8})
    for (const double first : {1.0, 1.5}) {
      std::vector<double> values(static_cast<std::size_t>(n * n), first == 1 ? 1.0 : 2.0);
      for (Index i = 0; i < n; ++i) values[i * n] *= first;
      const auto a = Dense<double>::view(values, n);
      for (int draw = 0; draw < 4; ++draw) {
        std::vector<double> b = random.vector<double>(n);
        if (draw == 0) std::fill(b.begin(), b.end(), 0), b[0] = 1;
        for (const Method& method : {bicgstab(), anderson()}) {
          std::vector<double> x(b.size());
          const Report r = Solver<double>(a, method).solve(b, x, {.relative = 1e-8, .max_sweeps = 5000});
          EXPECT_FALSE(r.converged()) << method.name << ", " << n << " rows, first column " << first;
        }
      }
    }
}

/// The residual of x = (1, -1e20), as far as it can be computed, is 0: that of the x stored is in the
/// thousands.
TEST(Solver, SweepsOfAMatrixHideNoRightHandSideInRoundingEither) {
  const std::vector<double> values{1, 1e-30, 1e20, 1}, b{1, 1};
  for (const Method& method : {plain(), weighted(0.9)}) {
    std::vector<double> x(2);
    const Report r = Solver<double>(Dense<double>::view(values, 2), method).solve(b, x, {.max_sweeps = 2000});
    EXPECT_FALSE(r.converged()) << method.name;
  }
}

TEST(Solver, StartsAtTheSolutionInEveryNorm) {
  const std::vector<double> values{4, 1, 1, 3}, b(2);
  for (const Method& method : {plain(), cg(), bicgstab(), anderson()})
    for (const Norm norm : {Norm::residual, Norm::max_residual, Norm::update, Norm::max_update}) {
      std::vector<double> x(2);
      const Report r = Solver<double>(Dense<double>::view(values, 2), method).solve(b, x, {.norm = norm});
      EXPECT_TRUE(r.converged()) << method.name << ", " << name(norm);
    }
}

TEST(Solver, ConvergesInEveryNormWhereAMethodFindsTheSolutionItself) {
  const std::vector<double> values{4}, b{8};
  for (const Method& method : {cg(), bicgstab(), anderson()})
    for (const Norm norm : {Norm::residual, Norm::max_residual, Norm::update, Norm::max_update}) {
      std::vector<double> x(1);
      const Report r = Solver<double>(Dense<double>::view(values, 1), method).solve(b, x, {.norm = norm});
      EXPECT_TRUE(r.converged()) << method.name << ", " << name(norm);
      EXPECT_EQ(r.norm_final, 0) << method.name << ", " << name(norm);
      EXPECT_EQ(x[0], 2);
    }
}

TEST(Solver, TellsNormsThatWereScaledInTheUnitsOfTheSystem) {
  const std::vector<double> values{1, 3, 1, 1, 1, 1, 1, 1, 1}, b{1e300, 2e300, 3e300};
  std::vector<double> x(3);
  const Report r = Solver<double>(Dense<double>::view(values, 3), plain())
                       .solve(b, x, {.norm = Norm::update, .check_every = 200});
  EXPECT_EQ(r.status, Status::diverged);
  EXPECT_GT(r.norm_final, 1e300);
  const auto lost = std::find_if(r.notes.begin(), r.notes.end(), [](const std::string& note) {
    return note.find("was thrown away") != note.npos;
  });
  ASSERT_NE(lost, r.notes.end());
  EXPECT_NE(lost->text.find(fmt::format("{:.3g}", r.norm_final)), std::string::npos)
      << lost->text << r.norm_final;
}

}  // namespace
}  // namespace jacobi
