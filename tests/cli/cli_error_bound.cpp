/// The proved bound of the error, in every unit of A and b.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/cli_process.hpp"
#include "jacobi/error_bound.hpp"
#include "random.hpp"
#include "unit/diagnosis_matrices.hpp"

namespace jacobi::cli_test {
namespace {

using diagnosis_test::Rows;
using test::Random;

/// By rows, by columns, weighted, symmetric: whichever norm contracts.
Rows contracting(Random& random) {
  const std::size_t n = static_cast<std::size_t>(random.integer(1, 8));
  const auto kind = random.integer(0, 3);
  Rows a(n, std::vector<double>(n));
  for (auto& row : a)
    for (double& value : row) value = random.integer(0, 2) > 0 ? random.real(-1, 1) : 0;
  if (kind == 3)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) a[i][j] = a[j][i];
  std::vector<double> row(n), column(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i != j) row[i] += std::abs(a[i][j]), column[j] += std::abs(a[i][j]);
  for (std::size_t i = 0; i < n; ++i)
    a[i][i] =
        (kind == 1 ? column[i] : row[i]) * random.real(1.02, 2) + (kind == 1 ? column[i] == 0 : row[i] == 0);
  if (kind == 2)
    for (auto& one : a)
      for (std::size_t j = 0; j < n; ++j) one[j] *= std::pow(10.0, double(j % 3));
  return a;
}

/// By Gauss in extended precision; no pivot is needed where a diagonal dominates.
std::vector<long double> solution(std::vector<std::vector<long double>> m, std::vector<long double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j; i < n; ++i)
      if (std::abs(m[i][j]) > std::abs(m[pivot][j])) pivot = i;
    std::swap(m[j], m[pivot]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const long double factor = m[i][j] / m[j][j];
      for (std::size_t k = j; k < n; ++k) m[i][k] -= factor * m[j][k];
      b[i] -= factor * b[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) b[j] -= m[j][k] * b[k];
    b[j] /= m[j][j];
  }
  return b;
}

/// x: the solution, off by about `off` of itself, which may be nothing but rounding; a hundredth of all
/// starts from 0.
template <class T>
bool holds_in_any_unit(unsigned seed, int most) {
  SCOPED_TRACE(seed);
  Random random(seed);
  Rows rows = contracting(random);
  const std::size_t n = rows.size();
  const int of_x = static_cast<int>(random.integer(-most, most));
  const int of_a =
      static_cast<int>(random.integer(std::max(-most, -most - of_x), std::min(most, most - of_x)));
  std::vector<T> b(n), x(n);
  std::vector<std::vector<long double>> exact(n, std::vector<long double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      rows[i][j] = static_cast<T>(std::ldexp(rows[i][j], of_a));
      exact[i][j] = rows[i][j];
    }
    b[i] = static_cast<T>(std::ldexp(random.real(-1, 1), of_a + of_x));
  }
  const Csr<T> a = diagnosis_test::matrix<T>(rows);
  const auto right = solution(exact, std::vector<long double>(b.begin(), b.end()));
  const double off = random.integer(0, 2) == 0 ? 0 : std::pow(10.0, random.real(-16, 0));
  long double error = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<T>(right[i] * (1 + off * random.real(-1, 1)));
    if (seed % 100 == 7) x[i] = 0;
    error = std::max(error, std::abs(x[i] - right[i]));
    size = std::max(size, std::abs(right[i]));
  }
  const Diagnosis d = diagnose<T>(a, b, std::vector<T>(n));
  if (!d.bound) return false;  // of triangles, which need no contraction
  const auto bound = jacobi::error_bound<T>(a, d, b, x);
  EXPECT_TRUE(bound);
  if (!bound) return false;
  EXPECT_GE(*bound, error);
  EXPECT_GT(*bound, 0);
  if (d.bound->weights.empty())  // which may lie far apart
    EXPECT_LE(*bound, 1e6L * error + 1e-22L * size + 1e-320L)
        << name(d.bound->norm) << " " << d.bound->factor;
  return true;
}

TEST(ErrorBound, HoldsAndIsNotZeroInAnyUnitOfDouble) {
  int bounds = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) bounds += holds_in_any_unit<double>(seed, 996);
  EXPECT_GT(bounds, 2000);
}
TEST(ErrorBound, HoldsAndIsNotZeroInAnyUnitOfFloat) {
  int bounds = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) bounds += holds_in_any_unit<float>(seed, 90);
  EXPECT_GT(bounds, 700);
}

TEST(ErrorBound, IsZeroOfZeros) {
  const Csr<double> a = diagnosis_test::matrix(Rows{{2, 1}, {0, 3}});
  const std::vector<double> zeros(2);
  const Diagnosis d = diagnose<double>(a, zeros, zeros);
  EXPECT_EQ(error_bound<double>(a, d, zeros, zeros), 0);
}

/// 2-norms and their squares underflow: x is of the size of 1e-200.
TEST(CliSolve, TellsABoundThatSquaresDoNotHold) {
  const TemporaryFolder folder;
  std::ofstream(folder / "A.mtx") << "%%MatrixMarket matrix array real general\n2 2\n5\n2\n1\n4\n";
  std::ofstream(folder / "b.mtx") << "%%MatrixMarket matrix array real general\n2 1\n1e-200\n-3e-200\n";
  const auto r = report(folder, {"solve", "A.mtx", "b.mtx"});
  ASSERT_EQ(r["status"], "converged");
  EXPECT_GT(r["error_bound"].get<double>(), 1e-214);
  EXPECT_LT(r["error_bound"].get<double>(), 1e-206);
}

}  // namespace
}  // namespace jacobi::cli_test
