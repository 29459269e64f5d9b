/// What diagnose() proves of textbook matrices.
#include <gtest/gtest.h>

#include "jacobi/error.hpp"
#include "unit/diagnosis_matrices.hpp"

namespace jacobi {
namespace {

using namespace diagnosis_test;

Rows constant_off_diagonal(std::size_t n, double value) {
  Rows rows(n, std::vector<double>(n, value));
  for (std::size_t i = 0; i < n; ++i) rows[i][i] = 1;
  return rows;
}

TEST(Diagnosis, ProvesStrictDominanceOfTheTextbookSystem) {
  const auto a = matrix({{10, -1, 2, 0}, {-1, 11, -1, 3}, {2, -1, 10, -1}, {0, 3, -1, 8}});
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "strict row dominance"));
  EXPECT_NEAR(*d.spectral_radius, 0.4264, 1e-4);
  EXPECT_TRUE(d.radius_resolved);
  ASSERT_TRUE(d.bound);
  EXPECT_LE(d.bound->factor, 0.5 + 1e-12);
  EXPECT_EQ(d.method, Advised::plain);
  EXPECT_FALSE(d.m_matrix);
  EXPECT_EQ(d.asymmetry, 0);
}

TEST(Diagnosis, ProvesNilpotencyWithoutATriangle) {
  const Diagnosis d = diagnose_ones(matrix({{1, 2, -2}, {1, 1, 1}, {2, 2, 1}}));
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "nilpotent"));
  EXPECT_EQ(*d.spectral_radius, 0);
  EXPECT_LE(*d.predicted_sweeps, 3);
  EXPECT_TRUE(d.far_from_normal);
}

TEST(Diagnosis, ProvesDivergenceByPowers) {
  const Diagnosis d = diagnose_ones(matrix({{2, -1, 1}, {2, 2, 2}, {-1, -1, 2}}));
  EXPECT_EQ(d.verdict, Verdict::diverges);
  EXPECT_NEAR(*d.spectral_radius, std::sqrt(5.0) / 2, 1e-9);
  EXPECT_FALSE(d.predicted_sweeps);
  EXPECT_NE(d.method, Advised::plain);
}

TEST(Diagnosis, ProvesDivergenceOfADefiniteMatrix) {
  for (const std::size_t n : {3, 5, 40, 300}) {
    const Diagnosis d = diagnose_ones(matrix(constant_off_diagonal(n, 0.8)));
    EXPECT_EQ(d.verdict, Verdict::diverges) << n;
    EXPECT_TRUE(has_proof(d, "Rayleigh quotient")) << n;
    EXPECT_NEAR(*d.spectral_radius, 0.8 * (n - 1.0), 1e-9 * n);
    EXPECT_TRUE(d.positive_definite);
    EXPECT_EQ(d.method, Advised::weighted);
    EXPECT_NEAR(*d.best_omega, 2 / (0.2 + 1 + 0.8 * (n - 1.0)), 1e-6);
  }
}

TEST(Diagnosis, DecidesSumsExactly) {
  const auto with = [](double diagonal) {  // 0.1 + 0.2 > 0.3 as doubles, exactly
    return diagnose_ones(matrix({{diagonal, 0.1, 0.2}, {0.1, diagonal, 0.2}, {0.1, 0.2, diagonal}}));
  };
  EXPECT_TRUE(has_proof(with(std::nextafter(0.1 + 0.2, 1)), "strict row dominance"));
  EXPECT_FALSE(has_proof(with(0.3), "strict row dominance"));
  EXPECT_NE(with(0.3).verdict, Verdict::converges);
  const Diagnosis equal = diagnose_ones(matrix({{1, 1}, {1, 1}}));
  EXPECT_TRUE(has_proof(equal, "spectral radius one"));
}

