/// fold, rhs_norms and residual_norms against a dense matrix.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "jacobi/stencil.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi {
namespace {

using test::norms_of;

template <class T>
std::vector<T> numbers(std::size_t n, std::mt19937& random) {
  std::uniform_real_distribution<double> between(-1, 1);
  std::vector<T> values(n);
  for (T& value : values) value = static_cast<T>(between(random));
  return values;
}

/// slack: rounding of the values given at Neumann sides, which are kept in T.
void expect_close(const Norms& ours, const std::vector<double>& vector, double slack, const char* what) {
  const Norms expected = norms_of(vector);
  EXPECT_NEAR(ours.l2, expected.l2, slack + 1e-12 * (1 + expected.l2)) << what;
  EXPECT_NEAR(ours.max, expected.max, slack + 1e-12 * (1 + expected.max)) << what;
}

template <class T, int D>
void check(const Stencil<T, D>& a, std::mt19937& random) {
  const auto m = test::dense(a);
  const auto b = numbers<T>(m.rows, random), x = numbers<T>(m.rows, random);
  double slack = 0;
  for (const double value : m.given)
    slack += 2 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::abs(value);
  expect_close(a.rhs_norms(b, false), m.folded(b), slack, "rhs");
  expect_close(a.rhs_norms(b, true), m.over_diagonal(m.folded(b)), slack, "scaled rhs");
  expect_close(a.residual_norms(b, x), m.residual(b, x), slack, "residual");
  expect_close(a.residual_norms(b, x, true), m.over_diagonal(m.residual(b, x)), slack, "scaled residual");
  std::vector<T> folded(m.rows), in_place = b;
  a.fold(b, folded);
  a.fold(in_place, in_place);
  EXPECT_EQ(folded, in_place);
  const auto expected = m.folded(b);
  for (std::size_t i = 0; i < m.rows; ++i)
    EXPECT_NEAR(static_cast<double>(folded[i]), expected[i],
                4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (1 + std::abs(m.given[i])));
}

/// Every kind of side with every kind of values, in directions of different sizes and spacings.
template <class T, int D>
Grid<T, D> some_grid(int variant, std::mt19937& random) {
  constexpr BoundaryKind kinds[] = {BoundaryKind::dirichlet, BoundaryKind::neumann, BoundaryKind::periodic};
  Grid<T, D> grid;
  for (int d = 0; d < D; ++d) {
    grid.unknowns[d] = 2 + (variant + d) % 4;
    grid.spacing[d] = 0.25 * (d + 1);
  }
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) {
      Side<T>& side = grid.sides[d][e];
      side.kind = kinds[(variant + d) % 3];
      if (side.kind != BoundaryKind::periodic && e == 1 && variant % 2) side.kind = kinds[variant / 3 % 2];
      if (side.kind == BoundaryKind::periodic) continue;
      const std::size_t all = static_cast<std::size_t>(grid.rows() / grid.unknowns[d]);
      side.values = numbers<T>((variant + e) % 3 == 0 ? 0 : (variant + e) % 3 == 1 ? 1 : all, random);
    }
  return grid;
}

template <class T, int D>
void check_all() {
  std::mt19937 random(7);
  for (int variant = 0; variant < 12; ++variant) {
    SCOPED_TRACE(variant);
    const auto grid = some_grid<T, D>(variant, random);
    const std::size_t rows = static_cast<std::size_t>(grid.rows());
    std::array<T, 2 * D> off;
    for (T& c : off) c = numbers<T>(1, random)[0];
    check(Stencil<T, D>::constant(grid, T(3), off), random);
    std::vector<std::vector<T>> arrays;
    for (int k = 0; k <= 2 * D; ++k) arrays.push_back(numbers<T>(rows, random));
    for (T& c : arrays.back()) c += T(3);
    std::array<std::span<const T>, 2 * D> views;
    for (int k = 0; k < 2 * D; ++k) views[k] = arrays[k];
    check(Stencil<T, D>::variable(grid, arrays.back(), views), random);
  }
}

TEST(Stencil, NormsAgreeWithADenseMatrixInDouble) {
  check_all<double, 1>();
  check_all<double, 2>();
  check_all<double, 3>();
}

TEST(Stencil, NormsAgreeWithADenseMatrixInFloat) {
  check_all<float, 1>();
  check_all<float, 2>();
  check_all<float, 3>();
}

TEST(Stencil, ResidualNormsOfNotANumberAreNotANumber) {
  const auto a = tridiagonal<double>(9, -1, 2, -1);
  std::vector<double> b(9), x(9);
  x[4] = std::nan("");
  EXPECT_TRUE(std::isnan(a.residual_norms(b, x).l2));
  EXPECT_TRUE(std::isnan(a.residual_norms(b, x).max));
}

}  // namespace
}  // namespace jacobi
