/// What holds of cg, bicgstab and anderson alike: bits, statuses, limits, refusals.
#include <gtest/gtest.h>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using test::solved;

TEST(Accelerated, HasTheSameBitsOnAnyNumberOfThreads) {
  const Operator<double> grid = poisson<double, 3>({31, 17, 9}), sparse = test::symmetric_matrix(3000, 1);
  const Operator<double> dense = test::dense_of<double>(test::symmetric_matrix(300, 2));
  const Operator<float> single = test::in_float(test::symmetric_matrix(3000, 1));
  const auto same = [](auto& a, auto value) {
    using T = decltype(value);
    const Index n = std::visit([](const auto& one) { return one.rows(); }, a);
    const std::vector<T> b = test::random_values<T>(n, -1, 1, 7);
    for (const Method& method : {cg(), bicgstab(), anderson()}) {
      std::vector<T> first, x;
      const Report one = solved<T>(a, method, b, first, {.relative = 1e-5}, "threads:1");
      EXPECT_TRUE(one.converged()) << method.name;
      for (const char* threads : {"threads:2", "threads:3", "threads:8"}) {
        const Report r = solved<T>(a, method, b, x, {.relative = 1e-5}, threads);
        EXPECT_EQ(x, first) << method.name << ' ' << threads;
        EXPECT_EQ(r.sweeps, one.sweeps);
        EXPECT_EQ(r.norm_final, one.norm_final);
        EXPECT_EQ(r.update_norm, one.update_norm);
      }
    }
  };
  same(grid, 0.0);
  same(sparse, 0.0);
  same(dense, 0.0);
  same(single, 0.0F);
}

template <class T, int D>
Stencil<T, D> with_sides(Index n, BoundaryKind kind, T value = 0) {
  Sides<T, D> sides;
  for (auto& pair : sides) pair = {Side<T>{kind, {value}}, Side<T>{kind, {value}}};
  std::array<Index, D> points;
  std::array<double, D> low{}, high;
  points.fill(n);
  high.fill(1);
  return poisson(make_grid<T, D>(points, low, high, sides));
}

TEST(Accelerated, SolvesSingularGridsWithACompatibleRightHandSide) {
  for (const BoundaryKind kind : {BoundaryKind::periodic, BoundaryKind::neumann})
    for (const Method& method : {cg(), bicgstab(), anderson()}) {
      const auto a = with_sides<double, 2>(24, kind);
      std::vector<double> b(a.rows()), x(a.rows(), 3.0);
      b[30] = 1;
      b[201] = -1;
      const Report r = Solver<double>(a, method).solve(b, x, {.relative = 1e-9});
      EXPECT_EQ(r.status, Status::converged) << method.name;
      EXPECT_LE(a.residual_norms(b, x).l2, 1.01 * r.tolerance) << method.name;
      EXPECT_LT(r.sweeps, 1000) << method.name;
      double mean = 0;
      for (Index p = 0; p < a.rows(); ++p) mean += a.weight(p) * x[p];
      EXPECT_NEAR(mean, 0, 1e-9) << method.name;
      EXPECT_PRED2(contains, test::notes_of(r), "singular");
    }
}

TEST(Accelerated, KeepsDirichletValues) {
  const auto a = with_sides<double, 2>(20, BoundaryKind::dirichlet, 5.0);
  const std::vector<double> b(a.rows());
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<double> x;
    const Report r = solved<double>(a, method, b, x, {.relative = 1e-10});
    EXPECT_TRUE(r.converged()) << method.name;
    for (const double value : x) EXPECT_NEAR(value, 5, 1e-7) << method.name;
  }
}

TEST(Accelerated, SolvesInFloatAsFarAsItReaches) {
  const auto a = poisson<float, 2>({63, 63});
  const std::vector<float> b(a.rows(), 1.0F);
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<float> x;
    const Report r = solved<float>(a, method, b, x, {.relative = 2e-4});
    EXPECT_TRUE(r.converged()) << method.name;
    EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance) << method.name;
  }
}

/// No tolerance below the rounding floor is met, nor said to be, and nothing loops for ever.
TEST(Accelerated, StagnatesAtItsRoundingFloor) {
  const auto a = poisson<double, 2>({30, 30});
  const std::vector<double> b(a.rows(), 1.0);
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<double> x;
    const Report r = solved<double>(a, method, b, x, {.relative = 1e-18});
    EXPECT_EQ(r.status, Status::stagnated) << method.name;
    EXPECT_GT(r.norm_final, r.tolerance);
    EXPECT_LT(r.norm_final, 1e-11 * r.norm_initial) << method.name;
    EXPECT_NEAR(r.norm_final, a.residual_norms(b, x).l2, 1e-12 * r.norm_initial);
    EXPECT_LT(r.sweeps, 20'000) << method.name;
    EXPECT_FALSE(r.notes.empty()) << method.name;
  }
}