TEST(Diagnosis, NamesWeakDominanceByTheGraph) {
  EXPECT_TRUE(has_proof(diagnose_ones(grid(9)), "irreducible weak dominance"));
  EXPECT_TRUE(diagnose_ones(grid(9)).positive_definite);
  const auto chained = matrix({{2, -1, 0, 0}, {-1, 2, -1, 0}, {0, 0, 1, -1}, {0, 0, -0.5, 1}});
  EXPECT_TRUE(has_proof(diagnose_ones(chained), "weakly chained dominance"));
  EXPECT_FALSE(has_proof(diagnose_ones(chained), "irreducible weak dominance"));
  const auto closed = matrix({{2, -1, 0, 0}, {-1, 2, 0, 0}, {0, 0, 1, -1}, {0, 0, -1, 1}});
  EXPECT_NE(diagnose_ones(closed).verdict, Verdict::converges);
}

TEST(Diagnosis, ProvesWeakDominanceByColumns) {
  const auto a = matrix({{4, 1, -3}, {2, 4, 0}, {2, 3, 4}});
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "irreducible weak dominance"));
  const auto strict = matrix({{4, 3, -3}, {1, 4.5, 0}, {2, 1, 4}});
  EXPECT_TRUE(has_proof(diagnose_ones(strict), "strict column dominance"));
  EXPECT_FALSE(has_proof(diagnose_ones(strict), "strict row dominance"));
}

TEST(Diagnosis, CountsTheSweepsOfATriangle) {
  const auto stored = matrix({{2, 0, 0, 0}, {-5, 2, 0, 0}, {0, -7, 2, 0}, {-9, 0, 0, 2}});
  Diagnosis d = diagnose_ones(stored);
  EXPECT_TRUE(has_proof(d, "acyclic graph"));
  EXPECT_EQ(d.radius_upper, 0);
  EXPECT_EQ(*d.predicted_sweeps, 3);
  EXPECT_FALSE(d.warnings.empty());
  const auto permuted = matrix({{2, 1, 0, 1}, {0, 2, 0, 1}, {1, 0, 2, 0}, {0, 0, 0, 2}});
  d = diagnose_ones(permuted);
  EXPECT_TRUE(has_proof(d, "acyclic graph"));
  EXPECT_LE(*d.predicted_sweeps, 4);
  EXPECT_TRUE(has_proof(diagnose_ones(matrix({{3}})), "acyclic graph"));
  EXPECT_EQ(diagnose_ones(matrix({{3}})).predicted_sweeps, 1);
}

TEST(Diagnosis, IgnoresStoredZeros) {
  const Diagnosis d = diagnose_ones(sparse(2, {{0, 0, 1}, {1, 1, 1}, {0, 1, 0}, {1, 0, 5}}));
  EXPECT_TRUE(has_proof(d, "acyclic graph"));
  EXPECT_FALSE(d.pattern_symmetric);
}

TEST(Diagnosis, RescuesBadlyScaledColumns) {
  const Index n = 17;  // beyond what powers of M decide
  std::vector<Entry<double>> entries;
  const Csr<double> a = grid(n, 4.5, 0.3);
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < n * n; ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        entries.push_back(
            {i, columns[k], values[k] * std::ldexp(1, static_cast<int>(columns[k] * 7 % 31 + i * 5 % 13))});
  });
  const Diagnosis d = diagnose_ones(sparse(n * n, entries));
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "weighted row sums"));
  EXPECT_FALSE(has_proof(d, "strict row dominance") || has_proof(d, "strict column dominance"));
  ASSERT_TRUE(d.bound);
  EXPECT_EQ(d.bound->norm, ContractionNorm::weighted_max);
  EXPECT_EQ(d.bound->weights.size(), static_cast<std::size_t>(n * n));
  EXPECT_NEAR(d.bound->factor, jacobi_radius(a), 2e-2);
}

TEST(Diagnosis, RescuesSumsThatRoundingSpoiled) {
  const Diagnosis d = diagnose_ones(grid(120, 4 - 1e-15));  // no row but those at the sides dominates
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "weighted row sums"));
  EXPECT_FALSE(has_proof(d, "irreducible weak dominance"));
  EXPECT_TRUE(d.m_matrix);
}

