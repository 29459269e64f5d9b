/// Several right-hand sides at once: each is held to its own tolerance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::columns_test {
namespace {

using io_test::contains;
using test::random_values;

constexpr Index n = 60;

/// Dominant, not symmetric.
Dense<double> matrix() {
  std::vector<double> a = random_values<double>(n * n, -1, 1, 7);
  for (Index i = 0; i < n; ++i) a[static_cast<std::size_t>(i * n + i)] = n;
  return Dense<double>::own(std::move(a), n);
}

/// b = A x for these x, of very different sizes.
Columns<double> known(std::size_t count) {
  Columns<double> x;
  for (std::size_t c = 0; c < count; ++c) {
    x.push_back(random_values<double>(n, -1, 1, static_cast<unsigned>(11 + c)));
    for (double& value : x.back()) value *= std::pow(10.0, 3.0 * static_cast<double>(c));
  }
  return x;
}

template <class A>
Columns<double> products(const A& a, const Columns<double>& x) {
  Columns<double> b;
  for (const auto& one : x) b.push_back(multiply(a, one));
  return b;
}

double size(const std::vector<double>& v) {
  double squares = 0;
  for (const double value : v) squares += value * value;
  return std::sqrt(squares);
}

template <class A>
void expect_solved(const A& a, const char* what) {
  const Columns<double> x = known(11), b = products(a, x);
  const Solutions<double> found = solve(a, b, {.relative = 1e-10, .norm = Norm::residual});
  ASSERT_EQ(found.x.size(), x.size()) << what;
  ASSERT_EQ(found.report.columns.size(), x.size()) << what;
  EXPECT_TRUE(found.report.converged()) << what;
  EXPECT_EQ(found.report.unknowns, 11 * n) << what;
  Index most = 0;
  double share = 0;
  for (std::size_t c = 0; c < x.size(); ++c)
    share = std::max(share, backward_error<double>(a, b[c], found.x[c]));
  EXPECT_EQ(found.report.backward_error, share) << what << ": the largest of all";
  for (std::size_t c = 0; c < x.size(); ++c) {
    const ColumnReport& column = found.report.columns[c];
    EXPECT_EQ(column.status, Status::converged) << what << c;
    EXPECT_NEAR(column.tolerance, 1e-10 * size(b[c]), 1e-18 * size(b[c])) << what << c;
    EXPECT_LE(a.residual_norms(b[c], found.x[c], Divisor::none).l2, column.tolerance * (1 + 1e-6))
        << what << c;
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(found.x[c][i], x[c][i], 1e-8 * size(x[c])) << what << c;
    most = std::max(most, column.sweeps);
  }
  EXPECT_EQ(found.report.sweeps, most) << what;
}

TEST(SolveColumns, MeetEachTheirOwnTolerance) {
  expect_solved(matrix(), "dense ");
  expect_solved(to_csr(matrix()), "csr ");
}

TEST(SolveColumns, OfOneAreTheSolveOfOne) {
  const Dense<double> a = matrix();
  const Columns<double> b = products(a, known(1));
  const Solutions<double> many = solve(a, b);
  const Solution<double> one = solve(a, b[0]);
  EXPECT_EQ(many.x[0], one.x);
  EXPECT_TRUE(many.report.columns.empty());
  EXPECT_EQ(many.report.sweeps, one.report.sweeps);
  EXPECT_EQ(many.report.error_bound, one.report.error_bound);
}

TEST(SolveColumns, SayOfWhichTheReportIs) {
  const Dense<double> a = matrix();
  const Solutions<double> found = solve(a, products(a, known(3)));
  const Note& said = found.report.notes.back();
  EXPECT_EQ(said.kind, Note::Kind::columns);
  EXPECT_EQ(said.numbers, std::vector<double>{3});
  EXPECT_PRED2(contains, said.text, "3 right-hand sides, up to 8 in a sweep");
}

TEST(SolveColumns, NameTheOneWithoutASolution) {
  const auto a =
      Csr<double>::from_entries(2, std::vector<Entry<double>>{{0, 0, 1}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}});
  EXPECT_TRUE(solve(a, Columns<double>{{1, -1}, {2, -2}}).report.converged());
  try {
    solve(a, Columns<double>{{1, -1}, {2, -2}, {1, 1}});
    FAIL() << "a right-hand side outside the range was solved for";
  } catch (const InputError& error) {
    EXPECT_PRED2(contains, error.what(), "right-hand side 3 of 3: ");
  }
}

TEST(SolveColumns, RefuseNoneAndThoseThatDoNotFit) {
  const Dense<double> a = matrix();
  EXPECT_THROW(solve(a, Columns<double>{}), UsageError);
  EXPECT_THROW(solve(a, Columns<double>{std::vector<double>(n), std::vector<double>(n - 1)}), UsageError);
  const Columns<double> b(2, std::vector<double>(n, 1.0)), x(1, std::vector<double>(n));
  EXPECT_THROW(solve(Operator<double>(a), Choice{plain()}, b, x), UsageError);
}

TEST(SolveColumns, LeaveTheRestAsItBeganWhereAskedToEnd) {
  const Csr<double> a = to_csr(matrix());
  const Columns<double> b = products(a, known(3));
  Index checks = 0;
  Stop stop{.check_every = 1};
  stop.observe = [&](const Check&) { return ++checks < 2; };
  const Solutions<double> found =
      solve(Operator<double>(a), Choice{plain()}, b, Columns<double>(3, std::vector<double>(n, 2.0)), stop);
  EXPECT_EQ(found.report.status, Status::interrupted);
  EXPECT_EQ(found.report.columns[0].sweeps, 2);
  for (const std::size_t c : {1u, 2u}) {
    EXPECT_EQ(found.report.columns[c].status, Status::interrupted);
    EXPECT_EQ(found.report.columns[c].sweeps, 0);
    EXPECT_EQ(found.x[c], std::vector<double>(n, 2.0));
  }
}

}  // namespace
}  // namespace jacobi::columns_test
