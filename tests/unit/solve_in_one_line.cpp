/// solve(A, b), multiply(A, x) and to_csr(A) for every operator.
#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "jacobi/jacobi.hpp"
#include "ladder/cases.hpp"

namespace jacobi::test {
namespace {

template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(static_cast<double>(a[i] - b[i])));
  return most;
}

/// The row of A x = b that every entry of to_csr() takes part in, against residual_norms of the operator as
/// given.
template <class T, int D>
void expect_same_matrix(const std::array<Index, D>& n) {
  std::vector<std::vector<T>> keep;
  keep.reserve(100);
  for (int variant = 0; variant < kind_variants; ++variant)
    for (int coefficients = 0; coefficients < coefficient_kinds<D>; ++coefficients) {
      const auto a = make_case_operator(make_case_grid<T, D>(n, variant), coefficients, keep);
      const auto x = random_values<T>(a.rows(), -1, 1, 3), b = random_values<T>(a.rows(), -1, 1, 4);
      const Csr<T> csr = to_csr(a);
      std::vector<T> folded(b.size());
      a.fold(b, folded);
      const double of_grid = a.residual_norms(b, x).l2;
      const double of_matrix = csr.residual_norms(folded, x).l2;
      EXPECT_NEAR(of_grid, of_matrix, 1e4 * std::numeric_limits<T>::epsilon() * of_grid)
          << D << "D sides " << variant << " coefficients " << coefficients;
      EXPECT_LT(distance(multiply(a, x), multiply(csr, x)), 1e3 * std::numeric_limits<T>::epsilon());
    }
}

TEST(ToCsr, IsTheMatrixOfEveryGrid) {
  expect_same_matrix<double, 1>({7});
  expect_same_matrix<double, 1>({2});
  expect_same_matrix<double, 2>({5, 2});
  expect_same_matrix<float, 2>({6, 7});
  expect_same_matrix<double, 3>({3, 4, 2});
}

TEST(ToCsr, HasAllEntriesOfADenseMatrix) {
  const Csr<double> a = to_csr(Dense<double>::own({1, 2, 0, 4}, 2, Layout::column_major));
  EXPECT_EQ(a.entries(), 4);
  EXPECT_EQ(multiply(a, std::vector<double>{1, 10}), (std::vector<double>{1, 42}));
}

TEST(Multiply, GivesRowsTimesX) {
  const auto dense = Dense<float>::own({1, 2, 3, 4}, 2);
  EXPECT_EQ(multiply(dense, std::vector<float>{1, 10}), (std::vector<float>{21, 43}));
  EXPECT_EQ(multiply(batch(dense, 2), std::vector<float>{1, 0, 10, 1}), (std::vector<float>{21, 2, 43, 4}));
  EXPECT_THROW(multiply(dense, std::vector<float>{1}), UsageError);
}

TEST(SolveInOneLine, SolvesEveryOperator) {
  const auto grid = poisson<double, 2>({40, 30});
  const std::vector<double> x = random_values<double>(grid.rows(), -1, 1, 5), b = multiply(grid, x);
  const Stop stop{.relative = 1e-12};
  for (const auto& [solved, what] :
       {std::pair{solve(grid, b, stop), "grid"}, {solve(to_csr(grid), b, stop), "csr"}}) {
    EXPECT_TRUE(solved.report.converged()) << what;
    EXPECT_LT(distance(solved.x, x), 1e-8) << what;
  }
  const auto dense = Dense<double>::own({4, 1, -1, 3}, 2);
  const auto solved = solve(dense, multiply(dense, std::vector<double>{1, 2}), stop);
  EXPECT_TRUE(solved.report.converged());
  EXPECT_LT(distance(solved.x, std::vector<double>{1, 2}), 1e-10);
  ASSERT_TRUE(solved.report.error_bound);
  EXPECT_GE(*solved.report.error_bound, distance(solved.x, std::vector<double>{1, 2}));
}

TEST(SolveInOneLine, TakesProductsWhereSweepsDiverge) {
  const auto a = to_csr(Dense<double>::own({1, 2, 2, 1}, 2));  // indefinite
  const auto solved = solve(a, std::vector<double>{3, 3});
  EXPECT_TRUE(solved.report.converged());
  EXPECT_LT(distance(solved.x, std::vector<double>{1, 1}), 1e-6);
  EXPECT_EQ(solved.report.method, "bicgstab");
}

TEST(SolveInOneLine, SaysWhereNoSolutionExistsAndWhatDoesNotFit) {
  const auto a =
      Csr<double>::from_entries(2, std::vector<Entry<double>>{{0, 0, 1}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}});
  EXPECT_THROW(solve(a, std::vector<double>{1, 1}), InputError);
  EXPECT_THROW(solve(a, std::vector<double>{1}), UsageError);
  EXPECT_TRUE(solve(a, std::vector<double>{1, -1}).report.converged());
}

}  // namespace
}  // namespace jacobi::test
