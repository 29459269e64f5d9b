/// Residuals summed in twice double's precision: no norm of a report is made of rounding.
#include "core/twofold.hpp"
#include "core/facts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

TEST(Twofold, KeepsWhatDoubleLoses) {
  TwofoldSum sum(0x1p60);
  sum.add(1);
  sum.add(-0x1p60);
  EXPECT_EQ(sum.value(), 1);
  const double a = 1 + 0x1p-30;
  TwofoldSum square(1 + 0x1p-29);
  DoubleSum rounded(1 + 0x1p-29);
  square.subtract(a, a);
  rounded.subtract(a, a);
  EXPECT_EQ(square.value(), -0x1p-60);
  EXPECT_EQ(rounded.value(), 0);
}

/// b - A x for A = [1 -c; -c 1] with c = 1 - 2^-43, x = (2^42, 2^42 + 1): by hand, (b_0 - 0.5 + 1 - 2^-43,
/// ...).
TEST(Twofold, ResidualsOfEveryKindOfMatrix) {
  const double c = 1 - 0x1p-43;
  const std::vector<double> b{1, 1}, x{0x1p42, 0x1p42 + 1};
  const double first = 1 - 0x1p42 + 0x1p42 + 1 - 0.5, rest = -0x1p-43;  // in two parts: 1.5 - 2^-43
  const double second = 1 - 1 - 0.5;
  const double expected = std::hypot(first + rest, second);
  const auto check = [&](const auto& a) {
    EXPECT_DOUBLE_EQ(twofold_residual_norms<double>(a, b, x, {}).l2, expected);
  };
  check(Csr<double>::own<std::int32_t>({0, 2, 4}, {0, 1, 0, 1}, {1, -c, -c, 1}));
  check(Dense<double>::own({1, -c, -c, 1}, 2));
  check(Dense<double>::own({1, -c, -c, 1}, 2, Layout::column_major));
  check(tridiagonal<double>(2, -c, 1, -c));
}

/// The solution is 7.5e12 large: its rounding alone leaves a residual of 1e-4, which sums in double call 0.
template <class A>
void expect_an_honest_norm(const A& a) {
  const std::vector<double> b{1, 0.5};
  for (const Method& method : {cg(), bicgstab()}) {
    std::vector<double> x(2);
    const Report r = Solver<double>(Operator<double>(a), {method}).solve(b, x);
    const long double c = 0.9999999999999;
    const long double first = b[0] - x[0] + c * x[1], second = b[1] + c * x[0] - x[1];
    const double left = static_cast<double>(std::sqrt(first * first + second * second));
    EXPECT_NE(r.status, Status::converged) << method.name;
    EXPECT_GT(left, 1e3 * r.tolerance) << method.name;
    EXPECT_NEAR(r.norm_final, left, 1e-2 * left) << method.name;
    EXPECT_NEAR(*r.residual_norm, left, 1e-2 * left) << method.name;
  }
}

TEST(Twofold, WhatRoundingMadeOfAResidualDoesNotConverge) {
  const double c = 0.9999999999999;
  expect_an_honest_norm(Csr<double>::own<std::int32_t>({0, 2, 4}, {0, 1, 0, 1}, {1, -c, -c, 1}));
  expect_an_honest_norm(Dense<double>::own({1, -c, -c, 1}, 2));
}

/// Products 34 powers of ten above b: what twice the precision says of their sum is not believed either.
TEST(Twofold, WhatTwiceThePrecisionCannotTellDoesNotConverge) {
  const auto a = Csr<double>::own<std::int32_t>({0, 2, 4}, {0, 1, 0, 1}, {1e14, -0.5e14, -5e-21, 1e-20});
  const std::vector<double> b{0.3, 0.4};
  for (const Method& method : {plain(), bicgstab()}) {
    std::vector<double> x(2);
    const Report r = Solver<double>(a, {method}).solve(b, x, {.norm = Norm::residual});
    EXPECT_NE(r.status, Status::converged) << method.name;
  }
}

/// 1e-180 / 1e150 is 0 in double: what is returned solves nothing, whatever was reached in other units.
TEST(Twofold, UnknownsLostToTheRangeOfDoubleAreToldOf) {
  const auto a = tridiagonal<double>(3, -1e150, 3e150, -1e150);
  const std::vector<double> b{1e-180, 2e-180, -1e-180};
  std::vector<double> x(3);
  const Report r = Solver<double>(a, plain()).solve(b, x);
  EXPECT_EQ(r.status, Status::stagnated);
  EXPECT_NEAR(r.norm_final / 1e-180, std::sqrt(6.0), 1e-6);
}

}  // namespace
}  // namespace jacobi
