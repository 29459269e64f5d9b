/// Values changed in place, solved again: to the bit what a new solver gives, whatever copies a sweeper made.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;

/// A matrix whose values a test changes: by rows, with room for what the values are made of.
template <class T>
struct Sparse {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<T> values;

  Csr<T> view() const {
    return Csr<T>::template view<std::int32_t>(offsets, columns, std::span<const T>(values));
  }
};

/// n rows of random places beside the diagonal, symmetric or not; no grid.
template <class T>
Sparse<T> scattered(Index n) {
  Sparse<T> a;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      if (i == j || (i * j + i + j) % 17 == 3) a.columns.push_back(static_cast<std::int32_t>(j));
    a.offsets.push_back(static_cast<std::int32_t>(a.columns.size()));
  }
  a.values.resize(a.columns.size());
  return a;
}

/// The places of a star on an nx x ny grid.
template <class T>
Sparse<T> star(Index nx, Index ny) {
  Sparse<T> a;
  for (Index i = 0; i < nx * ny; ++i) {
    for (const Index j : {i - nx, i - 1, i, i + 1, i + nx})
      if (j >= 0 && j < nx * ny && (j / nx == i / nx || j % nx == i % nx))
        a.columns.push_back(static_cast<std::int32_t>(j));
    a.offsets.push_back(static_cast<std::int32_t>(a.columns.size()));
  }
  a.values.resize(a.columns.size());
  return a;
}

/// I + dt K, K with the weights `towards(i, j)`: implicit Euler.
template <class T, class Towards>
void set_step(Sparse<T>& a, double dt, Towards&& towards) {
  for (std::size_t i = 0; i + 1 < a.offsets.size(); ++i) {
    double sum = 0;
    std::int32_t diagonal = -1;
    for (std::int32_t k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      if (static_cast<std::size_t>(a.columns[k]) == i) {
        diagonal = k;
        continue;
      }
      const double weight = dt * towards(static_cast<Index>(i), Index(a.columns[k]));
      a.values[k] = static_cast<T>(-weight);
      sum += weight;
    }
    a.values[diagonal] = static_cast<T>(1 + sum);
  }
}
double varying(Index i, Index j) { return 1 + 0.5 * std::sin(static_cast<double>(i + j)); }
double one(Index, Index) { return 1; }

template <class T>
std::vector<T> heat(Index n) {
  std::vector<T> u(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = static_cast<T>(std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(n)));
  return u;
}

/// Steps of different dt by one solver and by a new one for each: the same bits and sweeps.
template <class T, class Towards>
void expect_steps_as_fresh(Sparse<T> a, const Plan& plan, Towards&& towards) {
  const Stop stop{.relative = sizeof(T) == 8 ? 1e-10 : 1e-4};
  const Index n = static_cast<Index>(a.offsets.size()) - 1;
  std::vector<T> u = heat<T>(n), fresh = u;
  set_step(a, 0.7, towards);
  Solver<T> solver(a.view(), plan);
  for (const double dt : {0.7, 0.1, 0.1, 0.35}) {
    set_step(a, dt, towards);
    solver.values_changed();
    const std::vector<T> b = u;
    const Report r = solver.solve(b, u, stop);
    EXPECT_TRUE(r.converged()) << plan.method.name << " " << plan.rung() << " " << dt;
    const Report alone = Solver<T>(a.view(), plan).solve(b, fresh, stop);
    EXPECT_EQ(u, fresh) << plan.method.name << " " << plan.rung() << " " << dt;
    EXPECT_EQ(r.sweeps, alone.sweeps);
    EXPECT_EQ(r.norm_final, alone.norm_final);
    EXPECT_EQ(r.notes, alone.notes);
    fresh = u;
  }
}

TEST(ValuesChanged, GiveTimeStepsOfAllSparseRungsTheBitsOfNewSolvers) {
  for (const Rung& rung : sparse_rungs()) {
    if (!rung.compiled || std::string(rung.name) == "blocked") continue;
    expect_steps_as_fresh(scattered<double>(600), {plain(), rung.name}, varying);
    expect_steps_as_fresh(scattered<float>(600), {weighted(0.8), rung.name}, varying);
    expect_steps_as_fresh(star<double>(40, 25), {l1(), rung.name}, varying);
  }
  expect_steps_as_fresh(star<double>(16, 700), {plain(), "blocked", {{512}, 4}}, varying);
}

TEST(ValuesChanged, GiveTimeStepsOfAcceleratedMethodsTheBitsOfNewSolvers) {
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    expect_steps_as_fresh(scattered<double>(500), method, varying);
    expect_steps_as_fresh(scattered<float>(500), method, varying);
  }
}

