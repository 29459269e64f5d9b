/// A matrix of 50 million entries is solved within 2.2 times the memory of its arrays, b and x, within 1.2
/// times by the rung that copies no matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "bytes_in_memory.hpp"
#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

/// Forgets the peak so far. False where the system does not let it be forgotten.
bool forget_peak() {
  std::ofstream out("/proc/self/clear_refs");
  return static_cast<bool>(out << 5 << std::flush);
}

/// n rows of 10 entries in 10 equal parts of all columns (`far`), or of 200 columns around the diagonal.
Csr<double> ten_per_row(Index n, bool far) {
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  offsets.reserve(static_cast<std::size_t>(n) + 1);
  columns.reserve(10 * static_cast<std::size_t>(n));
  values.reserve(columns.capacity());
  Random random(1);
  const Index width = far ? n / 10 : 20;
  for (Index i = 0; i < n; ++i) {
    const Index first = far ? 0 : std::clamp<Index>(i - 100, 0, n - 200);
    for (Index k = 0; k < 10; ++k) {
      const bool diagonal = (i - first) / width == k;
      columns.push_back(
          static_cast<std::int32_t>(diagonal ? i : first + width * k + random.integer(0, width - 1)));
      values.push_back(diagonal ? 11 : -1);
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return Csr<double>::own(std::move(offsets), std::move(columns), std::move(values));
}

/// The peak of a solve, over the bytes of matrix, b and x.
void expect_peak(bool far, const std::string& rung, double most) {
  constexpr Index n = 5'000'000;
  const double before = bytes_in_memory("VmRSS");
  const Csr<double> a = ten_per_row(n, far);
  const std::vector<double> b(static_cast<std::size_t>(n), 1.0);
  std::vector<double> x(b.size());
  if (before == 0 || !forget_peak()) GTEST_SKIP() << "this system keeps no peak of memory";
  Solver<double> solver(a, {plain(), rung});
  Stop stop;
  stop.relative = 1e-6;
  ASSERT_TRUE(solver.solve(b, x, stop).converged());
  const double ratio = (bytes_in_memory("VmHWM") - before) / (static_cast<double>(n) * (10 * 12 + 4 + 16));
  EXPECT_LT(ratio, most);
  EXPECT_GT(ratio, 1);
  testing::Test::RecordProperty("ratio", std::to_string(ratio));
}

TEST(LongPeakMemory, OfScatteredEntries) { expect_peak(true, "", 2.2); }
TEST(LongPeakMemory, OfABand) { expect_peak(false, "", 2.2); }
TEST(LongPeakMemory, OfScatteredEntriesFused) { expect_peak(true, "fused", 1.2); }
TEST(LongPeakMemory, OfABandFused) { expect_peak(false, "fused", 1.2); }

}  // namespace
}  // namespace jacobi::test
