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

/// One cell of the table in 2D: the column of a k, at the overlap of the source's table 4 or without.
struct CellOf2D {
  std::size_t column;
  bool overlaps;
};
class OpenClCounts2DLong : public OpenClCounts, public testing::WithParamInterface<CellOf2D> {};

TEST_P(OpenClCounts2DLong, AreThoseOfTheTable) {
  const auto& table = cycle_oracle()["two_dimensional_N1024"];
  const auto [column, overlaps] = GetParam();
  const Index k = table["k"][column];
  const Index overlap = overlaps ? table["overlap_of_table_4"][column].get<Index>() : 0;
  const auto& cycles = table[overlaps ? "cycles_at_overlap_of_table_4" : "cycles_no_overlap"];
  std::vector<double> x;
  const Report r = solve_in_cycles(poisson<double, 2>({1024, 1024}), source_tiling(k, overlap), x, device());
  EXPECT_EQ(r.cycles, cycles[column].get<Index>()) << "k " << k << " overlap " << overlap;
}
INSTANTIATE_TEST_SUITE_P(, OpenClCounts2DLong,
                         testing::Values(CellOf2D{0, false}, CellOf2D{1, false}, CellOf2D{2, false},
                                         CellOf2D{3, false}, CellOf2D{4, false}, CellOf2D{5, false},
                                         CellOf2D{1, true}, CellOf2D{2, true}, CellOf2D{3, true},
                                         CellOf2D{4, true}, CellOf2D{5, true}),
                         [](const auto& cell) {
                           return "Column" + std::to_string(cell.param.column) +
                                  (cell.param.overlaps ? "Overlapping" : "Apart");
                         });

}  // namespace
}  // namespace jacobi::test