TEST(ValuesChanged, GiveTimeStepsOfAGridInDisguiseTheBitsOfNewSolvers) {
  for (const Method& method : {plain(), weighted(0.9), red_black(), cg(), bicgstab()}) {
    expect_steps_as_fresh(star<double>(40, 25), method, one);
    expect_steps_as_fresh(star<float>(40, 25), method, varying);
  }
}

/// Rows that shared their values in one copy, and share them no longer.
TEST(ValuesChanged, LayOutAnewWhatWasKeptOnce) {
  Sparse<double> a = star<double>(100, 40);
  set_step(a, 1, one);
  Plan plan{plain(), "compressed"};
  Solver<double> solver(a.view(), plan);
  const std::vector<double> b = heat<double>(4000);
  std::vector<double> x(4000), fresh(4000);
  solver.solve(b, x);
  const double before = solver.sweeper().bytes_per_update();
  set_step(a, 1, varying);
  solver.values_changed();
  x.assign(4000, 0);
  solver.solve(b, x);
  Solver<double>(a.view(), plan).solve(b, fresh);
  EXPECT_EQ(x, fresh);
  EXPECT_GT(solver.sweeper().bytes_per_update(), 1.5 * before);
}

TEST(ValuesChanged, FollowAGridWhoseCoefficientsBecomeVariableAndConstantAgain) {
  Sparse<double> a = star<double>(30, 20);
  const std::vector<double> b = heat<double>(600);
  const auto solved = [&](Solver<double>& solver) {
    std::vector<double> x(600);
    const Report r = solver.solve(b, x);
    EXPECT_TRUE(r.converged());
    return std::pair(r.rung, x);
  };
  set_step(a, 1, one);
  Solver<double> solver(a.view());
  EXPECT_EQ(solved(solver).first, "tiled");
  const auto expect_as_fresh = [&](const std::string& rung) {
    solver.values_changed();
    Solver<double> fresh(a.view());
    const auto now = solved(solver);
    EXPECT_EQ(now, solved(fresh));
    EXPECT_EQ(now.first, rung);
  };
  set_step(a, 0.3, varying);
  expect_as_fresh("tiled");
  set_step(a, 0.3, one);
  expect_as_fresh("tiled");
}

/// One entry couples the end of a line with the begin of the next: 0 at first, so that the matrix is a grid.
TEST(ValuesChanged, FindThatAMatrixIsAGridNoLonger) {
  Sparse<double> a;
  for (Index i = 0; i < 100; ++i) {
    for (const Index j : {i - 10, i - 1, i, i + 1, i + 10})
      if (j >= 0 && j < 100) a.columns.push_back(static_cast<std::int32_t>(j));
    a.offsets.push_back(static_cast<std::int32_t>(a.columns.size()));
  }
  a.values.resize(a.columns.size());
  const auto lines = [](Index i, Index j) { return i / 10 == j / 10 || i % 10 == j % 10 ? 1.0 : 0.0; };
  const std::vector<double> b = heat<double>(100);
  std::vector<double> x(100), fresh(100);
  set_step(a, 1, lines);
  Solver<double> solver(a.view());
  EXPECT_EQ(solver.solve(b, x).rung, "tiled");
  for (const bool grid : {false, true}) {
    grid ? set_step(a, 1, lines) : set_step(a, 1, one);
    solver.values_changed();
    x.assign(100, 0);
    fresh.assign(100, 0);
    const Report r = solver.solve(b, x), alone = Solver<double>(a.view()).solve(b, fresh);
    EXPECT_EQ(r.rung == "tiled", grid);
    EXPECT_EQ(r.rung, alone.rung);
    EXPECT_EQ(x, fresh);
  }
}

/// I + dt K, dense.
void set_dense(std::vector<double>& values, Index n, double dt) {
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) values[i * n + j] = -dt * varying(i, j) / static_cast<double>(n);
    values[i * n + i] = 1 + 2 * dt;
  }
}

TEST(ValuesChanged, GiveTimeStepsOfDenseMatricesTheBitsOfNewSolvers) {
  constexpr Index n = 200;
  std::vector<double> values(n * n);
  for (const MatrixPrecision kept :
       {MatrixPrecision::as_given, MatrixPrecision::single, MatrixPrecision::bf16})
    for (const char* rung : {"textbook", "fused", "paired", ""})
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        if (kept != MatrixPrecision::as_given && std::string(rung) == "textbook") continue;
        Plan plan{plain(), rung};
        plan.matrix_precision = kept;
        set_dense(values, n, 0.5);
        Solver<double> solver(Dense<double>::view(values, n, layout), plan);
        std::vector<double> u = heat<double>(n), fresh = u;
        for (const double dt : {0.5, 0.05, 0.2}) {
          set_dense(values, n, dt);
          solver.values_changed();
          const std::vector<double> b = u;
          EXPECT_TRUE(solver.solve(b, u).converged()) << rung << " " << dt;
          Solver<double>(Dense<double>::view(values, n, layout), plan).solve(b, fresh);
          EXPECT_EQ(u, fresh) << rung << " " << dt;
          fresh = u;
        }
      }
}

