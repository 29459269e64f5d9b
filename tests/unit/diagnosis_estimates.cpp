/// Predicted sweeps against sweeps that were run, weights, scales and types.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "random.hpp"
#include "unit/diagnosis_matrices.hpp"

namespace jacobi {
namespace {

using namespace diagnosis_test;

/// Springs of very different stiffness in a row, held at one end.
Csr<double> springs(Index n) {
  std::vector<Entry<double>> entries;
  const auto stiffness = [](Index i) { return std::pow(10.0, i * 7 % 4); };
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, stiffness(i) + (i + 1 < n ? stiffness(i + 1) : 0)});
    if (i + 1 < n) entries.push_back({i, i + 1, -stiffness(i + 1)});
    if (i > 0) entries.push_back({i, i - 1, -stiffness(i)});
  }
  return sparse(n, entries);
}

TEST(Diagnosis, PredictsSweepsInEveryNorm) {
  for (const auto& a : {grid(15), grid(12, 4, 0.6), springs(12), grid(6, 4.1, 3)})
    for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
      DiagnoseOptions options;
      options.stop.norm = norm;
      const Diagnosis d = diagnose_ones(a, options);
      if (jacobi_radius(a) >= 1) continue;
      const double taken = sweeps_taken(a, row_sums(a), d, norm);
      ASSERT_TRUE(d.predicted_sweeps);
      EXPECT_NEAR(*d.predicted_sweeps, taken, 1 + 0.05 * taken) << a.rows() << " " << name(norm);
    }
}

/// A ring of upwind differences: radius 0.999 by its row sums, which 120 products do not show.
TEST(Diagnosis, PredictsFromProvedBoundsWhatProductsDoNotShow) {
  const Index n = 400;
  std::vector<Entry<double>> entries;
  std::vector<double> b(n);
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, 1000});
    entries.push_back({i, (i + n - 1) % n, -999});
    b[i] = i < n / 10 ? 1 : 0;
  }
  const Csr<double> a = sparse(n, entries);
  const Diagnosis d = diagnose<double>(a, b, std::vector<double>(n), {});
  ASSERT_TRUE(d.predicted_sweeps);
  EXPECT_NEAR(*d.predicted_sweeps, std::log(1e-8) / std::log(0.999), 10);
  EXPECT_FALSE(d.best_omega);  // eigenvalues lie all around: none helps
  EXPECT_EQ(d.method, Advised::plain);
}

TEST(Diagnosis, PredictsTheFiniteSweepsOfATriangleAndAShift) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < 50; ++i) {
    entries.push_back({i, i, 1});
    if (i > 0) entries.push_back({i, i - 1, 2});
  }
  const Csr<double> a = sparse(50, entries);
  const Diagnosis d = diagnose_ones(a);
  EXPECT_NEAR(*d.predicted_sweeps, sweeps_taken(a, row_sums(a), d, Norm::residual), 1);
  EXPECT_TRUE(d.far_from_normal);
}

TEST(Diagnosis, KnowsTheL1RadiusOfATriangle) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < 60; ++i) {
    entries.push_back({i, i, i % 2 == 0 ? 4.0 : -4.0});
    for (const Index j : {i - 1, i - 7})
      if (j >= 0) entries.push_back({i, j, -1});
  }
  const Diagnosis d = diagnose_ones(sparse(60, entries));
  ASSERT_TRUE(d.l1_radius);
  EXPECT_NEAR(*d.l1_radius, 1.0 / 3, 1e-15);
}

TEST(Diagnosis, PredictsNoSweepsFromTheSolution) {
  const Csr<double> a = grid(10);
  const std::vector<double> b = row_sums(a), x(b.size(), 1.0);
  DiagnoseOptions options;
  options.stop.absolute = 1e-9;
  EXPECT_EQ(diagnose<double>(a, b, x, options).predicted_sweeps, 0);
  options.stop.norm = Norm::update;
  const Diagnosis d = diagnose<double>(a, b, x, options);
  EXPECT_EQ(d.predicted_sweeps, 1);
  EXPECT_NEAR(*d.spectral_radius, std::cos(std::acos(-1.0) / 11), 1e-9);
}

/// Where all rows sum up to the same, M maps the start of a solve for ones to a multiple of itself: its other
/// eigenvalues, here in a circle of radius 1/4, must not be overlooked.
TEST(Diagnosis, WeighsModesThatTheStartDoesNotHold) {
  constexpr Index n = 40000;
  std::mt19937 random(5);
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, 12});
    std::set<Index> columns{i};
    while (columns.size() < 10) columns.insert(static_cast<Index>(random() % n));
    for (const Index j : columns)
      if (j != i) entries.push_back({i, j, -1});
  }
  const Diagnosis d = diagnose_ones(sparse(n, entries));
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_NEAR(*d.spectral_radius, 0.75, 1e-9);
  ASSERT_TRUE(d.best_omega);
  EXPECT_LT(*d.best_omega, 1.6);  // |1 - omega (1 + 1/4)| < 1
}

