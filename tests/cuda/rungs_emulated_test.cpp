/// On-chip rungs on devices that are too small, or whose flags fail.
#include "cuda/emulated.hpp"
#include "device/cases.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

class CudaOnChipEmulated : public Emulated {
 protected:
  void SetUp() override {
    Emulated::SetUp();
    settings().device.multiprocessors = 9;
    settings().blocks_per_multiprocessor = 1;  // as the registers of a real one allow
  }
};
using CudaGraphEmulated = Emulated;

TEST_F(CudaGraphEmulated, SweepsAreLaunchedTogether) {
  const auto a = poisson<double, 2>({33, 18});
  const Index before = counts().graph_launches;
  EXPECT_EQ(differences(a, *on_device(a, {plain(), "graph"}), {66}, 1), 0);
  EXPECT_GT(counts().graph_launches, before);
}

TEST_F(CudaOnChipEmulated, IsTheChoiceWhereTheGridFitsAndTiledElsewhere) {
  const auto a = poisson<double, 2>({300, 200});
  EXPECT_EQ(rung_of(a), "on-chip");
  settings().device.multiprocessors = 8;
  EXPECT_EQ(rung_of(a), "tiled");
  EXPECT_THROW(on_device(a, {plain(), "on-chip"}), UsageError);
  settings().device.multiprocessors = 9;
  settings().device.cooperative = false;
  EXPECT_EQ(rung_of(a), "tiled");
}

TEST_F(CudaOnChipEmulated, NeedsRoomForAHaloThatComesIn) {
  settings().device.shared_per_block = 99 << 10;
  EXPECT_EQ(rung_of(poisson<double, 2>({200, 200})), "tiled");
  EXPECT_EQ(rung_of(poisson<float, 2>({200, 200})), "on-chip");
}

TEST_F(CudaOnChipEmulated, HalosAsDeepAsTilesHaveRoomForHaveTheBitsOfRung0) {
  for (const auto& [n, depth] : {std::pair{std::array<Index, 2>{350, 260}, 4}, {{330, 235}, 8}}) {
    const auto a = case_operator<double, 2>(n, 0);
    const auto sweeper = on_device(a, {plain(), "on-chip"});
    EXPECT_EQ(differences(a, *sweeper, {3 * depth + 5}, 2), 0) << depth;
    EXPECT_NE(sweeper->executed().blocking.find("every " + std::to_string(depth) + " sweeps"),
              std::string::npos);
  }
}

TEST_F(CudaOnChipEmulated, FlagsThatNobodyWaitsForAreCaught) {
  const auto a = poisson<double, 2>({250, 181});
  settings().gullible = true;
  EXPECT_GT(differences(a, *on_device(a, {plain(), "on-chip"}), {18}, 1), 0);
}

TEST_F(CudaOnChipEmulated, FlagsThatNeverComeEndInAnError) {
  const auto a = poisson<double, 2>({250, 181});
  const std::vector<double> b(a.rows(), 1.0);
  for (const std::string rung : {"on-chip", "on-chip-barrier"}) {
    const auto sweeper = on_device(a, {plain(), rung});
    sweeper->load(b, b);
    settings().deaf = true;
    EXPECT_THROW(sweeper->advance(make_steps(0, 20), Want::nothing), BackendError) << rung;
    settings().deaf = false;
    sweeper->load(b, b);
    EXPECT_NO_THROW(sweeper->advance(make_steps(0, 20), Want::nothing)) << rung;
  }
}

}  // namespace
}  // namespace jacobi::test
