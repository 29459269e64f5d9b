/// Whoever looks at every check of a solve, and whoever wants it ended.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <stop_token>
#include <thread>

#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::observer_test {
namespace {

using test::random_values;

constexpr Index n = 50;

/// x after so many sweeps x_i = (b_i + x_(i-1) + x_(i+1)) / 2 from 0.
std::vector<double> by_hand(const std::vector<double>& b, Index sweeps) {
  std::vector<double> x(b.size()), next(b.size());
  for (Index s = 0; s < sweeps; ++s) {
    for (std::size_t i = 0; i < x.size(); ++i)
      next[i] = (b[i] + (i > 0 ? x[i - 1] : 0) + (i + 1 < x.size() ? x[i + 1] : 0)) / 2;
    x.swap(next);
  }
  return x;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double bound) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], bound) << i;
}

/// Every rung, norm and precision: the k-th check is of the k-th iterate.
template <class T, class A>
void expect_iterates(const A& a, Norm norm, double scale) {
  const std::vector<double> values = random_values<double>(n, -1, 1, 3);
  std::vector<T> b(values.size()), x(values.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(scale * values[i]);
  Stop stop{.norm = norm, .max_sweeps = 20, .check_every = 1};
  Index seen = 0;
  std::vector<double> norms;
  stop.observe = [&](const Check& c) {
    EXPECT_EQ(c.sweeps, ++seen);
    EXPECT_GT(c.tolerance, 0);
    norms.push_back(c.norm);
    std::vector<double> now = c.iterate(), right = by_hand(values, c.sweeps);
    for (double& value : now) value /= scale;
    expect_near(now, right, 100 * std::numeric_limits<T>::epsilon());
    return true;
  };
  const Report r = Solver<T>(a, plain()).solve(b, x, stop);
  EXPECT_EQ(seen, 20) << name(norm);
  ASSERT_EQ(r.history.size(), 21u);
  for (std::size_t k = 0; k + 1 < norms.size(); ++k)  // the last one is then computed from scratch
    EXPECT_EQ(norms[k], r.history[k + 1].norm) << name(norm) << k;
}

TEST(Observer, ReadsTheIterateOfEveryCheck) {
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_update, Norm::scaled_residual}) {
    expect_iterates<double>(tridiagonal<double>(n, -1, 2, -1), norm, 1);
    expect_iterates<double>(to_csr(tridiagonal<double>(n, -1, 2, -1)), norm, 1);
    expect_iterates<float>(tridiagonal<float>(n, -1, 2, -1), norm, 1);
  }
}

TEST(Observer, SeesTheCallersUnitsWhereOthersAreSweptIn) {
  expect_iterates<double>(tridiagonal<double>(n, -1, 2, -1), Norm::residual, 1e-200);
}

TEST(Observer, EndsTheSolveAtTheIterateItSaw) {
  const auto a = tridiagonal<double>(n, -1, 2, -1);
  const std::vector<double> b(n, 1.0);
  std::vector<double> x(n), seen;
  Stop stop{.norm = Norm::update, .check_every = 3};
  stop.observe = [&](const Check& c) {
    seen = c.iterate();
    return c.sweeps < 9;
  };
  const Report r = Solver<double>(a, plain()).solve(b, x, stop);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_EQ(r.sweeps, 9);
  EXPECT_EQ(x, seen);
}

TEST(Observer, IsToldOfTheCheckThatConverges) {
  const auto a = poisson<double, 2>({20, 20});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x(a.rows());
  double last = 1;
  Stop stop{.relative = 1e-6};
  stop.observe = [&](const Check& c) {
    last = c.norm / c.tolerance;
    return true;
  };
  EXPECT_TRUE(Solver<double>(a, plain()).solve(b, x, stop).converged());
  EXPECT_LE(last, 1);
}

TEST(Cancelled, SolvesKeepTheirIterate) {
  const auto a = poisson<double, 2>({300, 300});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x(a.rows());
  std::stop_source asked;
  Stop stop{.relative = 1e-12};
  stop.cancel = asked.get_token();
  stop.progress = [&](const Progress&) { return asked.request_stop(), true; };
  const Report r = Solver<double>(a, plain()).solve(b, x, stop);
  EXPECT_EQ(r.status, Status::interrupted);
  EXPECT_GT(r.sweeps, 0);
  EXPECT_NE(x[0], 0);
}

/// Rows that are swept from a copy go on as they were: the residual from scratch shows that they are no more.
TEST(Observer, MayNotChangeTheMatrixUnseen) {
  std::vector<int> offsets{0}, columns;
  std::vector<double> values;
  for (int row = 0; row < n; ++row) {
    for (const int column : {row - 1, row, row + 1}) {
      if (column < 0 || column >= n) continue;
      columns.push_back(column);
      values.push_back(column == row ? 2 : -1);
    }
    offsets.push_back(static_cast<int>(values.size()));
  }
  const auto a = Csr<double>::view<int>(offsets, columns, values);
  const std::vector<double> b(n, 1.0);
  std::vector<double> x(n);
  Stop stop;
  stop.max_sweeps = 1'000'000;
  stop.observe = [&](const Check&) {
    std::ranges::fill(values, std::nan(""));
    return true;
  };
  const Report r = Solver<double>(a, plain()).solve(b, x, stop);
  EXPECT_EQ(r.status, Status::diverged);
  EXPECT_LT(r.sweeps, 100'000);
}

TEST(Cancelled, BindingsAndDiagnosesAndSolvesInOneLineThrow) {
  const auto grid = poisson<double, 2>({30, 30});
  const Csr<double> a = to_csr(grid);
  const std::vector<double> b(a.rows(), 1.0), x(a.rows());
  std::stop_source asked;
  asked.request_stop();
  DiagnoseOptions options;
  options.stop.cancel = asked.get_token();
  EXPECT_THROW(diagnose<double>(a, b, x, options), Interrupted);
  EXPECT_THROW(solve(a, b, options.stop), Interrupted);
  EXPECT_THROW(Solver<double>(a, plain(), backend(), asked.get_token()), Interrupted);
  EXPECT_THROW(Solver<double>(grid, multigrid(grid), backend(), asked.get_token()), Interrupted);
  EXPECT_EQ(diagnose<double>(a, b, x).verdict, Verdict::converges) << "no wish outlives its call";
}

/// By another thread, as a user would.
TEST(Cancelled, DiagnosesEndBetweenProducts) {
  const Csr<double> a = to_csr(poisson<double, 2>({700, 700}));
  const std::vector<double> b(a.rows(), 1.0), x(a.rows());
  DiagnoseOptions options;
  options.cholesky = Cholesky::never;
  options.budget = 100'000;  // minutes
  std::stop_source asked;
  options.stop.cancel = asked.get_token();
  const std::jthread user([&asked] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    asked.request_stop();
  });
  EXPECT_THROW(diagnose<double>(a, b, x, options), Interrupted);
}

}  // namespace
}  // namespace jacobi::observer_test
