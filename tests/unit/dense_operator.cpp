/// Dense<T>: what it accepts, refuses and computes, and a solve with it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/facts.hpp"
#include "io_temporary.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rounding.hpp"
#include "jacobi/solver.hpp"
#include "ladder/dense_cases.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;

const std::vector<double> example = {10, -1, 2, 0, -1, 11, -1, 3, 2, -1, 10, -1, 0, 3, -1, 8};
const std::vector<double> example_rhs = {6, 25, -11, 15};

std::string refusal(const std::vector<double>& values, Index n, Layout layout = Layout::row_major,
                    Index leading = 0) {
  return message_of<InputError>([&] { Dense<double>::view(values, n, layout, leading); });
}

TEST(DenseOperator, RefusesWhatCannotBeAMatrix) {
  EXPECT_TRUE(contains(refusal({}, 0), "0 rows"));
  EXPECT_TRUE(contains(refusal({1, 2, 3}, 2), "3 values are given: 2 rows, 2 values apart, need 4"));
  EXPECT_TRUE(contains(refusal({1, 2, 3, 4}, 2, Layout::column_major, 1), "a column has 2 values"));
  EXPECT_TRUE(contains(refusal({1, 2, 3, 4}, 2, Layout::column_major, 3), "need 5"));
  EXPECT_EQ(refusal({1, 2, std::nan(""), 3, 4}, 2, Layout::row_major, 3), "");  // between the lines
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(refusal({1, inf, 3, 4}, 2), "entry (0, 1) is inf"));
  EXPECT_TRUE(contains(refusal({1, inf, 3, 4}, 2, Layout::column_major), "entry (1, 0) is inf"));
}

TEST(DenseOperator, RefusesAZeroDiagonalWhenItIsBound) {
  const std::vector<double> values = {1, 2, 3, 0};
  const Dense<double> a = Dense<double>::view(values, 2);
  EXPECT_TRUE(contains(message_of<ZeroDiagonal>([&] { Solver<double> solver(a); }),
                       "entry (1, 1), counted from 0, is 0"));
}

TEST(DenseOperator, KnowsItsEntriesInBothLayouts) {
  const std::vector<double> values = {1, 2, -3, 4};
  const auto by_rows = Dense<double>::view(values, 2),
             by_columns = Dense<double>::own(values, 2, Layout::column_major);
  EXPECT_EQ(by_rows.at(0, 1), 2);
  EXPECT_EQ(by_columns.at(0, 1), -3);
  EXPECT_EQ(by_columns.largest_off_diagonal(), 3);
  EXPECT_EQ(Dense<double>::view(values, 1, Layout::row_major, 4).largest_off_diagonal(),
            0);  // not what lies behind
  EXPECT_EQ(by_rows.divisors(Divisor::l1), (std::vector<double>{3, 7}));
  EXPECT_EQ(by_columns.divisors(Divisor::l1), (std::vector<double>{4, 6}));
  const std::vector<double> b = {1, 1}, x = {2, 3};
  EXPECT_EQ(by_rows.residual_norms(b, x).max, 7);      // (-7, -5)
  EXPECT_EQ(by_columns.residual_norms(b, x).max, 15);  // (8, -15)
  EXPECT_EQ(by_rows.magnitudes(b, x), (std::vector<double>{9, 19}));
}

/// A limit is exceeded by the floor, told from a bound of it where that suffices.
TEST(DenseOperator, RoundingExceedsALimitWhereItsFloorDoes) {
  for (const Index n : {1, 2, 7, 64, 300})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      const test::DenseCase<double> c(n, layout, 3);
      for (const Norm norm : {Norm::residual, Norm::max_residual, Norm::update, Norm::max_update}) {
        const double floor = rounding_floor<double>(c.a, c.b, c.x, norm);
        const auto exceeds = [&](double limit) {
          return rounding_exceeds<double>(limit, c.a, c.b, c.x, norm);
        };
        EXPECT_TRUE(exceeds(0) && exceeds(0.999 * floor)) << c.name;
        EXPECT_FALSE(exceeds(floor) || exceeds(1.001 * floor) || exceeds(1e6 * floor)) << c.name;
      }
    }
}

