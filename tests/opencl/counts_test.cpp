/// Cycles of the third source's scheme on the device, to the digit.
#include "opencl/on_opencl.hpp"
#include "published/hierarchical_counts.hpp"

namespace jacobi::test {
namespace {

class OpenClCounts : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (!IsSkipped() && is_emulated()) GTEST_SKIP() << "too many cycles for an emulated device";
  }
  /// The column of one k, of overlaps from `least` on.
  static void expect_column(std::size_t column, long least) {
    const auto& table = cycle_oracle()["one_dimensional_N1024"];
    const auto a = poisson<double, 1>({1024});
    const Index k = table["k"][column];
    std::vector<double> x;
    for (const auto& [overlap, cycles] : table["cycles_by_overlap"].items()) {
      if (std::stol(overlap) < least) continue;
      const Report r = solve_in_cycles(a, source_tiling(k, std::stol(overlap)), x, device());
      EXPECT_EQ(r.cycles, cycles[column].get<Index>()) << "k " << k << " overlap " << overlap;
    }
  }
};
using OpenClCountsLong = OpenClCounts;
using OpenClCounts2DLong = OpenClCounts;  // a ctest of its own: minutes each on a processor

TEST_F(OpenClCounts, Of1DAreThoseOfTheTable) {
  expect_column(5, 12);
  expect_column(4, 24);
}
TEST_F(OpenClCountsLong, Of1DAreThoseOfTheWholeTable) {
  for (std::size_t column = 0; column < 6; ++column) expect_column(column, 0);
}

/// The column of one k, at the overlap of the source's table 4. The others take as long each.
void expect_of_2D(std::size_t column) {
  const auto& table = cycle_oracle()["two_dimensional_N1024"];
  const Index k = table["k"][column], overlap = table["overlap_of_table_4"][column];
  std::vector<double> x;
  const Report r = solve_in_cycles(poisson<double, 2>({1024, 1024}), source_tiling(k, overlap), x, device());
  EXPECT_EQ(r.cycles, table["cycles_at_overlap_of_table_4"][column].get<Index>())
      << "k " << k << " overlap " << overlap;
}
TEST_F(OpenClCounts2DLong, OfEightSweepsAreThoseOfTheTable) { expect_of_2D(1); }
TEST_F(OpenClCounts2DLong, OfThirtyTwoSweepsAreThoseOfTheTable) { expect_of_2D(3); }

}  // namespace
}  // namespace jacobi::test
