/// Vectors that share memory: refused where one is written over the other, taken where both are read.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;

/// [[2, -1], [-1, 2]] in one array with room for x in front: x may lie over any part of it.
struct InOneArray {
  std::vector<double> memory = {0, 0, 2, -1, -1, 2};
  std::vector<std::int64_t> offsets = {0, 2, 4}, columns = {0, 1, 0, 1};
  std::span<double> at(std::size_t first, std::size_t count) {
    return std::span(memory).subspan(first, count);
  }
};

void expect_refused(Solver<double>& solver, std::span<const double> b, std::span<double> x,
                    const std::string& words) {
  EXPECT_PRED2(contains, message_of<UsageError>([&] { solver.solve(b, x); }), words);
}

TEST(Solver, RefusesAnXThatSharesMemoryWithBWholeOrInPart) {
  std::vector<double> memory(25, 1.0);
  const std::span<double> all(memory);
  Solver<double> solver(poisson<double, 2>({4, 3}));
  for (const std::size_t apart : {0U, 1U, 11U}) {
    expect_refused(solver, all.first(12), all.subspan(apart, 12), "x and b share memory");
    expect_refused(solver, all.subspan(apart, 12), all.first(12), "x and b share memory");
  }
  EXPECT_EQ(memory, std::vector<double>(25, 1.0));
  EXPECT_TRUE(solver.solve(all.first(12), all.subspan(12, 12)).converged());
}

TEST(Solver, RefusesAnXThatSharesMemoryWithTheMatrix) {
  const std::vector<double> b = {1, 1};
  InOneArray one;
  const std::span<const double> values = one.at(2, 4);
  Solver<double> sparse(Csr<double>::view<std::int64_t>(one.offsets, one.columns, values));
  Solver<double> dense(Dense<double>::view(values, 2));
  for (const std::size_t first : {1U, 2U, 4U}) {
    expect_refused(sparse, b, one.at(first, 2), "x and the matrix's values share memory");
    expect_refused(dense, b, one.at(first, 2), "x and the matrix's values share memory");
  }
  const auto places = [](auto& of) {
    return std::span<double>(reinterpret_cast<double*>(of.data()), 2);  // nothing is read or written there
  };
  expect_refused(sparse, b, places(one.columns), "x and the matrix's columns share memory");
  expect_refused(sparse, b, places(one.offsets), "x and the matrix's offsets share memory");
  EXPECT_TRUE(sparse.solve(b, one.at(0, 2)).converged());
  EXPECT_NEAR(one.memory[0], 1, 1e-7);
  EXPECT_TRUE(dense.solve(values.first(2), one.at(0, 2)).converged());  // b may be a part of the matrix
}

TEST(Solver, RefusesAnXThatSharesMemoryWithCoefficients) {
  std::vector<double> memory = {2, 3, 2, -1, -1, -1, -1, -1, -1};
  const std::span<const double> given(memory);
  Grid<double, 1> grid = unit_grid<double, 1>({3});
  Solver<double> solver(
      Stencil<double, 1>::variable(grid, given.first(3), {given.subspan(3, 3), given.subspan(6, 3)}));
  const std::vector<double> b = {1, 1, 1};
  expect_refused(solver, b, std::span(memory).subspan(2, 3), "x and the operator's diagonal share memory");
  expect_refused(solver, b, std::span(memory).subspan(4, 3),
                 "x and the operator's coefficients share memory");
}

/// load(b, b) starts from b; store() over b at the end is right also for rungs that read it in place.
template <class A>
void expect_in_place(const A& a, const Plan& plan) {
  std::vector<double> b(static_cast<std::size_t>(a.rows()));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1 + 0.01 * static_cast<double>(i);
  const std::vector<double> start = b;
  std::vector<double> right(b.size());
  const std::vector<Step> steps(5);
  const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
  sweeper->load(b, start);
  sweeper->advance(steps, Want::nothing);
  sweeper->store(right);
  sweeper->load(b, b);
  sweeper->advance(steps, Want::nothing);
  sweeper->store(b);
  EXPECT_EQ(b, right) << plan.rung();
  EXPECT_NE(b, start) << plan.rung();
}

TEST(Sweeper, MayStartFromTheRightHandSideItself) {
  const auto grid = poisson<double, 2>({9, 8});
  std::vector<Entry<double>> entries;
  std::vector<double> all(72 * 72, 0.001);
  for (Index i = 0; i < 72; ++i) {
    all[73 * i] = 4;
    entries.push_back({i, i, 4});
    if (i > 0) entries.push_back({i, i / 2, -1});
  }
  const auto sparse = Csr<double>::from_entries(72, entries);
  const auto dense = Dense<double>::own(all, 72);
  for (const Rung& rung : stencil_rungs())
    if (rung.compiled) expect_in_place(grid, {plain(), rung.name});
  for (const char* rung : {"textbook", "fused", "simd", "threads", "sliced"})
    expect_in_place(sparse, {plain(), rung});
  for (const char* rung : {"textbook", "fused", "paired"}) expect_in_place(dense, {plain(), rung});
}

}  // namespace
}  // namespace jacobi
