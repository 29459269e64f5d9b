/// Which norm is tested where the caller leaves it open, and what a report says of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

bool says(const Report& report, const std::string& words) {
  return std::ranges::any_of(report.notes,
                             [&](const std::string& note) { return note.find(words) != note.npos; });
}

Csr<double> two_by_two(double a, double b, double c, double d) {
  const std::vector<Entry<double>> entries{{0, 0, a}, {0, 1, b}, {1, 0, c}, {1, 1, d}};
  return Csr<double>::from_entries(2, entries);
}

/// -u'' = 0 on points whose distances grow by a factor each, u = 0 and 1 at the ends.
Csr<double> stretched(Index n, double factor) {
  std::vector<Entry<double>> entries;
  double h = 1;
  for (Index i = 0; i < n; ++i, h *= factor) {
    const double west = 2 / (h * (h + factor * h)), east = 2 / (factor * h * (h + factor * h));
    entries.push_back({i, i, west + east});
    if (i > 0) entries.push_back({i, i - 1, -west});
    if (i + 1 < n) entries.push_back({i, i + 1, -east});
  }
  return Csr<double>::from_entries(n, entries);
}

TEST(DefaultNorm, IsTheResidualWhereRowsAreOfOneSize) {
  std::vector<double> b{3, 2}, x(2);
  const Report r = Solver<double>(two_by_two(4, 1, 1, 3), plain()).solve(b, x);
  EXPECT_EQ(r.norm, Norm::residual);
  EXPECT_FALSE(says(r, "rows differ"));
}

TEST(DefaultNorm, IsThatOfRowsInTheirOwnUnitsWhereTheyDifferInSize) {
  for (const double small : {1e-30, 1e-4, 1e-250}) {
    std::vector<double> b{3, 2 * small}, x(2);
    const Report r = Solver<double>(two_by_two(1, 2, small, small), bicgstab()).solve(b, x);
    EXPECT_EQ(r.norm, Norm::scaled_residual);
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_NEAR(x[0], 1, 1e-6) << small;
    EXPECT_NEAR(x[1], 1, 1e-6) << small;
    EXPECT_TRUE(says(r, "each is tested in its own units")) << small;
    EXPECT_LT(*r.backward_error, 1e-7) << small;
  }
}

TEST(DefaultNorm, TestsEveryRowOfAStretchedGrid) {
  constexpr Index n = 12;
  const Csr<double> a = stretched(n, 3);
  std::vector<double> exact(n, 1), b(n), x(n);
  for (Index i = 0; i < n; ++i) exact[i] = 1 + static_cast<double>(i % 3);
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < n; ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) b[i] += values[k] * exact[columns[k]];
  });
  EXPECT_TRUE(Solver<double>(a, plain()).solve(b, x).converged());
  for (Index i = 0; i < n; ++i) EXPECT_NEAR(x[i], exact[i], 1e-5);
  std::fill(x.begin(), x.end(), 0.0);
  const Report plainly = Solver<double>(a, plain()).solve(b, x, {.norm = Norm::residual, .check_every = 1});
  EXPECT_TRUE(plainly.converged());
  EXPECT_TRUE(says(plainly, "the residual's norm sees the large ones only"));
  EXPECT_GT(*plainly.backward_error, 1e-8);  // which tells what the norm does not
}

/// The usual way to hold points fixed: a large reaction, and as much on the right-hand side.
TEST(DefaultNorm, HoldsFixedPointsAndSolvesTheOthers) {
  Grid<double, 2> grid = poisson<double, 2>({15, 15}).grid();
  std::vector<double> k(17 * 17, 1.0), c(15 * 15), b(15 * 15), x(15 * 15), y(15 * 15);
  const Index left = 7 * 15 + 3, right = 7 * 15 + 11;
  c[left] = c[right] = 1e12;
  b[left] = 1e12;
  b[right] = -1e12;
  const auto a = diffusion<double, 2>(grid, k, c);
  EXPECT_TRUE(solve<double>(choose(a, {}), x, {}, [&](const Plan& plan, const Stop& stop) {
                return Solver<double>(a, plan).solve(b, x, stop);
              }).converged());
  EXPECT_TRUE(
      Solver<double>(a, plain()).solve(b, y, {.relative = 1e-12, .norm = Norm::max_update}).converged());
  EXPECT_NEAR(x[left], 1, 1e-6);
  EXPECT_NEAR(x[right], -1, 1e-6);
  for (Index i = 0; i < 15 * 15; ++i) EXPECT_NEAR(x[i], y[i], 1e-6) << i;
}

