/// What is said of systems whose rows and columns are in very different units: D^-1 A of the same system in
/// other units is similar to it, and has the same eigenvalues.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "random.hpp"
#include "share.hpp"
#include "unit/diagnosis_matrices.hpp"

namespace jacobi {
namespace {

using namespace diagnosis_test;
using test::Random;
using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// Kinds: any signs, none, one; more or less zeros; triangles of blocks; symmetric.
Rows well_scaled(Random& random) {
  const std::size_t n = static_cast<std::size_t>(random.integer(2, 12));
  const double density = random.real(0.2, 1), weight = std::pow(10.0, random.real(-0.5, 1));
  const int kind = random.integer(0, 3);
  Rows a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (random.real(0, 1) < density) a[i][j] = random.real(-1, 1);
      if (kind == 1) a[i][j] = -std::abs(a[i][j]);
      if (kind == 2 && i >= n / 2 && j < n / 2) a[i][j] = 0;
      if (kind == 3 && j < i) a[i][j] = a[j][i];
    }
  for (std::size_t i = 0; i < n; ++i) a[i][i] = weight * random.real(0.5, 1.5);
  return a;
}

long double radius_in_extended(const Rows& rows) {
  const Index n = static_cast<Index>(rows.size());
  Extended m = Extended::Zero(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      if (i != j) m(i, j) = -static_cast<long double>(rows[i][j]) / rows[i][i];
  return Eigen::EigenSolver<Extended>(m, false).eigenvalues().cwiseAbs().maxCoeff();
}

/// Rows, columns or both times powers of ten, up to 10^-most and 10^most.
Rows in_other_units(Random& random, Rows a, Index most) {
  const int which = random.integer(1, 3);
  std::vector<double> row(a.size(), 1), column(a.size(), 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (which & 1) row[i] = std::pow(10.0, random.integer(-most, most));
    if (which & 2) column[i] = std::pow(10.0, random.integer(-most, most));
  }
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) a[i][j] *= row[i] * column[j];
  return a;
}

TEST(Property, UnitsOfRowsAndColumnsChangeNoVerdictAndNoRadius) {
  Random random(54);
  int far_off = 0, proved = 0, rounds = 0;
  for (; rounds < static_cast<int>(test::drawn(2000)); ++rounds) {
    const Rows plain = well_scaled(random);
    const double truth = static_cast<double>(radius_in_extended(plain));
    const Diagnosis d = diagnose_ones(matrix(in_other_units(random, plain, rounds % 2 ? 40 : 8)));
    const double doubt = 1e-4 * truth + 1e-3;  // of nilpotent ones: roots of a rounding
    SCOPED_TRACE(testing::Message() << "round " << rounds << ", spectral radius " << truth);
    EXPECT_LE(d.radius_lower, truth + doubt);
    EXPECT_GE(d.radius_upper, truth - doubt);
    if (d.verdict == Verdict::converges) EXPECT_LT(truth, 1 + doubt);
    if (d.verdict == Verdict::diverges) EXPECT_GT(truth, 1 - doubt);
    if (d.verdict == Verdict::estimated_to_converge) EXPECT_LT(truth, 1.01);
    if (d.verdict == Verdict::estimated_to_diverge) EXPECT_GT(truth, 0.99);
    ASSERT_TRUE(d.spectral_radius);
    EXPECT_LT(*d.spectral_radius, 1.5 * truth + 1e-3);
    EXPECT_GT(*d.spectral_radius, truth / 1.5 - 1e-3);
    far_off += std::abs(*d.spectral_radius - truth) > 0.01 * truth + 1e-3;
    proved += d.verdict == Verdict::converges || d.verdict == Verdict::diverges;
  }
  EXPECT_LE(far_off, rounds / 200);
  EXPECT_GE(proved, rounds * 9 / 10);
}

}  // namespace
}  // namespace jacobi
