/// Right-hand sides so small or large that squares of their norms vanish or overflow.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

std::vector<double> uneven(Index rows) {
  std::vector<double> b(rows);
  for (Index i = 0; i < rows; ++i) b[i] = 1 + std::sin(static_cast<double>(i));
  return b;
}

std::vector<double> multiplied(std::vector<double> v, int power) {
  for (double& value : v) value = std::ldexp(value, power);
  return v;
}

/// 2^power times the right-hand side gives 2^power times everything else.
void scales(const Operator<double>& a, Index rows, const Stop& stop, int power) {
  SCOPED_TRACE(power);
  const std::vector<double> b = uneven(rows), c = multiplied(b, power);
  std::vector<double> x(rows), y(rows);
  const Report one = Solver<double>(a, Plan()).solve(b, x, stop);
  Stop same = stop;
  same.absolute = std::ldexp(stop.absolute, power);
  Solver<double> solver(a, Plan());
  const Report r = solver.solve(c, y, same);
  ASSERT_TRUE(one.converged());
  EXPECT_GT(one.sweeps, 5);
  EXPECT_EQ(r.status, one.status);
  EXPECT_EQ(r.sweeps, one.sweeps);
  EXPECT_EQ(y, multiplied(x, power));
  EXPECT_EQ(r.norm_initial, std::ldexp(one.norm_initial, power));
  EXPECT_EQ(r.tolerance, std::ldexp(one.tolerance, power));
  EXPECT_EQ(r.norm_final, std::ldexp(one.norm_final, power));
  EXPECT_EQ(*r.residual_norm, std::ldexp(*one.residual_norm, power));
  EXPECT_EQ(*r.update_max, std::ldexp(*one.update_max, power));
  EXPECT_EQ(r.history.back().norm, std::ldexp(one.history.back().norm, power));
  EXPECT_EQ(r.notes.size(), one.notes.size() + 1);
}

TEST(Scale, SmallAndLargeRightHandSidesTakeTheSweepsOfOrdinaryOnes) {
  const auto grid = poisson<double, 2>({9, 7});
  const std::vector<Entry<double>> entries{{0, 0, 4.}, {0, 1, 1.}, {1, 0, -1.},
                                           {1, 1, 3.}, {1, 2, 1.}, {2, 2, 2.}};
  const auto sparse = Csr<double>::from_entries(3, entries);
  const std::vector<double> values{4, 1, 0, 1, 5, 2, 0, 2, 6};
  const auto dense = Dense<double>::view(values, 3, Layout::row_major);
  for (const int power : {-700, -600, 600, 900}) {
    scales(grid, 63, {}, power);
    scales(grid, 63, {.relative = 0, .absolute = 1e-6, .norm = Norm::update}, power);
    scales(sparse, 3, {.norm = Norm::max_residual}, power);
    scales(dense, 3, {.norm = Norm::update}, power);
  }
}

TEST(Scale, UpdatesFarSmallerThanResidualsAreNotTold) {
  const std::vector<double> values{4e300, 1e300, 1e300, 3e300}, b{5e300, 4e300};
  for (const Norm norm : {Norm::residual, Norm::update}) {
    std::vector<double> x(2);
    Solver<double> solver(Dense<double>::view(values, 2, Layout::row_major), Plan());
    const Report r = solver.solve(b, x, {.norm = norm});
    EXPECT_TRUE(r.converged());
    EXPECT_NEAR(x[0], 1, 1e-7);
    EXPECT_NE(x[0], 1);  // so no update is 0
    EXPECT_EQ(r.update_norm.has_value(), norm == Norm::update);
    ASSERT_TRUE(r.residual_norm);  // from scratch, in units that fit
    const double first = 5e300 - 4e300 * x[0] - 1e300 * x[1], second = 4e300 - 1e300 * x[0] - 3e300 * x[1];
    EXPECT_NEAR(*r.residual_norm / std::hypot(first, second), 1, 1e-6);
    EXPECT_GT(*r.update_max, 0);
    EXPECT_LT(*r.update_max, 1e-7);
  }
}

TEST(Scale, NormsThatAreNotTestedMayBeUnknown) {
  for (const double size : {1e300, 1e-300}) {  // nothing is scaled
    const std::vector<double> values{4 * size, size, size, 3 * size}, b{1, 1};
    std::vector<double> x(2);
    Solver<double> solver(Dense<double>::view(values, 2, Layout::row_major), Plan());
    const Report r = solver.solve(b, x, {});
    EXPECT_TRUE(r.converged());
    EXPECT_TRUE(r.notes.empty());
    EXPECT_FALSE(r.update_norm);
    EXPECT_NEAR(*r.update_max * size, 0, 1e-7);
    EXPECT_LT(*r.residual_norm, 1e-7);
  }
}

TEST(Scale, ASolutionThatIsExactIsNoSmallOne) {
  const auto grid = poisson<double, 2>({9, 7});
  std::vector<double> b(63), x(63);
  const Report r = Solver<double>(grid, Plan()).solve(b, x, {});
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.sweeps, 0);
  EXPECT_TRUE(r.notes.empty());
}

TEST(Scale, ProgressIsToldInTheCallersUnits) {
  const auto grid = poisson<double, 2>({200, 200});
  const std::vector<double> b(40000, 1e-200);
  std::vector<double> x(40000);
  double norm = 0;
  Stop stop{.relative = 1e-8};
  stop.progress = [&](const Progress& p) {
    norm = p.norm;
    return false;
  };
  const Report r = Solver<double>(grid, Plan()).solve(b, x, stop);
  ASSERT_EQ(r.status, Status::interrupted);  // it would take 300000 sweeps
  EXPECT_LT(norm, 1e-150);
  EXPECT_GT(norm, 0);
}

TEST(Scale, SidesOfSuchSizeAreRefusedInWords) {
  Sides<double, 1> sides;
  sides[0][0].values = {1e-200};
  const auto a = poisson<double, 1>(make_grid<double, 1>({7}, {0}, {1}, sides));
  const std::vector<double> b(5);
  std::vector<double> x(5);
  Solver<double> solver(a, Plan());
  try {
    solver.solve(b, x, {});
    FAIL() << "the norm of such a residual is 0";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("too small for their squares"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace jacobi
