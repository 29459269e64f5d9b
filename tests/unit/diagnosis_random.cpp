/// No proof may contradict a dense eigenvalue solver, whatever the matrix.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <random>

#include "unit/diagnosis_matrices.hpp"

namespace jacobi {
namespace {

using namespace diagnosis_test;

/// Kinds: general, symmetric, Z, one-signed M, triangular and permuted, reducible, integers, badly scaled.
Rows random_matrix(std::mt19937& random, int kind) {
  std::uniform_real_distribution<double> value(-1, 1), share(0, 1);
  const std::size_t n = 1 + random() % 12;
  const double density = share(random), weight = std::pow(10, 1.5 * value(random)) * static_cast<double>(n);
  Rows a(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (share(random) < density) a[i][j] = value(random);
      if (kind == 2) a[i][j] = -std::abs(a[i][j]);
      if (kind == 3) a[i][j] = std::abs(a[i][j]);
      if (kind == 4 && j > i) a[i][j] = 0;
      if (kind == 5 && i >= n / 2 && j < n / 2) a[i][j] = 0;
      if (kind == 6) a[i][j] = std::round(3 * a[i][j]);
    }
  for (std::size_t i = 0; i < n; ++i) {
    a[i][i] = kind == 6 ? static_cast<double>(1 + random() % 5) : 0.3 * weight * (0.5 + share(random));
    if (kind == 0 && random() % 2) a[i][i] = -a[i][i];
  }
  if (kind == 1 || kind == 8)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) a[i][j] = a[j][i];
  if (kind == 7)
    for (std::size_t j = 0; j < n; ++j) {
      const double scale = std::ldexp(1, static_cast<int>(random() % 40) - 20);
      for (std::size_t i = 0; i < n; ++i) a[i][j] *= scale;
    }
  if (kind == 8)  // rows that sum to exactly zero, or nearly
    for (std::size_t i = 0; i < n; ++i) {
      a[i][i] = 0;
      for (std::size_t j = 0; j < n; ++j) a[i][i] += j == i ? 0 : std::abs(a[i][j]);
      if (a[i][i] == 0) a[i][i] = 1;
    }
  return a;
}

void expect_no_contradiction(const Diagnosis& d, double truth, double doubt) {
  EXPECT_LE(d.radius_lower, truth + doubt);
  EXPECT_GE(d.radius_upper, truth - doubt);
  if (d.verdict == Verdict::converges) EXPECT_LT(truth, 1 + doubt);
  if (d.verdict == Verdict::diverges) EXPECT_GT(truth, 1 - doubt);
  if (d.bound) EXPECT_GE(d.bound->factor, truth - doubt);
}

class RandomDiagnosis : public testing::TestWithParam<int> {};

TEST_P(RandomDiagnosis, IsNeverContradictedAndSeldomUndecided) {
  std::mt19937 random(static_cast<unsigned>(17 + GetParam()));
  int undecided = 0, estimated = 0;
  for (int round = 0; round < 120; ++round) {
    const Csr<double> a = matrix(random_matrix(random, GetParam()));
    const Diagnosis d = diagnose_ones(a);
    const Eigen::MatrixXd m = dense(a);
    const Eigen::MatrixXd step = iteration(m, m.diagonal());
    const double truth = GetParam() == 4 ? 0 : radius(step);  // which no solver finds for a triangle
    const double other = GetParam() == 4 ? 0 : radius(step.transpose());
    const double doubt = 1e-6 * (1 + truth) + 10 * std::abs(truth - other);
    SCOPED_TRACE(testing::Message() << "kind " << GetParam() << " round " << round << "\n" << m);
    expect_no_contradiction(d, truth, doubt);
    ASSERT_TRUE(d.spectral_radius);
    EXPECT_NEAR(*d.spectral_radius, truth, doubt + 1e-4 * truth);
    undecided += d.verdict == Verdict::undecided;
    estimated += d.verdict == Verdict::estimated_to_converge || d.verdict == Verdict::estimated_to_diverge;
    if (d.positive_definite) EXPECT_GT(least_eigenvalue(m), 0);
    if (d.m_matrix) EXPECT_GE(m.inverse().minCoeff(), -1e-9);
    if (d.symmetric && d.eigenvalues && d.best_omega)
      EXPECT_NEAR(*d.radius_at_best_omega, radius(iteration(m, m.diagonal() / *d.best_omega)), 1e-4);
  }
  EXPECT_LE(undecided, GetParam() == 8 ? 100 : 3);
  EXPECT_LE(estimated, 3);
}

TEST_P(RandomDiagnosis, PredictsWhatIsRun) {
  std::mt19937 random(static_cast<unsigned>(99 + GetParam()));
  for (int round = 0; round < 40; ++round) {
    const Csr<double> a = matrix(random_matrix(random, GetParam()));
    const Diagnosis d = diagnose_ones(a, {.stop = {.norm = Norm::residual}});
    if (d.verdict != Verdict::converges || *d.spectral_radius > 0.9999) continue;
    const double taken = sweeps_taken(a, row_sums(a), d, Norm::residual);
    ASSERT_TRUE(d.predicted_sweeps);
    EXPECT_NEAR(*d.predicted_sweeps, taken, 2 + 0.1 * taken) << GetParam() << " " << round << "\n"
                                                             << dense(a);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomDiagnosis, testing::Range(0, 9));

TEST(Diagnosis, FindsARowOrderWheneverThereIsOne) {
  std::mt19937 random(5);
  int found = 0;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 1 + random() % 7;
    Rows a(n, std::vector<double>(n));
    for (auto& row : a)
      for (double& value : row) value = random() % 3 == 0;
    a[0][0] = 0;
    const Diagnosis d = diagnose_ones(matrix(a));
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    bool exists = false;
    do {
      bool whole = true;
      for (std::size_t i = 0; i < n; ++i) whole &= a[order[i]][i] != 0;
      exists |= whole;
    } while (!exists && std::next_permutation(order.begin(), order.end()));
    ASSERT_EQ(d.row_order.has_value(), exists) << round;
    found += exists;
    if (!exists) continue;
    std::vector<bool> taken(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>((*d.row_order)[i]);
      EXPECT_NE(a[row][i], 0);
      EXPECT_FALSE(taken[row]);
      taken[row] = true;
    }
  }
  EXPECT_GT(found, 30);
}

}  // namespace
}  // namespace jacobi