TEST(DefaultNorm, IsSaidOfPredictionsAndDiagnosesToo) {
  const Csr<double> a = two_by_two(1, 0.5, 1e-8, 1e-7);
  std::vector<double> b{1, 1e-7}, x(2);
  const Diagnosis d = diagnose<double>(a, b, x),
                  scaled = diagnose<double>(a, b, x, {.stop = {.norm = Norm::scaled_residual}});
  EXPECT_EQ(d.tolerance, scaled.tolerance);
  EXPECT_EQ(d.norm_initial, scaled.norm_initial);
  EXPECT_NEAR(d.norm_initial, std::sqrt(2.0), 1e-12);
}

TEST(BackwardError, IsThatOfTheDefinition) {
  const std::vector<double> values{2, -1, 0.5, 3}, b{1, 2}, x{0.75, 0.5};
  const double first = std::abs(1 - 1.5 + 0.5) / (1 + 1.5 + 0.5),
               second = std::abs(2 - 0.375 - 1.5) / (2 + 0.375 + 1.5);
  const double right = std::max(first, second);
  EXPECT_DOUBLE_EQ(backward_error<double>(two_by_two(2, -1, 0.5, 3), b, x), right);
  EXPECT_DOUBLE_EQ(backward_error<double>(Dense<double>::view(values, 2, Layout::row_major), b, x), right);
  const std::vector<double> turned{2, 0.5, -1, 3};
  EXPECT_DOUBLE_EQ(backward_error<double>(Dense<double>::view(turned, 2, Layout::column_major), b, x), right);
}

/// Rows and unknowns in other units, whole systems in units near the ends of double: the same number.
TEST(BackwardError, IsTheSameInEveryUnit) {
  const std::vector<double> b{1, 2}, x{0.75, 0.5};
  const double right = backward_error<double>(two_by_two(2, -1, 0.5, 3), b, x);
  for (const int power : {-1000, -900, 900, 1000}) {
    const double unit = std::ldexp(1.0, power);
    const std::vector<double> c{b[0] * unit, b[1] * unit}, y{x[0] * unit, x[1] * unit};
    EXPECT_DOUBLE_EQ(backward_error<double>(two_by_two(2 * unit, -unit, 0.5 * unit, 3 * unit), c, x), right)
        << power;
    EXPECT_DOUBLE_EQ(backward_error<double>(two_by_two(2, -1, 0.5, 3), c, y), right) << power;
    EXPECT_DOUBLE_EQ(backward_error<double>(two_by_two(2 * unit, -unit, 0.5, 3), {{c[0], b[1]}}, x), right)
        << power;
    EXPECT_DOUBLE_EQ(backward_error<double>(two_by_two(2 * unit, -unit, 0.5 * unit, 3 * unit), b,
                                            {{x[0] / unit, x[1] / unit}}),
                     right)
        << power;
  }
}

TEST(BackwardError, CountsBoundaryValuesOfGridsWithTheRightHandSide) {
  Grid<double, 1> grid = poisson<double, 1>({3}).grid();
  grid.sides[0][1].values = {2.0};
  const auto a = poisson<double, 1>(grid);  // h = 1/4: rows 32, -16
  const std::vector<double> b{0, 0, 16}, x{1, 1, 1};
  // rows: 16 of 48; 0 of 64; 16 + 32 - 16 of 16 + 32 + 48
  EXPECT_DOUBLE_EQ(backward_error<double>(a, b, x), 1.0 / 3);
  const std::vector<double> nothing(3), zeros(3);
  EXPECT_EQ(backward_error<double>(poisson<double, 1>({3}), nothing, zeros), 0);
}

TEST(RowSpread, IsLargestOverLeastOfTheDiagonal) {
  EXPECT_EQ(row_spread(poisson<double, 2>({9, 7})), 1);
  EXPECT_EQ(row_spread(two_by_two(-8, 1, 1, 2)), 4);
  EXPECT_TRUE(rows_differ(two_by_two(1e-200, 1, 1, 1e-196)));
  EXPECT_FALSE(rows_differ(two_by_two(1e-200, 1, 1, 1e-198)));
}

}  // namespace
}  // namespace jacobi
