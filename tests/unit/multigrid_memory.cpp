/// The memory that multigrid tells is what it takes.
#include <gtest/gtest.h>

#include <malloc.h>

#include <array>
#include <vector>

#include "bytes_in_memory.hpp"
#include "jacobi/jacobi.hpp"
#include "sweep/multigrid/bind.hpp"

namespace jacobi {
namespace {

/// Beside b and x: two arrays and a third of each for the coarser grids.
TEST(Multigrid, TakesLessThanThreeArraysOfThePlaneBesideBAndX) {
  const auto a = poisson<double, 2>({1023, 1023});
  const double bytes = sweep::bytes_needed(a, multigrid(a), 2);
  EXPECT_LT(bytes, 3.0 * sizeof(double) * static_cast<double>(a.rows()));
}

double bytes_held() {
  malloc_trim(0);  // what others have freed
  return test::bytes_in_memory("VmRSS");
}

/// In 1D tables along the line take more than a third of it.
template <int D>
void expect_memory_as_told(const std::array<Index, D>& unknowns) {
  const auto a = poisson<double, D>(unknowns);
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x(b.size());
  const Plan plan = multigrid(a);
  const double before = bytes_held(), told = sweep::bytes_needed(a, plan, 1);
  const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
  sweeper->load(b, x);
  sweeper->advance(std::vector<Step>(static_cast<std::size_t>(sweeper->sweeps_per_cycle())), Want::residual);
  EXPECT_NEAR(bytes_held() - before, told, 0.15 * told) << D;
}

TEST(Multigrid, TakesTheMemoryThatItTells) {
#ifdef JACOBI_TEST_SANITIZED
  GTEST_SKIP() << "a sanitizer has its own memory";
#endif
  expect_memory_as_told<1>({1'000'000});
  expect_memory_as_told<2>({2000, 2000});
  expect_memory_as_told<3>({160, 160, 160});
}

}  // namespace
}  // namespace jacobi