TEST(Diagnosis, ProvesDivergenceByWeightsWhereSignsAgree) {
  const Diagnosis d = diagnose_ones(grid(17, 3.5, 0.3));  // M >= 0, unsymmetric, 289 rows
  EXPECT_EQ(d.verdict, Verdict::diverges);
  EXPECT_TRUE(has_proof(d, "weighted row sums"));
  EXPECT_FALSE(d.m_matrix);
  EXPECT_FALSE(d.warnings.empty());
}

TEST(Diagnosis, ProvesConvergenceByFactors) {
  std::vector<Entry<double>> entries;  // eigenvalues 1 - 0.8 cos t + 0.5 cos 3t, row sums of |M| 1.3
  const Index n = 260;
  for (Index i = 0; i < n; ++i)
    for (const auto& [step, value] :
         {std::pair<Index, double>{0, 1}, {1, -0.4}, {-1, -0.4}, {3, 0.25}, {-3, 0.25}})
      if (i + step >= 0 && i + step < n) entries.push_back({i, i + step, value});
  const Csr<double> a = sparse(n, entries);
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::converges);
  EXPECT_TRUE(has_proof(d, "Cholesky factors"));
  EXPECT_NEAR(*d.spectral_radius, jacobi_radius(a), 1e-4);
  ASSERT_TRUE(d.bound);
  EXPECT_GE(d.bound->factor, jacobi_radius(a));
  DiagnoseOptions never;
  never.cholesky = Cholesky::never;
  EXPECT_EQ(diagnose_ones(a, never).verdict, Verdict::estimated_to_converge);
}

