/// Solves on sparse matrices: textbook examples, closed forms, grids in disguise.
#include <gtest/gtest.h>

#include <cmath>

#include "core/recognise.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "ladder/sparse_cases.hpp"

namespace jacobi {
namespace {

Csr<double> from_dense(std::size_t n, const std::vector<double>& values) {
  std::vector<Entry<double>> entries;
  for (std::size_t i = 0; i < n * n; ++i)
    if (values[i] != 0) entries.push_back({Index(i / n), Index(i % n), values[i]});
  return Csr<double>::from_entries(Index(n), entries);
}

Report sweep(const Csr<double>& a, const std::vector<double>& b, std::vector<double>& x, const Stop& stop,
             Plan plan = {}) {
  x.assign(b.size(), 0.0);
  return Solver<double>(a, plan, backend("threads:2")).solve(b, x, stop);
}

// Burden and Faires, "Numerical Analysis", Jacobi's method.
TEST(CsrSolve, TheTextbookSystemIsWhereTheBookSaysAfterTenSweeps) {
  const Csr<double> a = from_dense(4, {10, -1, 2, 0, -1, 11, -1, 3, 2, -1, 10, -1, 0, 3, -1, 8});
  const std::vector<double> b{6, 25, -11, 15}, expected{1.0001, 1.9998, -0.9998, 0.9998};
  std::vector<double> x;
  const Report r = sweep(a, b, x, {.relative = 0, .max_sweeps = 10});
  EXPECT_EQ(r.sweeps, 10);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(x[i], expected[i], 5e-5);
}

TEST(CsrSolve, ANilpotentIterationEndsAfterThreeSweeps) {
  const Csr<double> a = from_dense(3, {1, 2, -2, 1, 1, 1, 2, 2, 1});
  std::vector<double> x;
  const Report r = sweep(a, {1, 3, 5}, x, {.check_every = 1});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.sweeps, 3);
}

TEST(CsrSolve, ADivergentIterationIsSaidToDiverge) {
  const Csr<double> a = from_dense(3, {2, -1, 1, 2, 2, 2, -1, -1, 2});
  std::vector<double> x;
  const Report r = sweep(a, {-1, 4, -5}, x, {});
  EXPECT_EQ(r.status, Status::diverged);
}

TEST(CsrSolve, L1ContractsWherePlainDiverges) {
  std::vector<double> values(100, 0.8);
  for (std::size_t i = 0; i < 10; ++i) values[11 * i] = 1;
  const Csr<double> a = from_dense(10, values);
  std::vector<double> b(10), x;
  for (std::size_t i = 0; i < 10; ++i) b[i] = double(i);
  EXPECT_EQ(sweep(a, b, x, {}).status, Status::diverged);
  const Report r = sweep(a, b, x, {.relative = 1e-10}, {l1()});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT(a.residual_norms(b, x).l2, 2e-10 * a.rhs_norms(b, Divisor::none).l2);
}

/// -1 2 -1 of n rows: started at the slowest mode, whose norm shrinks by cos(pi / (n + 1)) per sweep.
TEST(CsrSolve, TheCountIsThatOfTheClosedForm) {
  const Index n = 63;
  const Csr<double> a = test::grid_matrix<double>({n});
  std::vector<double> b(n), x(n);
  const double pi = std::acos(-1.0);
  for (Index i = 0; i < n; ++i) b[i] = std::sin(pi * double(i + 1) / double(n + 1));
  for (const bool grid : {true, false}) {
    Plan plan;
    plan.recognise_grids = grid;
    const Report r = sweep(a, b, x, {.relative = 1e-6, .check_every = 1}, plan);
    EXPECT_EQ(r.sweeps, Index(std::ceil(std::log(1e-6) / std::log(std::cos(pi / double(n + 1)))))) << grid;
    EXPECT_EQ(r.rung == "tiled", grid);
  }
}

/// Every matrix that make_grid() can make is recognised, whatever its shape.
TEST(RecogniseGrid, FindsConstantGridsInOneTwoAndThreeDirections) {
  for (const std::vector<Index>& points :
       {std::vector<Index>{9}, {2}, {5, 7}, {7, 2}, {2, 2}, {3, 4, 5}, {2, 2, 2}, {6, 2, 3}}) {
    const auto found = recognise(test::grid_matrix<double>(points));
    ASSERT_TRUE(found) << points.size();
    EXPECT_NE(found->words.find("constant"), std::string::npos) << found->words;
    const std::size_t dimension = found->grid.index() + 1;
    EXPECT_EQ(dimension, points.size());
  }
}

TEST(RecogniseGrid, SweepsAsTheMatrixDoes) {
  test::SparseMaker make(5);
  for (const std::vector<Index>& points : {std::vector<Index>{900}, {29, 31}, {9, 10, 11}})
    for (const bool varying : {false, true}) {
      Csr<double> a = test::grid_matrix<double>(points);
      std::vector<double> values(a.values().begin(), a.values().end());
      if (varying)
        for (double& v : values) v *= make.real(0.9, 1.1);
      a = a.visit([&](auto offsets, auto columns, auto) {
        using I = typename decltype(columns)::value_type;
        return Csr<double>::own<I>({offsets.begin(), offsets.end()}, {columns.begin(), columns.end()},
                                   values);
      });
      const auto found = recognise(a);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->words.find("variable") != std::string::npos, varying);
      const std::vector<double> b = make.vector<double>(a.rows());
      std::vector<double> x, y;
      const Report as_grid = sweep(a, b, x, {.relative = 0, .max_sweeps = 40});
      Plan plan;
      plan.recognise_grids = false;
      const Report as_matrix = sweep(a, b, y, {.relative = 0, .max_sweeps = 40}, plan);
      EXPECT_EQ(as_grid.rung, "tiled");
      EXPECT_NE(as_matrix.rung, "tiled");
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 1e-13);
    }
}

