/// A team may change from call to call: every algorithm gives the same bits, with memory bound for the
/// largest.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/executed.hpp"
#include "core/team_pool.hpp"
#include "jacobi/jacobi.hpp"
#include "ladder/run.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

constexpr int threads = 4;

/// As many threads as chance says, for one call.
class SomeThreads {
 public:
  explicit SomeThreads(std::minstd_rand& random) : before_(TeamPool::of_this_thread().most) {
    TeamPool::of_this_thread().most = 1 + static_cast<int>(random() % threads);
  }
  ~SomeThreads() { TeamPool::of_this_thread().most = before_; }

 private:
  int before_;
};

template <class T>
void expect_same_bits(const std::string& what, const Operator<T>& a, const Plan& plan) {
  SCOPED_TRACE(what);
  const auto on = backend("threads:" + std::to_string(threads));
  const auto one = on->bind(a, plan), other = on->bind(a, plan);
  const std::vector<T> b = random_values<T>(one->rows(), -1, 1, 7),
                       x = random_values<T>(one->rows(), -1, 1, 8);
  one->load(b, x);
  other->load(b, x);
  std::minstd_rand random(3);
  std::vector<T> of_one(x.size()), of_other(x.size());
  Step before;
  Index done = 0;
  for (const Index cycles : {1, 3, 8, 17, 2}) {
    std::vector<Step> steps;
    for (Index j = 0; j < cycles * one->sweeps_per_cycle(); ++j)
      steps.push_back(before = plan.method.step(done++, before));
    const Norms expected = one->advance(steps, Want::update);
    const SomeThreads some(random);
    const Norms norms = other->advance(steps, Want::update);
    EXPECT_EQ(norms.l2, expected.l2);
    EXPECT_EQ(norms.max, expected.max);
    one->store(of_one);
    other->store(of_other);
    ASSERT_TRUE(same_bits(of_one, of_other)) << "after " << done << " sweeps";
  }
}

template <class T, int D>
void expect_same_bits_on_grid(const PerDirection<Index, D>& unknowns) {
  const auto a = poisson<T, D>(unknowns);
  expect_same_bits<T>("threads", a, {plain(), "threads"});
  expect_same_bits<T>("tiled", a, {plain()});
  if (a.rows() > 100000) return;  // of these sanitizers see enough on small grids
  expect_same_bits<T>("chebyshev", a, chebyshev(bounds(a)));
  expect_same_bits<T>("red-black", a, red_black());
  expect_same_bits<T>("cg", a, cg());
  expect_same_bits<T>("anderson", a, anderson());
  expect_same_bits<T>("multigrid", a, multigrid(a));
  expect_same_bits<T>("cg with multigrid", a, cg_with_multigrid());
  Plan cycles = plain();
  cycles.by = Tiling{{16, D > 1 ? 16 : 1, D > 2 ? 8 : 1}, 4, {3, D > 1 ? 3 : 0, D > 2 ? 3 : 0}};
  expect_same_bits<T>("cycles", a, cycles);
}

TEST(TeamChangesThreads, LeaveTheBitsOfGrids) {
  expect_same_bits_on_grid<double, 1>({20011});
  expect_same_bits_on_grid<double, 2>({300, 131});
  expect_same_bits_on_grid<float, 2>({600, 150});
  expect_same_bits_on_grid<double, 3>({64, 48, 49});
}

TEST(TeamChangesThreads, LeaveTheBitsOfMatrices) {
  const auto grid = poisson<double, 2>({151, 140});
  const Csr<double> sparse = to_csr(grid);
  for (const char* rung : {"threads", "compressed", "blocked", "sliced"})
    expect_same_bits<double>(rung, sparse, {plain(), rung});
  const Index n = 300;
  std::vector<double> values = random_values<double>(n * n, -1, 1, 5);
  for (Index i = 0; i < n; ++i) values[static_cast<std::size_t>(i * n + i)] = 400;
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const char* rung : {"threads", "fused", "paired"})
      expect_same_bits<double>(rung, Dense<double>::view(values, n, layout), {plain(), rung});
}

}  // namespace
}  // namespace jacobi::test
