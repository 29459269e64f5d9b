/// A matrix of 50 million entries is solved within 2.2 times the memory of its arrays, b and x, within 1.2
/// times by the rung that copies no matrix.
#include <gtest/gtest.h>

#include "peak_memory.hpp"

namespace jacobi::test {
namespace {

void expect_peak(bool far, const std::string& rung, double most) {
  const auto ratio = peak_ratio(5'000'000, far, rung);
  if (!ratio) GTEST_SKIP() << "this system keeps no peak of memory";
  EXPECT_LT(*ratio, most);
  EXPECT_GT(*ratio, 1);
  testing::Test::RecordProperty("ratio", std::to_string(*ratio));
}

TEST(LongPeakMemory, OfScatteredEntries) { expect_peak(true, "", 2.2); }
TEST(LongPeakMemory, OfABand) { expect_peak(false, "", 2.2); }
TEST(LongPeakMemory, OfScatteredEntriesFused) { expect_peak(true, "fused", 1.2); }
TEST(LongPeakMemory, OfABandFused) { expect_peak(false, "fused", 1.2); }

}  // namespace
}  // namespace jacobi::test
