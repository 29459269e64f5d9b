/// Counts operator new of the whole test program, to show that sweeping needs none.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"

namespace {

std::atomic<long> allocations{0};
std::atomic<std::size_t> largest{0};

}  // namespace

#ifndef JACOBI_TEST_SANITIZED  // a sanitizer has its own operator new

namespace {

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  std::size_t before = largest;
  while (before < size && !largest.compare_exchange_weak(before, size)) continue;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* p = std::aligned_alloc(alignment, whole ? whole : alignment)) return p;
  throw std::bad_alloc();
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

#endif

namespace jacobi {
namespace {

#ifdef JACOBI_TEST_SANITIZED
#define NEEDS_COUNTING GTEST_SKIP() << "a sanitizer's operator new cannot be counted"
#else
#define NEEDS_COUNTING (void)0
#endif

TEST(Allocation, IsCountedHere) {  // else the tests below could not fail
  NEEDS_COUNTING;
  const long before = allocations;
  std::vector<double> v(1000);
  EXPECT_GT(v.size(), 0U);
  EXPECT_EQ(allocations - before, 1);
  struct alignas(64) Line {
    double values[8];
  };
  const std::vector<Line> lines(3);
  EXPECT_EQ(allocations - before, 2) << lines.size();
}

TEST(Sweeper, AllocatesNothingOnceItIsBound) {
  NEEDS_COUNTING;
  const Operator<double> small = poisson<double, 2>({100, 80}), wide = poisson<double, 2>({400, 400});
  const Operator<double> line = poisson<double, 1>({30000}), space = poisson<double, 3>({64, 64, 64});
  const std::vector<Step> plain_steps(40), weighted_steps(20, Step{0.8, 1}), three_term(20, Step{1, 1.1});
  for (const auto& [a, rows] :
       {std::pair{&small, 8000U}, {&wide, 160000U}, {&line, 30000U}, {&space, 262144U}})
    for (const Rung& rung : stencil_rungs()) {
      std::vector<double> b(rows, 1.0), x(rows);
      if (!rung.compiled) continue;
      const auto sweeper = backend("threads:2")->bind(*a, Plan(plain(), rung.name));
      for (int round = 0; round < 2; ++round) {
        const long before = allocations;
        sweeper->load(b, x);
        for (const Want want : {Want::nothing, Want::update, Want::residual, Want::correction}) {
          sweeper->advance(plain_steps, want);
          sweeper->advance(weighted_steps, want);
          sweeper->advance(three_term, want);
          sweeper->norms(want);
        }
        sweeper->store(x);
        EXPECT_EQ(allocations - before, 0) << rung.name << ", round " << round;
      }
    }
}

TEST(Sweeper, AllocatesNothingOnceItIsBoundToAnAcceleratedMethod) {
  NEEDS_COUNTING;
  const Operator<double> grid = poisson<double, 2>({100, 80});
  std::vector<double> values(64 * 64, 0.01), b(8000, 1.0), x(8000);
  for (std::size_t i = 0; i < 64; ++i) values[65 * i] = 1;
  const Operator<double> dense = Dense<double>::own(values, 64);
  const std::vector<Step> steps(20);
  for (const auto& [a, rows] : {std::pair{&grid, 8000U}, std::pair{&dense, 64U}})
    for (const Plan& plan : {Plan(cg()), Plan(bicgstab()), Plan(anderson()), cg_with_multigrid()}) {
      if (plan.preconditioner() && a == &dense) continue;
      const auto sweeper = backend("threads:2")->bind(*a, plan);
      sweeper->load(std::span(b).first(rows), std::span(x).first(rows));
      sweeper->advance({}, Want::nothing);
      const long before = allocations;
      for (const Want want : {Want::nothing, Want::update, Want::residual, Want::correction}) {
        sweeper->advance(steps, want);
        sweeper->norms(want);
      }
      EXPECT_EQ(allocations - before, 0) << plan.method.name;
    }
}

TEST(Solver, SolvingAgainAllocatesNothingOfTheProblemsSize) {
  NEEDS_COUNTING;
  const Index rows = 400 * 300;
  const auto a = poisson<double, 2>({400, 300});
  std::vector<double> b(rows, 1.0), x(rows);
  largest = 0;
  Solver<double> solver(a, plain(), backend("serial"));
  solver.solve(b, x, {.max_sweeps = 50});
  const long before = allocations;
  largest = 0;
  solver.solve(b, x, {.max_sweeps = 50});
  EXPECT_LT(largest, rows * sizeof(double) / 8);
  const long few = allocations - before;
  solver.solve(b, x, {.max_sweeps = 500});
  EXPECT_LE(allocations - before - few, few + 5);  // nor more with more sweeps
}

TEST(Solver, SolvingASingularProblemAgainAllocatesNothingOfTheProblemsSize) {
  NEEDS_COUNTING;
  Sides<double, 2> sides;
  for (auto& pair : sides)
    pair = {Side<double>{BoundaryKind::periodic}, Side<double>{BoundaryKind::periodic}};
  const auto a = poisson(make_grid<double, 2>({300, 300}, {0, 0}, {1, 1}, sides));
  std::vector<double> b(a.rows()), x(a.rows());
  b[0] = 1;
  b[1] = -1;
  Solver<double> solver(a, weighted(0.9), backend("serial"));
  solver.solve(b, x, {.max_sweeps = 5});
  largest = 0;
  solver.solve(b, x, {.max_sweeps = 5});
  EXPECT_LT(largest, 90'000 * sizeof(double) / 2);
}

}  // namespace
}  // namespace jacobi
