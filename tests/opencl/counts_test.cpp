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

TEST_F(OpenClCounts, Of1DAreThoseOfTheTable) {
  expect_column(5, 12);
  expect_column(4, 24);
}
TEST_F(OpenClCountsLong, Of1DAreThoseOfTheWholeTable) {
  for (std::size_t column = 0; column < 6; ++column) expect_column(column, 0);
}

}  // namespace
}  // namespace jacobi::test