TEST(Diagnosis, ProvesConvergenceOfAFullMatrixByFactors) {
  for (const std::size_t n : {90, 150, 250}) {  // the largest ones by LAPACK
    Rows rows(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        rows[i][j] = i == j ? 3 : std::copysign(1.35, std::sin(double(i * j + i + j))) / std::sqrt(double(n));
    const Csr<double> a = matrix(rows);
    const double radius = jacobi_radius(a);
    ASSERT_LT(radius, 1) << "or the example is none";
    const Diagnosis d = diagnose_ones(a);
    EXPECT_EQ(d.verdict, Verdict::converges) << n;
    EXPECT_TRUE(has_proof(d, "Cholesky factors") || n == 90) << n;
    EXPECT_GE(d.radius_upper, radius) << n;
    EXPECT_NEAR(*d.spectral_radius, radius, 0.02) << n;
    for (std::size_t i = 0; i < n; ++i) rows[i][i] = 3 * radius * 0.99;  // now it is just above 1
    EXPECT_NE(diagnose_ones(matrix(rows)).verdict, Verdict::converges) << n;
  }
}

TEST(Diagnosis, ClaimsNothingOfASpectralRadiusOfOne) {
  const auto neumann = matrix({{1, -1, 0, 0}, {-1, 2, -1, 0}, {0, -1, 2, -1}, {0, 0, -1, 1}});
  Rows ring(6, std::vector<double>(6));
  for (std::size_t i = 0; i < 6; ++i) ring[i][i] = 2, ring[i][(i + 1) % 6] = ring[(i + 1) % 6][i] = -1;
  const auto round = matrix(ring), sums = matrix({{1, 1}, {1, 1}}), open = matrix({{1, 3}, {1.0 / 3, 1}});
  for (const auto* a : {&neumann, &round, &sums, &open}) {
    const Diagnosis d = diagnose_ones(*a);
    EXPECT_EQ(d.verdict, a == &open ? Verdict::undecided : Verdict::not_for_every_start);
    EXPECT_EQ(d.singular, a == &neumann || a == &round);
    EXPECT_NEAR(*d.spectral_radius, 1, 1e-9);
    EXPECT_FALSE(d.m_matrix);
  }
  EXPECT_TRUE(has_proof(diagnose_ones(neumann), "spectral radius one"));
}

TEST(Diagnosis, ProvesThatASingularSystemHasNoSolution) {
  const auto neumann = matrix({{1, -1, 0}, {-1, 2, -1}, {0, -1, 1}});
  const auto drift = matrix({{1, -1, 0}, {0, 1, -1}, {-1, 0, 1}});  // rows and columns sum to 0
  const auto lopsided = matrix({{1, -1, 0}, {-1, 2, -1}, {0, -2, 2}});
  const std::vector<double> start(3), no = {1, 1, 1}, yes = {1, -2, 1};
  for (const auto* a : {&neumann, &drift}) {
    const Diagnosis d = diagnose<double>(*a, no, start);
    EXPECT_EQ(d.no_solution.find("no solution exists: A is singular"), 0u) << d.no_solution;
    EXPECT_EQ(diagnose<double>(*a, yes, start).no_solution, "");
    EXPECT_TRUE(diagnose<double>(*a, yes, start).singular);
  }
  EXPECT_TRUE(diagnose<double>(lopsided, no, start).singular);
  EXPECT_EQ(diagnose<double>(lopsided, no, start).no_solution, "");  // sums of rows alone do not tell
}

/// Sums of columns prove of the spectral radius what sums of rows do.
TEST(Diagnosis, ProvesASpectralRadiusOfOneByColumns) {
  const auto a = matrix({{0.5, -0.25, -0.25}, {-0.25, 0.5, -0.5}, {-0.25, -0.25, 0.75}});
  const Diagnosis d = diagnose_ones(a);
  EXPECT_EQ(d.verdict, Verdict::not_for_every_start);
  EXPECT_TRUE(d.singular);
  EXPECT_TRUE(has_proof(d, "spectral radius one"));
  EXPECT_EQ(d.radius_lower, 1);
  EXPECT_EQ(d.advice.find("conjugate gradients"), std::string::npos) << d.advice;  // A is not symmetric
  const auto doubled = matrix({{0.5, 0.25, 0.25}, {0.25, 0.5, 0.5}, {0.25, 0.25, 0.75}});
  EXPECT_TRUE(has_proof(diagnose_ones(doubled), "spectral radius one"));
  EXPECT_FALSE(diagnose_ones(doubled).singular);
  const auto mixed = matrix({{0.5, 0.25, -0.25}, {-0.25, -0.5, -0.5}, {-0.25, 0.25, 0.75}});  // signs by rows
  EXPECT_FALSE(has_proof(diagnose_ones(mixed), "spectral radius one"));
}

TEST(Diagnosis, ListsZeroDiagonalsAndAnOrderWithout) {
  Diagnosis d = diagnose_ones(matrix({{0, 2, 0}, {0, 0, 3}, {4, 5, 6}}));
  EXPECT_EQ(d.verdict, Verdict::unusable);
  EXPECT_EQ(d.zero_diagonal, (std::vector<Index>{0, 1}));
  ASSERT_TRUE(d.row_order);
  EXPECT_EQ(*d.row_order, (std::vector<Index>{2, 0, 1}));
  d = diagnose_ones(matrix({{0, 2, 3}, {0, 1, 0}, {0, 5, 6}}));
  EXPECT_EQ(d.zero_diagonal_count, 1);
  EXPECT_FALSE(d.row_order);
  d = diagnose_ones(sparse(12, {}));
  EXPECT_EQ(d.zero_diagonal_count, 12);
  EXPECT_EQ(d.zero_diagonal.size(), 10U);
}

TEST(Diagnosis, RefusesVectorsThatDoNotFit) {
  const auto a = matrix({{1, 0}, {0, 1}});
  const std::vector<double> two(2), three(3);
  EXPECT_THROW(diagnose<double>(a, three, two), UsageError);
  EXPECT_THROW(diagnose<double>(a, two, three), UsageError);
}

}  // namespace
}  // namespace jacobi