/// Norms whose squares vanish or overflow are those of the same system in other units.
TEST(Diagnosis, PredictsAlikeForEveryScaleOfTheSystem) {
  const Csr<double> a = grid(9);
  const Diagnosis one = diagnose_ones(a);
  for (const double scale : {0x1p-1000, 1e-300, 1e-200, 1e200, 1e300}) {
    std::vector<Entry<double>> entries;
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          entries.push_back({i, columns[k], scale * values[k]});
    });
    const Diagnosis d = diagnose_ones(sparse(a.rows(), entries));
    EXPECT_NEAR(d.norm_initial / scale, one.norm_initial, 1e-9 * one.norm_initial) << scale;
    EXPECT_NEAR(*d.predicted_sweeps, *one.predicted_sweeps, 1) << scale;
    EXPECT_TRUE(d.warnings.empty());
  }
}

TEST(Diagnosis, SaysAtLeastWhereTheMatrixIsTooLarge) {
  DiagnoseOptions options;
  options.budget = 12;
  const Index n = 500;
  const Diagnosis d = diagnose_ones(grid(n), options);
  const double low = 1 - std::cos(std::acos(-1.0) / (n + 1));
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_FALSE(d.radius_resolved);
  EXPECT_GE(1 - *d.spectral_radius, low);
  EXPECT_LE(1 - *d.spectral_radius, 1.5 * low);
  EXPECT_LE(d.radius_lower, *d.spectral_radius);
  EXPECT_LT(d.products, 20);
  EXPECT_GT(*d.predicted_sweeps, 2.5e5);
  EXPECT_NE(d.advice.find("at least"), std::string::npos);
}

TEST(Diagnosis, FindsTheWeightForDefiniteMatrices) {
  const Csr<double> a = grid(8, 4, 0);
  const Diagnosis plain = diagnose_ones(a);
  EXPECT_NEAR(*plain.best_omega, 1, 1e-6);
  const Eigen::MatrixXd m = dense(a) * dense(a);  // definite; plain Jacobi diverges
  Rows rows(64, std::vector<double>(64));
  for (Index i = 0; i < 64; ++i)
    for (Index j = 0; j < 64; ++j) rows[i][j] = m(i, j);
  const Diagnosis d = diagnose_ones(matrix(rows));
  const Eigen::VectorXd diagonal = m.diagonal();
  EXPECT_EQ(d.verdict, Verdict::diverges);
  EXPECT_EQ(d.method, Advised::weighted);
  EXPECT_NEAR(*d.radius_at_best_omega, radius(iteration(m, diagonal / *d.best_omega)), 1e-6);
  EXPECT_NEAR(*d.l1_radius, radius(iteration(m, m.cwiseAbs().rowwise().sum())), 1e-6);
  EXPECT_TRUE(d.positive_definite);
}

TEST(Diagnosis, FindsTheWeightForComplexEigenvalues) {
  const Csr<double> a = matrix({{1, -2, 0}, {2, 1, 1}, {0, -1, 1}});  // eigenvalues 1, 1 +- i sqrt 5
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::diverges);
  EXPECT_NEAR(*d.best_omega, 1.0 / 6, 1e-3);
  EXPECT_NEAR(*d.radius_at_best_omega, std::sqrt(5.0 / 6), 1e-6);
}

TEST(Diagnosis, DoesNotDependOnScaleOrSign) {
  const Rows rows{{4, -1, 0, -1}, {-1, 4, -1, 0}, {0, -1, 4, -1}, {-1, 0, -1, 4}};
  const Diagnosis d = diagnose_ones(matrix(rows));
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300, -1.0}) {
    Rows scaled = rows;
    for (auto& row : scaled)
      for (double& value : row) value *= scale;
    const Diagnosis s = diagnose_ones(matrix(scaled));
    EXPECT_EQ(s.verdict, d.verdict) << scale;
    EXPECT_TRUE(has_proof(s, "strict row dominance")) << scale;
    EXPECT_NEAR(*s.spectral_radius, *d.spectral_radius, 1e-9) << scale;
    EXPECT_EQ(s.m_matrix, scale > 0);
  }
}

TEST(Diagnosis, SurvivesEntriesOfEverySize) {
  const Diagnosis d = diagnose_ones(matrix({{1e-300, 1e300}, {1e-300, 1e300}}));
  EXPECT_NE(d.verdict, Verdict::converges);
  const std::vector<double> b(3, 1.0), x(3);  // A times ones overflows
  const auto huge = matrix({{1e308, 1e308, 1e308}, {1e308, 1e308, 1e308}, {1, 1, 1e-308}});
  EXPECT_NO_THROW(diagnose<double>(huge, b, x));
  EXPECT_NO_THROW(diagnose_ones(matrix({{5e-324, 1}, {1, 5e-324}})));
}

