/// What "converged" promises, on random operators that may converge, creep or diverge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/facts.hpp"
#include "jacobi/jacobi.hpp"
#include "property/random_operator.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi {
namespace {

using test::Random;

std::vector<double> solve_dense(test::DenseSystem m, std::vector<double> b) {
  const std::size_t n = m.rows;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j; i < n; ++i)
      if (std::abs(m.at(i, j)) > std::abs(m.at(pivot, j))) pivot = i;
    for (std::size_t k = 0; k < n; ++k) std::swap(m.at(j, k), m.at(pivot, k));
    std::swap(b[j], b[pivot]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const double factor = m.at(i, j) / m.at(j, j);
      for (std::size_t k = j; k < n; ++k) m.at(i, k) -= factor * m.at(j, k);
      b[i] -= factor * b[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) b[j] -= m.at(j, k) * b[k];
    b[j] /= m.at(j, j);
  }
  return b;
}

/// What a sweep may make of the norm of D^-1 (b - A x): the row-sum or Frobenius norm of I - D^-1 A, at
/// least 1.
double growth(const test::DenseSystem& m, Norm norm) {
  double squares = 1, rows = 1;
  for (std::size_t i = 0; i < m.rows; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < m.rows; ++j) {
      const double entry = (i == j) - m.at(i, j) / m.diagonal[i];
      row += std::abs(entry);
      squares += entry * entry;
    }
    rows = std::max(rows, row);
  }
  return norm == Norm::max_update ? rows : std::sqrt(squares);
}

/// Any dominance, any magnitude, tolerances down to below the rounding floor.
template <class T, int D>
Status try_one(unsigned seed) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const test::RandomOperator<T, D> made(random, D == 1 ? 20 : D == 2 ? 8 : 4, random.real(0.6, 1.4));
  const Stencil<T, D>& a = *made;
  if (a.singular()) return Status::not_finite;  // cannot happen: the diagonal is off by 1/8
  const double size = std::pow(10.0, random.real(-8, 8));
  const auto b = random.vector<T>(static_cast<std::size_t>(a.rows()), -size, size);
  auto x = random.vector<T>(b.size(), -size, size);
  const Norm norm = static_cast<Norm>(random.integer(0, 3));
  const bool update = norm == Norm::update || norm == Norm::max_update;
  Stop stop{.relative = std::pow(10.0, random.real(-18, -1)),
            .norm = norm,
            .max_sweeps = 20'000,
            .check_every = random.integer(0, 20)};
  const Report r = Solver<T>(a, plain(), backend("serial")).solve(b, x, stop);
  const auto m = test::dense(a);
  const double true_norm = pick(twofold_residual_norms<T>(a, b, x, Divisor::none), norm);
  if (r.converged()) {
    const auto scaled = [&](std::vector<double> v) { return update ? m.over_diagonal(v) : v; };
    const double rounding = 1e-15 * test::norms_of(scaled(m.folded(b))).l2;  // of the norm in double itself
    // an update is what the iterate before lacked, and right to a thousandth of the tolerance or so
    const double allowed = update ? r.tolerance * growth(m, norm) * 1.01 : r.tolerance * (1 + 1e-9);
    EXPECT_LE(pick(test::norms_of(scaled(m.residual(b, x))), norm), allowed + rounding);
    EXPECT_LE(r.norm_final, r.tolerance);
    if (!update) {
      EXPECT_LE(true_norm, r.tolerance * (1 + 0.02));
    }
  } else if (r.status == Status::stagnated || r.status == Status::sweep_limit) {
    EXPECT_GT(r.norm_final, r.tolerance);
    if (!update) {
      EXPECT_NEAR(r.norm_final, true_norm, 0.02 * true_norm);
    }
  }
  return r.status;
}

template <class T>
void try_all() {
  std::map<Status, int> seen;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ++seen[try_one<T, 1>(seed)];
    ++seen[try_one<T, 2>(seed)];
    ++seen[try_one<T, 3>(seed)];
  }
  // else this test would not have looked where it matters
  EXPECT_GT(seen[Status::converged], 100);
  EXPECT_GT(seen[Status::stagnated], 20);
  EXPECT_GT(seen[Status::diverged], 20);
  EXPECT_EQ(seen[Status::not_finite], 0);
}

TEST(Property, ConvergedIsNeverSaidAboveTheToleranceInDouble) { try_all<double>(); }
TEST(Property, ConvergedIsNeverSaidAboveTheToleranceInFloat) { try_all<float>(); }

TEST(Property, ConvergedSolutionsAreThoseOfGauss) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const test::RandomOperator<double, 2> made(random, 7, random.real(1, 1.5));
    const auto& a = *made;
    const auto b = random.vector<double>(static_cast<std::size_t>(a.rows()));
    std::vector<double> x(b.size());
    ASSERT_TRUE(Solver<double>(a, plain(), backend("serial")).solve(b, x, {.relative = 1e-12}).converged());
    const auto m = test::dense(a);
    const auto exact = solve_dense(m, m.folded(b));
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], exact[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace jacobi