/// The textbook example: x after ten sweeps, as printed.
TEST(DenseOperator, TenSweepsOfTheTextbookExample) {
  for (const Layout layout : {Layout::row_major, Layout::column_major}) {
    Solver<double> solver(Dense<double>::view(example, 4, layout));
    std::vector<double> x(4);
    solver.solve(example_rhs, x, {.relative = 0, .max_sweeps = 10});
    const std::vector<double> printed = {1.0001, 1.9998, -0.9998, 0.9998};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], printed[i], 5e-5);
  }
}

TEST(DenseOperator, SolvesToTheSolutionInBothPrecisionsAndSaysHow) {
  Solver<double> solver(Dense<double>::view(example, 4));
  std::vector<double> x(4);
  const Report report = solver.solve(example_rhs, x, {.relative = 1e-13});
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.rung, "fused");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], std::vector<double>({1, 2, -1, 1})[i], 1e-12);
  const std::vector<float> values(example.begin(), example.end()), b(example_rhs.begin(), example_rhs.end());
  std::vector<float> y(4);
  EXPECT_TRUE(Solver<float>(Dense<float>::view(values, 4)).solve(b, y, {.relative = 1e-5}).converged());
  EXPECT_NEAR(y[1], 2, 1e-4);
}

TEST(DenseOperator, L1ConvergesWherePlainJacobiDoesNot) {
  std::vector<double> values(9, 0.8);
  for (std::size_t i = 0; i < 9; i += 4) values[i] = 1;  // positive definite, spectral radius 1.6
  const std::vector<double> b = {1, 2, 3};
  std::vector<double> x(3);
  EXPECT_EQ(Solver<double>(Dense<double>::view(values, 3)).solve(b, x).status, Status::diverged);
  std::fill(x.begin(), x.end(), 0);
  EXPECT_TRUE(Solver<double>(Dense<double>::view(values, 3), l1()).solve(b, x).converged());
}

TEST(DenseOperator, SeveralRightHandSidesAreOneSystem) {
  const auto a = Dense<double>::view(example, 4);
  const auto both = batch(a, 2);
  EXPECT_EQ(both.rows(), 8);
  std::vector<double> b(8), x(8);
  for (std::size_t i = 0; i < 4; ++i) {
    b[2 * i] = example_rhs[i];
    b[2 * i + 1] = -3 * example_rhs[i];
  }
  EXPECT_DOUBLE_EQ(both.rhs_norms(b, Divisor::none).l2,
                   std::sqrt(10.0) * a.rhs_norms(example_rhs, Divisor::none).l2);
  const Report r = Solver<double>(both).solve(b, x, {.relative = 1e-12});
  EXPECT_TRUE(r.converged());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(x[2 * i], std::vector<double>({1, 2, -1, 1})[i], 1e-10);
    EXPECT_DOUBLE_EQ(x[2 * i + 1], -3 * x[2 * i]);
  }
  EXPECT_TRUE(contains(message_of<UsageError>([&] { batch(a, 9); }), "9 right-hand sides at once: 1 to 8"));
  EXPECT_TRUE(contains(message_of<UsageError>([&] { batch(both, 2); }), "serves 2 right-hand sides already"));
  EXPECT_TRUE(contains(message_of<UsageError>([&] {
                         Solver<double> one(both, {plain(), "simd-4"});
                       }),
                       "rung 'simd-4' sweeps for one right-hand side"));
  Plan narrow;
  narrow.matrix_precision = MatrixPrecision::bf16;
  EXPECT_TRUE(
      contains(message_of<UsageError>([&] { Solver<double> one(both, narrow); }), "one right-hand side"));
}

}  // namespace
}  // namespace jacobi
