/// The rest of the third source's tables: k = 4 and 8 in 1D, and 2D.
#include <gtest/gtest.h>

#include "published/hierarchical_counts.hpp"

namespace jacobi::test {
namespace {

TEST(LongCycles, In1DWith4And8SubiterationsAreThoseOfTheTable) {
  const auto& table = cycle_oracle()["one_dimensional_N1024"];
  std::vector<double> x;
  for (const int column : {0, 1})
    for (const auto& [overlap, cycles] : table["cycles_by_overlap"].items()) {
      const Index k = table["k"][column];
      const Report r = solve_in_cycles(poisson<double, 1>({1024}), source_tiling(k, std::stol(overlap)), x);
      EXPECT_EQ(r.cycles, cycles[column].get<Index>()) << "k " << k << " overlap " << overlap;
    }
}

/// A column of the table, without overlap or with that of the source's table 4.
class LongCycles2D : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(LongCycles2D, AreThoseOfTheTable) {
  const auto& table = cycle_oracle()["two_dimensional_N1024"];
  const auto [column, overlaps] = GetParam();
  const Index shared = overlaps ? table["overlap_of_table_4"][column].get<Index>() : 0;
  std::vector<double> x;
  const Report r =
      solve_in_cycles(poisson<double, 2>({1024, 1024}), source_tiling(table["k"][column], shared), x);
  const char* const row = overlaps ? "cycles_at_overlap_of_table_4" : "cycles_no_overlap";
  EXPECT_EQ(r.cycles, table[row][column].get<Index>());
}

INSTANTIATE_TEST_SUITE_P(K4To128, LongCycles2D, testing::Combine(testing::Range(0, 6), testing::Bool()));

}  // namespace
}  // namespace jacobi::test