TEST(RecogniseGrid, TakesNothingForAGridThatIsNone) {
  const auto with = [](std::vector<Index> points, Entry<double> more) {
    const Csr<double> a = test::grid_matrix<double>(points);
    std::vector<Entry<double>> entries{more};
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          entries.push_back({i, Index(columns[k]), values[k]});
    });
    return Csr<double>::from_entries(a.rows(), entries);
  };
  EXPECT_TRUE(recognise(with({6, 5}, {3, 4, 0.0})));        // a stored zero changes nothing
  EXPECT_TRUE(recognise(with({6, 5}, {3, 4, 0.5})));        // one coefficient more: varying
  EXPECT_FALSE(recognise(with({6, 5}, {5, 6, -1.0})));      // the end of a line and the next one
  EXPECT_FALSE(recognise(with({6, 5}, {0, 7, -1.0})));      // a diagonal neighbour
  EXPECT_FALSE(recognise(with({3, 4, 5}, {9, 12, -1.0})));  // the end of a plane and the next one
  EXPECT_FALSE(recognise(with({6, 5}, {8, 8, -4.0})));      // a zero on the diagonal
  EXPECT_FALSE(recognise(with({5}, {0, 4, -1.0})));         // a ring
}

TEST(RecogniseGrid, IsLeftOutWhereARungIsNamedOrTheDivisorIsL1) {
  const Csr<double> a = test::grid_matrix<double>({20, 20});
  const std::vector<double> b(400, 1.0);
  std::vector<double> x;
  const Stop stop{.max_sweeps = 10};
  EXPECT_EQ(sweep(a, b, x, stop).rung, "tiled");
  EXPECT_EQ(sweep(a, b, x, stop, {plain(), "threads"}).rung, "threads");
  EXPECT_EQ(sweep(a, b, x, stop, {l1()}).rung, "compressed");
}

TEST(CsrSolve, StagnatesAtItsRoundingFloor) {
  const Csr<double> a = test::grid_matrix<double>({40});
  const std::vector<double> b(40, 1.0);
  std::vector<double> x;
  Plan plan;
  plan.recognise_grids = false;
  const Report r = sweep(a, b, x, {.relative = 1e-30}, plan);
  EXPECT_EQ(r.status, Status::stagnated);
}

TEST(CsrSolve, NotFiniteEntriesAreNamed) {
  const Csr<double> a = test::grid_matrix<double>({4});
  std::vector<double> b{1, 2, NAN, 4}, x(4);
  try {
    Solver<double>(a).solve(b, x);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "b[2] is nan: every entry must be finite");
  }
}

}  // namespace
}  // namespace jacobi
