/// What only an emulated device does: it finds kernels out that lack a barrier, race or write outside.
#include <cstdlib>

#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

class OpenClEmulated : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (!IsSkipped() && !is_emulated()) GTEST_SKIP() << "not the emulated device";
  }
  /// Of a kernel with a text that is changed wherever it stands: runs in cycles that differ from the host's.
  static int differences_of_cycles(const std::string& change) {
    ::setenv("JACOBI_EMULATED_CHANGE", change.c_str(), 1);
    const auto a = case_operator<double, 2>({38, 29}, 0, 3);
    const auto b = random_values<double>(a.rows(), -1, 1, 3), x = random_values<double>(a.rows(), -1, 1, 4);
    Plan plan = in_groups({8, 4, 1});
    plan.by = {{16, 12, 1}, 5, {1, 2, 0}};
    const auto host = backend("serial")->bind(Operator<double>(a), plan);
    const opencl::Device changed = lacking([](opencl::Properties&) {});  // with programs of its own
    const auto sweeper = opencl::bind(a, plan, changed);
    int different = 0;
    for (const unsigned seed : {1U, 2U, 3U}) {
      order_threads(seed);
      if (!same_bits(swept(*host, b, x, 0, 11), swept(*sweeper, b, x, 0, 11))) ++different;
    }
    return different;
  }
  static std::string fault_of_cycles(const std::string& change) {
    return words_of<BackendError>([&] { differences_of_cycles(change); });
  }
};

TEST_F(OpenClEmulated, TheKernelAsItIsPasses) { EXPECT_EQ(differences_of_cycles(""), 0); }

TEST_F(OpenClEmulated, ARemovedBarrierIsCaught) {
  EXPECT_GT(differences_of_cycles("barrier(CLK_LOCAL_MEM_FENCE);=>;"), 0);
}
TEST_F(OpenClEmulated, ARaceIsCaught) {
  EXPECT_GT(differences_of_cycles("*v = memory + t->entries;=>*v = memory;"), 0) << "swept in place";
}
TEST_F(OpenClEmulated, TooLittleOfTheOtherSideIsCaught) {
  const auto a = case_operator<double, 1>({110}, 0, 2);
  const auto b = random_values<double>(110, -1, 1, 3), x = random_values<double>(110, -1, 1, 4);
  const auto expected = swept(*rung_0(a), b, x, 0, 11);
  for (const bool right : {true, false}) {
    if (!right) ::setenv("JACOBI_EMULATED_CHANGE", "wrap = t->wrap[d];=>wrap = t->wrap[d] - 1;", 1);
    const opencl::Device changed = lacking([](opencl::Properties&) {});
    const auto sweeper = opencl::bind(a, {plain(), "tiled", {{32, 1, 1}, 5}}, changed);
    EXPECT_EQ(same_bits(expected, swept(*sweeper, b, x, 0, 11)), right);
  }
}
TEST_F(OpenClEmulated, AHaloOneShortIsCaught) {
  EXPECT_GT(differences_of_cycles("overlap = t->overlap[d],=>overlap = t->overlap[d] - 1,"), 0);
}

/// A device that was misused is lost for good: each in a process of its own.
using OpenClEmulatedDeathTest = OpenClEmulated;

TEST_F(OpenClEmulatedDeathTest, ABarrierThatSomeLeaveOutIsAnError) {
  EXPECT_EXIT(
      std::exit(says(fault_of_cycles("gather(w, t,=>if (item() > 0) return; gather(w, t,"), "lost") ? 3 : 0),
      testing::ExitedWithCode(3), "ended while others wait");
}
TEST_F(OpenClEmulatedDeathTest, AWriteOutsideIsAnError) {
  EXPECT_EXIT(
      std::exit(says(fault_of_cycles("out[to + i] = u[from + i];=>out[w->size] = u[from + i];"), "lost") ? 3
                                                                                                         : 0),
      testing::ExitedWithCode(3), "write outside of a buffer");
}

}  // namespace
}  // namespace jacobi::test
