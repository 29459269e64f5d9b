/// Methods that take products do not need every diagonal entry.
#include <gtest/gtest.h>

#include <cmath>

#include "random.hpp"
#include "unit/accelerated.hpp"

namespace jacobi {
namespace {

using test::Random;
using Values = std::vector<std::vector<double>>;

template <class T>
Csr<T> sparse(const Values& rows) {
  std::vector<Entry<T>> entries;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (rows[i][j] != 0) entries.push_back({Index(i), Index(j), static_cast<T>(rows[i][j])});
  return Csr<T>::from_entries(Index(rows.size()), std::span<const Entry<T>>(entries));
}

template <class T>
Dense<T> full(const Values& rows, Layout layout) {
  std::vector<T> values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      values.push_back(static_cast<T>(layout == Layout::row_major ? rows[i][j] : rows[j][i]));
  return Dense<T>::own(std::move(values), Index(rows.size()), layout);
}

/// Rows of a well-conditioned matrix in another order: some of its diagonal is zero.
Values shuffled(Random& random, std::size_t n, double unit) {
  Values a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      if (random.integer(0, 2) == 0) a[i][j] = unit * random.real(-1, 1) / double(n);
    a[i][i] = unit * random.real(1, 2);
  }
  std::swap(a[0], a[n - 1]);
  std::swap(a[1], a[n / 2]);
  a[0][0] = a[1][1] = 0;
  return a;
}

template <class T>
void solves(const Operator<T>& a, const Values& rows, const Method& method, Norm norm, double off) {
  const std::size_t n = rows.size();
  std::vector<T> b(n), x(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b[i] += static_cast<T>(rows[i][j] * double(j + 1));
  Solver<T> solver(a, method, backend("serial"));
  const Report r = solver.solve(b, x, {.relative = off / 100, .norm = norm, .max_sweeps = 10'000});
  EXPECT_TRUE(r.converged()) << method.name << " " << name(r.status) << " " << r.norm_final;
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], double(i + 1), off * double(n)) << method.name;
  const auto says = [&](const std::string& note) { return note.find("stands in") != note.npos; };
  EXPECT_TRUE(std::any_of(r.notes.begin(), r.notes.end(), says));
}

TEST(ZeroDiagonal, IsNoObstacleToProducts) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const double unit : {1.0, 1e-12, 1e12})
      for (const Norm norm : {Norm::residual, Norm::max_residual, Norm::update, Norm::max_update})
        for (const Method& method : {bicgstab(), anderson()}) {
          SCOPED_TRACE(testing::Message() << seed << " " << unit << " " << name(norm));
          Random random(seed);
          const Values rows = shuffled(random, 8, unit);
          solves<double>(sparse<double>(rows), rows, method, norm, 1e-7);
          solves<double>(full<double>(rows, Layout::row_major), rows, method, norm, 1e-7);
          solves<double>(full<double>(rows, Layout::column_major), rows, method, norm, 1e-7);
          solves<float>(sparse<float>(rows), rows, method, norm, 1e-2);
        }
}

/// Like every saddle point: no order of the unknowns has a diagonal without zeros there.
TEST(ZeroDiagonal, IsNoObstacleInASaddlePoint) {
  const Values rows{{2, 0, 0, 1}, {0, 3, 0, 1}, {0, 0, 4, -1}, {1, 1, -1, 0}};
  solves<double>(sparse<double>(rows), rows, bicgstab(), Norm::residual, 1e-7);
  solves<double>(sparse<double>(rows), rows, anderson(), Norm::residual, 1e-7);
}

/// Semidefinite: an unknown that no equation holds, and that none asks for.
TEST(ZeroDiagonal, OfAnEmptyRowIsNoObstacleToConjugateGradients) {
  const Csr<double> a = sparse<double>({{2, -1, 0}, {-1, 2, 0}, {0, 0, 0}});
  const std::vector<double> b{1, 1, 0};
  std::vector<double> x(3);
  const Report r = Solver<double>(a, cg(), backend("serial")).solve(b, x, {});
  EXPECT_TRUE(r.converged());
  EXPECT_NEAR(x[0], 1, 1e-7);
  EXPECT_EQ(x[2], 0);
}

/// A matrix that is a grid but for its diagonal of zeros is not swept as one.
TEST(ZeroDiagonal, OfAGridIsNoObstacle) {
  Values rows(10, std::vector<double>(10));
  for (std::size_t i = 0; i + 1 < 10; ++i) rows[i][i + 1] = rows[i + 1][i] = i % 2 ? 0.5 : 2;
  solves<double>(sparse<double>(rows), rows, bicgstab(), Norm::residual, 1e-6);
}

TEST(ZeroDiagonal, IsStillRefusedBySweeps) {
  const Values rows{{0, 1}, {1, 0}};
  for (const Method& method : {plain(), weighted(0.5), l1()}) {
    EXPECT_THROW(Solver<double>(sparse<double>(rows), method, backend("serial")), InputError);
    EXPECT_THROW(Solver<double>(full<double>(rows, Layout::row_major), method, backend("serial")),
                 InputError);
  }
}

/// 1e-310 is a number, and its reciprocal is not.
TEST(ZeroDiagonal, TooSmallToBeDividedByIsSaidToBeThat) {
  const Values rows{{1e-310, 1}, {1, 3}};
  try {
    Solver<double>(sparse<double>(rows), plain(), backend("serial"));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("too small to be divided by"), std::string::npos) << e.what();
  }
  std::vector<double> b{1, 4}, x(2);
  EXPECT_TRUE(
      Solver<double>(sparse<double>(rows), bicgstab(), backend("serial")).solve(b, x, {}).converged());
  EXPECT_NEAR(x[0], 1, 1e-7);
}

TEST(ZeroDiagonal, ThatUnderflowedInFloatIsSaidToHavePerhaps) {
  const Csr<float> a = sparse<float>({{1e-60, 1}, {1, 3}});  // a zero is stored
  try {
    Solver<float>(a, plain(), backend("serial"));
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("in float, numbers below 1.4e-45 become 0"), std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace jacobi
