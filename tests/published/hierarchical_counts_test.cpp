/// Cycles of the third source's scheme, to the digit. k = 4, 8 and 2D: tests/long.
#include <gtest/gtest.h>

#include "published/counts.hpp"
#include "published/hierarchical_counts.hpp"

namespace jacobi::test {
namespace {

class PublishedCycles : public testing::TestWithParam<int> {};

/// One column of the table: every overlap for one k. From overlap / 2 >= k - 1 on, plain's count over k.
TEST_P(PublishedCycles, In1DAreThoseOfTheTable) {
  const auto& table = cycle_oracle()["one_dimensional_N1024"];
  const Index k = table["k"][GetParam()], plain_sweeps = table["plain_sweeps"];
  const auto a = poisson<double, 1>({1024});
  std::vector<double> x;
  for (const auto& [overlap, cycles] : table["cycles_by_overlap"].items()) {
    const Tiling tiling = source_tiling(k, std::stol(overlap));
    const Report r = solve_in_cycles(a, tiling, x);
    EXPECT_EQ(r.cycles, cycles[GetParam()].get<Index>()) << "k " << k << " overlap " << overlap;
    EXPECT_EQ(r.sweeps, k * *r.cycles);
    if (tiling.exact(1, a.grid().unknowns)) EXPECT_EQ(r.cycles, (plain_sweeps + k - 1) / k);
  }
}

INSTANTIATE_TEST_SUITE_P(K16To128, PublishedCycles, testing::Values(2, 3, 4, 5));

TEST(PublishedCyclesOfPlain, In1DAre128760Sweeps) {
  EXPECT_EQ(solve_to_reduced_residual<1>(1024).sweeps,
            cycle_oracle()["one_dimensional_N1024"]["plain_sweeps"].get<Index>());
}

TEST(PublishedCyclesOfCopies, AreTheSameForEveryCopy) {
  const auto one = poisson<double, 1>({256});
  std::vector<double> x, all;
  const Report alone = solve_in_cycles(one, source_tiling(16, 4), x);
  const Report together = solve_in_cycles(batch(one, 37), batch(source_tiling(16, 4)), all);
  EXPECT_EQ(together.cycles, alone.cycles);
  for (Index i = 0; i < 256; ++i)
    for (Index c = 0; c < 37; ++c) ASSERT_EQ(all[c + 37 * i], x[i]) << "copy " << c;
}

}  // namespace
}  // namespace jacobi::test
