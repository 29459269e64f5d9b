/// BiCGStab: systems without symmetry, and what its breakdowns are told.
#include <gtest/gtest.h>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using test::solved;

/// Sweeps of van der Vorst's algorithm as he wrote it, preconditioned by D from the right, two an iteration.
Index naive_bicgstab(const Csr<double>& a, const std::vector<double>& b, double tolerance) {
  const std::size_t n = b.size();
  std::vector<double> r = b, p(n), v(n), y(n), t;
  double rho = 1, alpha = 1, omega = 1;
  const auto scaled = [&](const std::vector<double>& of) {
    for (std::size_t i = 0; i < n; ++i) y[i] = of[i] / a.diagonal(Index(i));
    return test::times(a, y);
  };
  const double limit = tolerance * std::sqrt(test::inner(b, b));
  for (Index sweeps = 1; sweeps < 10'000; ++sweeps) {
    const double next = test::inner(b, r), beta = next / rho * alpha / omega;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    v = scaled(p);
    rho = next;
    alpha = rho / test::inner(b, v);
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * v[i];
    if (std::sqrt(test::inner(r, r)) <= limit) return sweeps;
    ++sweeps;
    t = scaled(r);
    omega = test::inner(t, r) / test::inner(t, t);
    for (std::size_t i = 0; i < n; ++i) r[i] -= omega * t[i];
    if (std::sqrt(test::inner(r, r)) <= limit) return sweeps;
  }
  return -1;
}

/// Symmetric part and something that flows in one direction.
Csr<double> flow(Index n) {
  std::vector<Entry<double>> entries;
  const Csr<double> a = test::symmetric_matrix(n, 8);
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < n; ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        entries.push_back({i, Index(columns[k]), values[k] * (columns[k] > i ? 0.2 : 1)});
  });
  return Csr<double>::from_entries(n, entries);
}

TEST(BiCgStab, TakesAsManySweepsAsItsPlainestForm) {
  const Csr<double> a = flow(900);
  const auto b = test::random_values<double>(900, -1, 1, 2);
  std::vector<double> x;
  for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
    const Index expected = naive_bicgstab(a, b, tolerance);
    ASSERT_GE(expected, 4);
    for (const Operator<double>& matrix :
         {Operator<double>(a), Operator<double>(test::dense_of<double>(a))}) {
      const Report r = solved<double>(matrix, bicgstab(), b, x, {.relative = tolerance});
      EXPECT_EQ(r.status, Status::converged);
      EXPECT_NEAR(r.sweeps, expected, 2) << tolerance;
      EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
    }
  }
}

/// Every sweep ends with an iterate whose residual is the one reported.
TEST(BiCgStab, MayStopAfterHalfAnIteration) {
  const Csr<double> a = flow(200);
  const auto b = test::random_values<double>(200, -1, 1, 2);
  std::vector<double> x;
  for (const Index limit : {1, 2, 3, 4, 5}) {
    const Report r = solved<double>(a, bicgstab(), b, x, {.relative = 1e-14, .max_sweeps = limit});
    ASSERT_EQ(r.history.back().sweeps, limit);
    EXPECT_NEAR(a.residual_norms(b, x).l2, r.norm_final, 1e-12);
  }
}

TEST(BiCgStab, SolvesWherePlainSweepsDiverge) {
  for (const double c : {0.6, 1.0, 3.0}) {
    const Csr<double> a = test::skew_matrix(200, c);
    const std::vector<double> b = test::times(a, std::vector<double>(200, 1.0));
    std::vector<double> x;
    EXPECT_EQ(solved<double>(a, plain(), b, x).status, Status::diverged);
    const Report r = solved<double>(a, bicgstab(), b, x);
    EXPECT_EQ(r.status, Status::converged) << c;
    for (const double value : x) EXPECT_NEAR(value, 1, 1e-6) << c;
  }
}

/// (q, v) = 0 in the first sweep and in every restart: a rotation.
TEST(BiCgStab, SaysWhereAQuotientHasNoMeaning) {
  const Csr<double> rotation = Csr<double>::from_entries(
      2, std::vector<Entry<double>>{{0, 0, 1e-30}, {0, 1, 1.}, {1, 0, -1.}, {1, 1, 1e-30}});
  std::vector<double> x;
  const Report r = solved<double>(rotation, bicgstab(), {1, 1}, x);
  EXPECT_EQ(r.status, Status::breakdown);
  EXPECT_EQ(r.sweeps, 0);
  EXPECT_PRED2(contains, test::notes_of(r), "a quotient has no meaning even after a restart");
  EXPECT_EQ(x, std::vector<double>(2));
}

/// Where it ends without having converged, the iterate is not worse than any that the history knows.
TEST(BiCgStab, ReturnsTheBestIterateWhereItEndsEarly) {
  const Csr<double> a = test::skew_matrix(200, 10);
  const std::vector<double> b(200, 1.0);
  std::vector<double> x;
  bool went_back = false;
  for (Index limit = 40; limit < 60; ++limit) {
    const Report r = solved<double>(a, bicgstab(), b, x, {.max_sweeps = limit, .check_every = 1});
    ASSERT_EQ(r.status, Status::sweep_limit);
    EXPECT_EQ(r.sweeps, limit);
    double least = r.norm_initial;
    for (const HistoryEntry& entry : r.history) least = std::min(least, entry.norm);
    EXPECT_LE(r.norm_final, 1.12 * least) << limit;
    EXPECT_NEAR(r.norm_final, a.residual_norms(b, x).l2, 1e-9 * r.norm_initial);
    went_back |= io_test::contains(test::notes_of(r), "the best one seen");
  }
  EXPECT_TRUE(went_back);  // else the last one was always the best
}

}  // namespace
}  // namespace jacobi
