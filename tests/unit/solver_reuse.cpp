/// Warm starts, second solves and solvers in several threads give the bits of fresh ones.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"

namespace jacobi {
namespace {

/// A Dirichlet, a Neumann and two periodic sides, variable coefficients.
template <class T>
Stencil<T, 2> mixed() {
  Sides<T, 2> sides;
  sides[0] = {Side<T>{BoundaryKind::neumann, {T(0.5)}}, Side<T>{BoundaryKind::dirichlet, {T(2)}}};
  sides[1] = {Side<T>{BoundaryKind::periodic}, Side<T>{BoundaryKind::periodic}};
  const auto grid = make_grid<T, 2>({21, 16}, {0, 0}, {1, 2}, sides);
  std::vector<T> k(21 * 16);
  for (std::size_t i = 0; i < k.size(); ++i)
    k[i] = static_cast<T>(1.5 + std::sin(0.3 * static_cast<double>(i)));
  return diffusion<T, 2>(grid, k);
}

template <class T>
std::vector<T> wave(Index n, double phase) {
  std::vector<T> b(n);
  for (Index i = 0; i < n; ++i) b[i] = static_cast<T>(std::cos(phase + 0.7 * static_cast<double>(i)));
  return b;
}

template <class T>
void continues(const Stencil<T, 2>& a, const Plan& plan) {
  const auto b = wave<T>(a.rows(), 0);
  std::vector<T> once(a.rows(), T(0.25)), twice = once;
  const Stop hundred{.relative = 0, .max_sweeps = 100}, part{.relative = 0, .max_sweeps = 37},
      rest{.relative = 0, .max_sweeps = 63};
  Solver<T>(a, plan).solve(b, once, hundred);
  Solver<T> solver(a, plan);
  solver.solve(b, twice, part);
  solver.solve(b, twice, rest);
  EXPECT_EQ(once, twice);
}

TEST(Solver, WarmStartContinuesBitForBit) {
  continues<double>(mixed<double>(), plain());
  continues<float>(mixed<float>(), plain());
  continues<double>(mixed<double>(), weighted(0.7));
  continues<double>(poisson<double, 2>({33, 20}), plain());
}

/// Three-term steps look two iterates back: nothing of the solve before may be left.
Method three_term() {
  return {"three-term", [](Index n, const Step&) { return Step{1, n == 0 ? 1 : 1.2}; }};
}

void second_solve_is_fresh(const Stencil<double, 2>& a, const Plan& plan) {
  const auto first = wave<double>(a.rows(), 0), second = wave<double>(a.rows(), 1);
  std::vector<double> used(a.rows(), 1.0), fresh(a.rows());
  Solver<double> solver(a, plan);
  solver.solve(first, used, {.relative = 1e-5});
  used.assign(used.size(), 0);
  const Stop stop{.relative = 1e-7, .check_every = 5};
  const Report again = solver.solve(second, used, stop);
  const Report alone = Solver<double>(a, plan).solve(second, fresh, stop);
  EXPECT_EQ(used, fresh);
  EXPECT_TRUE(again.converged());
  EXPECT_EQ(again.sweeps, alone.sweeps);
  EXPECT_EQ(again.checks, alone.checks);
  EXPECT_EQ(again.norm_final, alone.norm_final);
  EXPECT_EQ(again.update_norm, alone.update_norm);
  ASSERT_EQ(again.history.size(), alone.history.size());
  for (std::size_t i = 0; i < alone.history.size(); ++i)
    EXPECT_EQ(again.history[i].norm, alone.history[i].norm);
}

TEST(Solver, SolvingAgainEqualsAFreshSolverBitForBit) {
  for (const Rung& rung : stencil_rungs()) {
    if (!rung.compiled) continue;
    SCOPED_TRACE(rung.name);
    second_solve_is_fresh(mixed<double>(), {plain(), rung.name});
    second_solve_is_fresh(mixed<double>(), {three_term(), rung.name});
    second_solve_is_fresh(poisson<double, 2>({19, 24}), {weighted(0.8), rung.name});
  }
}

TEST(Solver, ThreadsWithASolverEachGiveTheSerialBits) {
  const auto a = mixed<double>();
  for (const std::string kind : {"serial", "threads:2"}) {
    const auto shared = backend(kind);
    const std::vector<std::vector<double>> b{wave<double>(a.rows(), 0), wave<double>(a.rows(), 2)};
    const Stop stop{.relative = 0, .max_sweeps = 2000, .check_every = 10};
    std::vector<std::vector<double>> x(2, std::vector<double>(a.rows())), serial = x;
    for (int i = 0; i < 2; ++i) Solver<double>(a, plain(), backend("serial")).solve(b[i], serial[i], stop);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&, i] { Solver<double>(a, plain(), shared).solve(b[i], x[i], stop); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(x[0], serial[0]) << kind;
    EXPECT_EQ(x[1], serial[1]) << kind;
    EXPECT_NE(x[0], x[1]);
  }
}

TEST(Solver, MayBeMovedAndOutlivesWhatItWasMadeFrom) {
  const auto b = wave<double>(320, 0);
  std::vector<double> x(320), same(320);
  std::vector<Solver<double>> solvers;
  {
    const auto a = mixed<double>();
    solvers.emplace_back(a, weighted(0.9), backend("threads:2"));
    Solver<double>(a, weighted(0.9)).solve(b, same);
  }
  solvers.reserve(10);
  EXPECT_TRUE(solvers[0].solve(b, x).converged());
  EXPECT_EQ(x, same);
}

TEST(Solver, ReportsWhatRan) {
  const auto a = mixed<double>();
  const auto b = wave<double>(a.rows(), 0);
  std::vector<double> x(b.size());
  const Report r = Solver<double>(a, {weighted(0.9), "fused"}, backend("threads:2")).solve(b, x);
  EXPECT_EQ(r.method, "weighted");
  EXPECT_EQ(r.rung, "fused");
  EXPECT_EQ(r.threads, 1);  // that rung is serial
  EXPECT_EQ(r.backend, "threads:1");
  EXPECT_EQ(r.precision, "double");
  const Report two = Solver<double>(a, {}, backend("threads:2")).solve(b, x, {.relative = 1e-10});
  EXPECT_EQ(two.threads, 2);
  EXPECT_EQ(two.backend, "threads:2");
  const Report few = Solver<double>(a, {}, backend("threads")).solve(b, x, {.relative = 1e-12});
  EXPECT_EQ(few.threads, 1);  // too small to share
  EXPECT_EQ(few.backend, "threads:1");
  EXPECT_EQ(Solver<double>(a, {}, backend("serial")).solve(b, x).backend, "serial");
}

TEST(Solver, NamesTheRungOfASolveThatNeedsNoSweep) {
  const auto a = mixed<double>();
  const auto b = wave<double>(a.rows(), 0);
  for (const Rung& rung : stencil_rungs()) {
    if (!rung.compiled) continue;
    std::vector<double> x(b.size());
    const auto start = x;
    const Report r =
        Solver<double>(a, {plain(), rung.name}, backend("threads:2")).solve(b, x, {.max_sweeps = 0});
    EXPECT_EQ(r.sweeps, 0);
    EXPECT_EQ(x, start);
    EXPECT_EQ(r.rung, rung.name);
    EXPECT_FALSE(r.simd.empty());
    EXPECT_GE(r.threads, 1);
    EXPECT_EQ(r.backend, r.threads == 1 ? "threads:1" : "threads:2") << rung.name;
  }
}

}  // namespace
}  // namespace jacobi