TEST(ValuesChanged, GiveDenseMatricesOfProductsAndOfSeveralColumnsTheBitsOfNewSolvers) {
  constexpr Index n = 60;
  std::vector<double> values(n * n), b(n * 3, 1.0);
  for (const bool several : {false, true}) {
    const auto operator_now = [&] {
      const auto one = Dense<double>::view(values, n);
      return several ? batch(one, 3) : one;
    };
    const std::size_t rows = several ? 3 * n : n;
    const Plan plan = several ? Plan(plain()) : Plan(bicgstab());
    set_dense(values, n, 0.5);
    Solver<double> solver(operator_now(), plan);
    set_dense(values, n, 0.1);
    solver.values_changed();
    std::vector<double> x(rows), fresh(rows);
    solver.solve(std::span<const double>(b).first(rows), x);
    Solver<double>(operator_now(), plan).solve(std::span<const double>(b).first(rows), fresh);
    EXPECT_EQ(x, fresh);
  }
}

TEST(ValuesChanged, GiveViewedCoefficientsOfAGridTheBitsOfNewSolvers) {
  constexpr Index n = 50;
  std::vector<double> center(n), off(2 * n);
  const auto set = [&](double dt) {
    center.assign(n, 1 + 2 * dt);
    off.assign(2 * n, -dt);
    off[7] *= 0.5;
  };
  const auto made = [&](BoundaryKind low) {
    Grid<double, 1> grid = unit_grid<double, 1>({n});
    grid.sides[0][0] = {low, {0.25}};
    const std::span<const double> both(off);
    return Stencil<double, 1>::variable(grid, center, {both.first(n), both.subspan(n, n)});
  };
  for (const BoundaryKind low : {BoundaryKind::dirichlet, BoundaryKind::neumann})
    for (const char* rung : {"textbook", "fused", ""}) {
      set(1);
      Solver<double> solver(made(low), {plain(), rung});
      set(0.2);
      solver.values_changed();
      const std::vector<double> b = heat<double>(n);
      std::vector<double> x(n), fresh(n);
      EXPECT_TRUE(solver.solve(b, x).converged());
      Solver<double>(made(low), {plain(), rung}).solve(b, fresh);
      EXPECT_EQ(x, fresh) << rung;
    }
}

TEST(ValuesChanged, AreRefusedWhereTheyCannotBeSolvedForAndTakenAgainAfterwards) {
  Sparse<double> a = scattered<double>(40);
  set_step(a, 0.2, one);
  const std::vector<double> good = a.values, b(40, 1.0);
  std::vector<double> x(40);
  const auto refused = [&](Solver<double>& solver) {
    const std::string why = message_of<InputError>([&] { solver.values_changed(); });
    EXPECT_PRED2(contains, message_of<UsageError>([&] { solver.solve(b, x); }),
                 "values_changed() has failed");
    a.values = good;
    solver.values_changed();
    EXPECT_TRUE(solver.solve(b, x).converged());
    return why;
  };
  Solver<double> plain_one(a.view()), cg_one(a.view(), cg());
  a.values[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_PRED2(contains, refused(plain_one), "is nan");
  for (std::size_t k = 0; k < a.values.size(); ++k)
    if (a.values[k] > 0) a.values[k] = 0;
  EXPECT_PRED2(contains, refused(plain_one), "ZeroDiagonal: entry (0, 0), counted from 0,");
  for (std::int32_t k = a.offsets[20]; k < a.offsets[21]; ++k)
    if (a.columns[k] < 20) a.values[k] *= 2;
  EXPECT_PRED2(contains, refused(cg_one), "symmetric");

  std::vector<double> dense = {2, -1, -1, 2};
  const std::vector<double> two = {1, 1};
  std::vector<double> y(2);
  Solver<double> solver(Dense<double>::view(dense, 2));
  dense[1] = std::numeric_limits<double>::infinity();
  EXPECT_PRED2(contains, message_of<InputError>([&] { solver.values_changed(); }), "entry (0, 1) is inf");
  dense[1] = 1;
  solver.values_changed();
  EXPECT_TRUE(solver.solve(two, y).converged());
  EXPECT_NEAR(y[0], 0.2, 1e-7);
}

}  // namespace
}  // namespace jacobi