/// ones lies in the null space: the part of b along it has no solution.
TEST(Accelerated, SaysWhereNoSolutionExists) {
  const Csr<double> path = Csr<double>::from_entries(
      3, std::vector<Entry<double>>{
             {0, 0, 1.}, {0, 1, -1.}, {1, 0, -1.}, {1, 1, 2.}, {1, 2, -1.}, {2, 1, -1.}, {2, 2, 1.}});
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<double> x;
    const Report bad = solved<double>(path, method, {1, 1, 1}, x, {.max_sweeps = 100'000});
    EXPECT_FALSE(bad.converged()) << method.name;
    EXPECT_NE(bad.status, Status::sweep_limit) << method.name;
    EXPECT_FALSE(bad.notes.empty() && bad.status != Status::diverged) << method.name;
    const Report good = solved<double>(path, method, {1, 0, -1}, x);
    EXPECT_TRUE(good.converged()) << method.name;
    EXPECT_NEAR(x[0] - x[2], 2, 1e-7) << method.name;
  }
}

TEST(Accelerated, DoesNothingWhereNothingIsToDo) {
  const auto a = poisson<double, 2>({9, 8});
  const std::vector<double> zero(a.rows());
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<double> x;
    Report r = solved<double>(a, method, zero, x);
    EXPECT_EQ(r.sweeps, 0) << method.name;
    EXPECT_TRUE(r.converged());
    x.assign(x.size(), 1.0);  // b = 0 from elsewhere
    r = Solver<double>(a, method).solve(zero, x, {.relative = 1e-9});
    EXPECT_TRUE(r.converged()) << method.name;
    for (const double value : x) EXPECT_NEAR(value, 0, 1e-8) << method.name;
    x.assign(x.size(), 0.0);
    r = Solver<double>(a, method).solve(zero, x, {.relative = 0, .norm = Norm::update, .max_sweeps = 3});
    EXPECT_TRUE(r.status == Status::converged || r.status == Status::stagnated) << name(r.status);
    for (const double value : x) EXPECT_EQ(value, 0) << method.name;
  }
}

TEST(Accelerated, KeepsToLimitsAndNorms) {
  const auto a = poisson<double, 2>({50, 50});
  const std::vector<double> b(a.rows(), 1.0);
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    std::vector<double> x;
    for (const Index limit : {0, 1, 2, 7, 20}) {
      const Report r = solved<double>(a, method, b, x, {.max_sweeps = limit});
      EXPECT_EQ(r.status, Status::sweep_limit);
      EXPECT_EQ(r.sweeps, limit);
      EXPECT_NEAR(r.norm_final, a.residual_norms(b, x).l2, 1e-9 * r.norm_initial) << method.name;
    }
    for (const Norm norm : {Norm::residual, Norm::max_residual, Norm::update, Norm::max_update})
      for (const Index every : {0, 1, 7}) {
        const Report r =
            solved<double>(a, method, b, x, {.relative = 1e-9, .norm = norm, .check_every = every});
        EXPECT_TRUE(r.converged()) << method.name << ' ' << name(norm);
        EXPECT_EQ(r.check_every, std::max<Index>(1, every));
        EXPECT_EQ(r.sweeps % r.check_every, 0) << method.name;
        EXPECT_LT(*r.residual_norm, 1e-5 * 50) << method.name << ' ' << name(norm);
      }
    int calls = 0;
    Stop stop{.relative = 0, .absolute = 1e-300, .max_sweeps = 1'000'000'000};
    stop.progress = [&](const Progress&) { return ++calls < 3; };
    const Report r = solved<double>(a, method, b, x, stop);
    EXPECT_TRUE(r.status == Status::interrupted || r.status == Status::stagnated) << name(r.status);
    EXPECT_NEAR(*r.residual_norm, a.residual_norms(b, x).l2, 1e-12 * r.norm_initial);
  }
}

TEST(Accelerated, SolvesAgainAsTheFirstTime) {
  const auto a = poisson<double, 2>({33, 20});
  const auto b = test::random_values<double>(a.rows(), -1, 1, 3),
             other = test::random_values<double>(a.rows(), 0, 9, 4);
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    Solver<double> solver(a, method, backend("threads:2"));
    std::vector<double> first(b.size()), again(b.size()), between(b.size());
    const Report r = solver.solve(b, first);
    solver.solve(other, between, {.max_sweeps = 9});
    const Report s = solver.solve(b, again);
    EXPECT_EQ(first, again) << method.name;
    EXPECT_EQ(r.sweeps, s.sweeps);
  }
}

TEST(Accelerated, GoesWithoutRungsTilingsAndNarrowMatrices) {
  const auto refused = [](const Operator<double>& a, Plan plan) {
    return message_of<UsageError>([&] { Solver<double>(a, std::move(plan)); });
  };
  const Operator<double> grid = poisson<double, 2>({9, 8});
  const Operator<double> dense = test::dense_of<double>(test::symmetric_matrix(20, 1));
  for (const Method& method : {cg(), bicgstab(), anderson()}) {
    EXPECT_PRED2(contains, refused(grid, Plan(method, "textbook")), "goes without a rung");
    Plan tiled{method};
    tiled.by = Tiling{{4, 4, 1}, 2, {1, 1, 0}};
    EXPECT_PRED2(contains, refused(grid, tiled), "goes without tilings");
    Plan narrow{method};
    narrow.matrix_precision = MatrixPrecision::single;
    EXPECT_PRED2(contains, refused(dense, narrow), "stored narrower");
    EXPECT_PRED2(contains, refused(batch(std::get<Dense<double>>(dense), 3), Plan(method)),
                 "one right-hand side at a time");
  }
}

}  // namespace
}  // namespace jacobi
