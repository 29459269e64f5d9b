/// Starts that are solutions, and updates that say less than residuals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

Csr<double> sparse(Index n, const std::vector<double>& rows) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (rows[i * n + j] != 0) entries.push_back({i, j, rows[i * n + j]});
  return Csr<double>::from_entries(n, entries);
}

std::vector<Plan> all_methods() { return {plain(), weighted(0.7), l1(), cg(), bicgstab(), anderson()}; }
std::vector<Norm> all_norms() {
  return {Norm::automatic,    Norm::residual,   Norm::update,
          Norm::max_residual, Norm::max_update, Norm::scaled_residual};
}

TEST(ExactStart, IsConvergedWhateverIsTestedRelativeToIt) {
  const Csr<double> a = sparse(3, {4, -1, 0, -1, 4, -1, 0, -1, 4});
  const std::vector<double> b{2, 4, 10};  // x = (1, 2, 3)
  for (const Plan& plan : all_methods())
    for (const Norm norm : all_norms()) {
      std::vector<double> x{1, 2, 3};
      const Report r = Solver<double>(a, plan).solve(b, x, {.norm = norm, .reference = Reference::initial});
      EXPECT_EQ(r.status, Status::converged) << plan.method.name << ' ' << name(norm);
      EXPECT_EQ(x, (std::vector<double>{1, 2, 3})) << plan.method.name << ' ' << name(norm);
      EXPECT_EQ(r.norm_final, 0) << plan.method.name << ' ' << name(norm);
    }
}

TEST(ExactStart, IsOneInTheNullSpaceOfASystemWithoutRightHandSide) {
  const Csr<double> a = sparse(3, {2, -1, -1, -1, 2, -1, -1, -1, 2});
  const std::vector<double> b(3);
  std::vector<double> x{7, 7, 7};
  EXPECT_EQ(Solver<double>(a, plain()).solve(b, x).status, Status::converged);
  Grid<double, 2> grid = poisson<double, 2>({6, 9}).grid();
  for (auto& direction : grid.sides)
    for (auto& side : direction) side.kind = BoundaryKind::neumann;
  const auto box = poisson<double, 2>(grid);
  std::vector<double> zero(54), y(54, 5.0);
  EXPECT_EQ(Solver<double>(box, weighted(0.9)).solve(zero, y).status, Status::converged);
}

/// Whose products have errors below the smallest number.
TEST(ExactStart, IsOneInTheSmallestUnits) {
  for (const auto& [of_a, of_x] : {std::pair{-900, -90}, {-990, 0}, {0, -1000}, {600, -1060}, {-1010, -40}}) {
    std::vector<double> rows{4, 1, 1, 3}, b{8, 10.25}, x{1.25, 3};
    for (double& value : rows) value = std::ldexp(value, of_a);
    for (double& value : x) value = std::ldexp(value, of_x);
    for (double& value : b) value = std::ldexp(value, of_a + of_x);
    const std::vector<double> start = x;
    const Report r = Solver<double>(sparse(2, rows), plain()).solve(b, x, {.reference = Reference::initial});
    EXPECT_EQ(r.status, Status::converged) << of_a << ' ' << of_x;
    EXPECT_EQ(x, start) << of_a << ' ' << of_x;
    b[0] += std::ldexp(1, of_a + of_x);
    const Stop at_once{.reference = Reference::initial, .max_sweeps = 0};
    EXPECT_NE(Solver<double>(sparse(2, rows), plain()).solve(b, x, at_once).status, Status::converged);
  }
}

/// Twice double's precision may not tell whether a residual is 0: rows are added up exactly.
TEST(ExactStart, IsNotOneWhoseResidualIsLostInRounding) {
  const Csr<double> a = sparse(2, {1, 0, 0x1p-200, 1});
  const std::vector<double> b{1, 1};
  std::vector<double> x{1, 1};
  const Report r = Solver<double>(a, plain()).solve(b, x, {.reference = Reference::initial, .max_sweeps = 0});
  EXPECT_NE(r.status, Status::converged);
}