/// Small entries beside large ones are not lost where these are scaled: the spectral radius is sqrt(10).
TEST(Diagnosis, LosesNoEntryBesideALargeOne) {
  for (const double large : {1e130, 1e170, 1e200, 1e290}) {
    const Diagnosis d = diagnose_ones(matrix({{1, large}, {10 / large, 1}}));
    EXPECT_NE(d.verdict, Verdict::converges) << large;
    EXPECT_FALSE(has_proof(d, "acyclic graph")) << large;
  }
  const Diagnosis d = diagnose_ones(matrix({{1, 1e308}, {5e-324, 1}}));
  EXPECT_EQ(d.verdict, Verdict::undecided);
  EXPECT_TRUE(d.proofs.empty());
  EXPECT_NE(d.advice.find("other units"), std::string::npos) << d.advice;
}

TEST(Diagnosis, TakesFloats) {
  const auto a = matrix<float>({{4, 1.1F, 0.3F}, {1.1F, 5, 0.7F}, {0.3F, 0.7F, 3}});
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(d.symmetric);
}

TEST(Diagnosis, SeesSymmetryUpToRounding) {
  const double third = 1.0 / 3, beside = std::nextafter(third, 1);
  Diagnosis d = diagnose_ones(matrix({{1, third, third}, {beside, 1, third}, {third, beside, 1}}));
  EXPECT_TRUE(d.symmetric);
  EXPECT_GT(d.asymmetry, 0);
  EXPECT_LT(d.asymmetry, 1e-15);
  d = diagnose_ones(matrix({{1, 0.5}, {0.25, 1}}));
  EXPECT_FALSE(d.symmetric);
  EXPECT_TRUE(d.pattern_symmetric);
  EXPECT_EQ(d.asymmetry, 0.25);
}

Csr<double> times_power_of_two(const Csr<double>& a, int power) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    std::vector<double> made(values.begin(), values.end());
    for (double& value : made) value = std::ldexp(value, power);
    return Csr<double>::own(std::vector(offsets.begin(), offsets.end()),
                            std::vector(columns.begin(), columns.end()), std::move(made));
  });
}

TEST(Diagnosis, EstimatesTheSameInAllUnits) {
  for (const auto& a : {springs(12), grid(9), grid(9, 4.3)}) {
    const Diagnosis right = diagnose_ones(a);
    ASSERT_TRUE(right.spectral_radius && right.predicted_sweeps && right.eigenvalues);
    for (const int power : {-600, -300, -100, -66, -60, 60, 64, 66, 100, 300, 600}) {
      const Diagnosis d = diagnose_ones(times_power_of_two(a, power));
      EXPECT_EQ(d.verdict, right.verdict) << power;
      EXPECT_NEAR(*d.spectral_radius, *right.spectral_radius, 1e-12) << power;
      EXPECT_NEAR(d.radius_upper, right.radius_upper, 1e-12) << power;
      EXPECT_NEAR(d.eigenvalues->low, right.eigenvalues->low, 1e-9 * right.eigenvalues->low) << power;
      EXPECT_NEAR(*d.predicted_sweeps, *right.predicted_sweeps, 1e-6 * *right.predicted_sweeps) << power;
      EXPECT_EQ(d.l1_radius.has_value(), right.l1_radius.has_value()) << power;
      if (right.l1_radius) EXPECT_NEAR(*d.l1_radius, *right.l1_radius, 1e-9) << power;
    }
  }
}

enum class Spoiled { nothing, one_entry, one_zero, two_zeros, all };

/// Full and symmetric up to what is spoiled, zeros stored; `more` rows follow that hold nothing but a
/// diagonal.
Csr<double> full_but(Index n, Spoiled what, Index more) {
  test::Random random(static_cast<unsigned>(n));
  std::vector<Entry<double>> entries;
  const Index p = random.integer(0, n - 2), q = random.integer(p + 1, n - 1);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j <= i; ++j) {
      const double low = random.real(1, 2);
      double high = what == Spoiled::all ? random.real(1, 2) : low;
      if (i == q && j == p && what == Spoiled::one_entry) high += 0.5;
      const bool is_zero = i == q && j == p && (what == Spoiled::one_zero || what == Spoiled::two_zeros);
      entries.push_back({i, j, is_zero ? 0 : low});
      if (i != j) entries.push_back({j, i, is_zero && what == Spoiled::two_zeros ? 0 : high});
    }
  for (Index i = n; i < n + more; ++i) entries.push_back({i, i, 1});
  return sparse(n + more, entries);
}

TEST(Diagnosis, ComparesRowsThatLackNothingAsItDoesOthers) {
  using enum Spoiled;
  for (const Index n : {2, 3, 7, 8, 9, 17, 64, 130, 300})
    for (const Spoiled what : {nothing, one_entry, one_zero, two_zeros, all}) {
      const Diagnosis full = diagnose_ones(full_but(n, what, 0)), other = diagnose_ones(full_but(n, what, 1));
      EXPECT_EQ(full.pattern_symmetric, what != one_zero) << n;
      EXPECT_EQ(full.pattern_symmetric, other.pattern_symmetric) << n;
      EXPECT_EQ(full.symmetric, what == nothing || what == two_zeros) << n;
      EXPECT_EQ(full.symmetric, other.symmetric) << n;
      EXPECT_EQ(full.asymmetry, other.asymmetry) << n;
      EXPECT_EQ(full.asymmetry == 0, full.symmetric) << n;
    }
}

}  // namespace
}  // namespace jacobi