TEST(NearExactStart, IsNeverCalledSingular) {
  const Csr<double> a = sparse(3, {4, -1, 0, -1, 4, -1, 0, -1, 4});
  const std::vector<double> b{0.1, 0.2, 0.3};
  std::vector<double> x(3);
  ASSERT_TRUE(Solver<double>(a, plain()).solve(b, x, {.relative = 1e-15}).converged());
  for (const double off : {0.0, 1e-16, 1e-15}) {
    std::vector<double> y{x[0] * (1 + off), x[1], x[2]};
    const Report r = Solver<double>(a, plain()).solve(b, y, {.reference = Reference::initial});
    for (const std::string& note : r.notes) {
      EXPECT_EQ(note.find("singular"), note.npos) << note;
      EXPECT_EQ(note.find("grown"), note.npos) << note;
    }
  }
}

/// A short step is not a small D^-1 (b - A x).
TEST(Update, IsNotConvergedWhereTheScaledResidualIsNot) {
  for (const Plan& plan : {Plan(bicgstab()), Plan(anderson()), Plan(weighted(0.01))})
    for (const Norm norm : {Norm::update, Norm::max_update})
      for (const double small : {1e-3, 1e3}) {
        const Csr<double> a = sparse(2, {1, 2, small, small});
        const std::vector<double> b{3, 2 * small};
        std::vector<double> x(2);
        const Report r = Solver<double>(a, plan).solve(b, x, {.norm = norm, .max_sweeps = 10000});
        if (!r.converged()) continue;
        const double first = 3 - x[0] - 2 * x[1], second = 2 - x[0] - x[1];
        const double size =
            norm == Norm::update ? std::hypot(first, second) : std::max(std::abs(first), std::abs(second));
        EXPECT_LE(size, r.tolerance * (1 + 1e-6)) << plan.method.name << ' ' << name(norm);
        EXPECT_LE(size, r.norm_final * (1 + 1e-6) + 1e-14) << plan.method.name << ' ' << name(norm);
      }
}

/// The first sweep that satisfies the test, with a weight below 1 too.
TEST(Update, OfASmallWeightEndsAtTheFirstSweepThatSatisfiesTheTest) {
  const Csr<double> a = sparse(2, {2, -1, -1, 2});
  const std::vector<double> b{1, 0};
  std::vector<double> x(2), y(2);
  const double omega = 0.05;
  const Report r = Solver<double>(a, weighted(omega))
                       .solve(b, x, {.relative = 1e-4, .norm = Norm::max_update, .check_every = 1});
  ASSERT_TRUE(r.converged());
  Index first = 0;
  for (double size = 1; !(size <= r.tolerance);) {
    const double p = (1 - 2 * y[0] + y[1]) / 2, q = (y[0] - 2 * y[1]) / 2;
    y[0] += omega * p;
    y[1] += omega * q;
    size = std::max(std::abs(1 - 2 * y[0] + y[1]) / 2, std::abs(y[0] - 2 * y[1]) / 2);
    ++first;
  }
  EXPECT_EQ(r.sweeps, first);
}

/// Squares of the norms that decide vanish, here and at the end of a solve.
TEST(Underflow, IsNeverZero) {
  for (const int power : {-600, -800, -950}) {
    const double unit = std::ldexp(1.0, power);
    const Csr<double> a = sparse(2, {3, 1, 1, 3});
    const std::vector<double> b{unit, unit / 3};
    std::vector<double> x(2);
    const Report r = Solver<double>(a, plain()).solve(b, x, {.relative = 1e-15});
    std::vector<double> warm = x;
    warm[0] += unit * 1e-12;
    const Report again =
        Solver<double>(a, plain()).solve(b, warm, {.relative = 3e-16, .reference = Reference::initial});
    EXPECT_GT(again.norm_initial, 0) << power;
    if (again.converged()) {
      const double p = b[0] - 3 * warm[0] - warm[1], q = b[1] - warm[0] - 3 * warm[1];
      EXPECT_LE(std::max(std::abs(p), std::abs(q)), again.tolerance) << power;
    }
  }
}

TEST(Tolerance, IsAFiniteNumberWhateverIsAsked) {
  const Csr<double> a = sparse(2, {3, 1, 1, 3});
  const std::vector<double> b{1e200, 1};
  std::vector<double> x(2);
  EXPECT_TRUE(std::isfinite(Solver<double>(a, plain()).solve(b, x, {.relative = 1e300}).tolerance));
}

}  // namespace
}  // namespace jacobi
