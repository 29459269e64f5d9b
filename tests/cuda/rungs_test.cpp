/// The rungs that make many sweeps at once have the bits of rung 0, whatever the order of threads; wrong ones
/// are caught.
#include "backend/cuda/plane.hpp"
#include "backend/cuda/space.hpp"
#include "backend/cuda/steps.hpp"
#include "cuda/on_device.hpp"
#include "device/cases.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaGraph = OnDevice;
using CudaLines = OnDevice;
using CudaTiled = OnDevice;

/// Tiles at all corners, sides and in the middle: three in each direction, the last ones cut off.
class CudaOnChip : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (!has_multiprocessors(9)) GTEST_SKIP() << "fewer than 9 multiprocessors";
  }
};

TEST_F(CudaGraph, HasTheBitsOfRung0WithEveryKindOfStep) {
  for (int coefficients = 0; coefficients < 4; ++coefficients) {
    const auto a = case_operator<double, 2>({33, 18}, coefficients, coefficients);
    const auto sweeper = on_device(a, {plain(), "graph"});
    EXPECT_EQ(differences(a, *sweeper, {1, 65, 66, 131}), 0) << coefficients;
    EXPECT_EQ(sweeper->executed().rung, "graph");
  }
}

TEST_F(CudaGraph, OneSweepShortIsCaught) {
  const auto a = poisson<double, 2>({20, 20});
  Spoiled<double> lazy(on_device(a, {plain(), "graph"}), 1);
  EXPECT_GE(differences(a, lazy, {66, 131}), 8);
}

template <class T>
void expect_lines_of_rung_0() {
  for (const Index n : {1, 5, 31, 32, 33, 100, 256, 257, 1000, 1024, 1025, 3000})
    for (int coefficients = 0; coefficients < 2; ++coefficients) {
      const auto a = case_operator<T, 1>({n}, coefficients);
      const auto sweeper = on_device(a, {plain(), "on-chip"});
      EXPECT_EQ(differences(a, *sweeper, {2, 9}, 2), 0) << n;
      EXPECT_EQ(sweeper->executed().rung, "on-chip");
    }
}
TEST_F(CudaLines, HaveTheBitsOfRung0InDouble) { expect_lines_of_rung_0<double>(); }
TEST_F(CudaLines, HaveTheBitsOfRung0InFloat) { expect_lines_of_rung_0<float>(); }

TEST_F(CudaLines, ABatchHasTheBitsOfRung0) {
  for (const Index n : {1, 40, 256, 300, 1024, 1100}) {
    const auto a = case_operator<double, 2>({7, n}, 3);
    const auto sweeper = on_device(a, {plain(), "on-chip"});
    EXPECT_EQ(differences(a, *sweeper, {2, 30}, 2), 0) << n;
  }
}

TEST_F(CudaLines, OneSweepShortIsCaught) {
  const auto a = case_operator<double, 2>({5, 100}, 3);
  Spoiled<double> lazy(on_device(a, {plain(), "on-chip"}), 1);
  EXPECT_EQ(differences(a, lazy, {2, 30}, 2), 8);
}

TEST_F(CudaLines, ThreeTermStepsHaveTheBitsOfRung0) {
  for (const Index n : {5, 100, 256, 257, 512, 700, 3000, 4096, 5000})
    for (int coefficients = 0; coefficients < 2; ++coefficients) {
      const auto a = case_operator<double, 1>({n}, coefficients);
      EXPECT_EQ(differences(a, *on_device(a, {plain(), "on-chip"}), {3, 8}), 0) << n;
    }
  const auto batch = case_operator<float, 2>({7, 300}, 3);
  EXPECT_EQ(differences(batch, *on_device(batch, {plain(), "on-chip"}), {3, 8}), 0);
}

TEST_F(CudaLines, AreRefusedWhereTheyDoNotFit) {
  const auto sides = case_operator<double, 1>({100}, 0, 2);
  EXPECT_THROW(on_device(sides, {plain(), "on-chip"}), UsageError);
  EXPECT_EQ(differences(sides, *on_device(sides), {70}), 0);
}

template <class T>
void expect_tiles_of_rung_0(const std::string& rung, std::initializer_list<int> sweeps,
                            int kinds_of_coefficients) {
  for (int coefficients = 0; coefficients < kinds_of_coefficients; ++coefficients) {
    const auto a = case_operator<T, 2>({250, 181}, coefficients);
    const auto sweeper = on_device(a, {plain(), rung});
    EXPECT_EQ(differences(a, *sweeper, sweeps, 2), 0) << rung << " " << coefficients;
    EXPECT_EQ(sweeper->executed().rung, rung);
  }
}
// Blocks meet every 16 sweeps here: three meetings use all that they share twice.
TEST_F(CudaOnChip, HasTheBitsOfRung0InDouble) {
  expect_tiles_of_rung_0<double>("on-chip", {53}, 1);
  expect_tiles_of_rung_0<double>("on-chip", {6, 21}, 2);
}
TEST_F(CudaOnChip, HasTheBitsOfRung0InFloat) { expect_tiles_of_rung_0<float>("on-chip", {21}, 1); }
TEST_F(CudaOnChip, HasTheBitsOfRung0WithABarrier) {
  expect_tiles_of_rung_0<double>("on-chip-barrier", {21}, 1);
}

// Lanes whose columns are all unknowns or none, beside those of 250, whose last one has two.
TEST_F(CudaOnChip, WholeLanesHaveTheBitsOfRung0) {
  for (const char* rung : {"on-chip", "tiled"}) {
    const auto a = case_operator<double, 2>({252, 181}, 0);
    EXPECT_EQ(differences(a, *on_device(a, {plain(), rung}), {21}, 2), 0) << rung;
  }
}

TEST_F(CudaOnChip, SmallAndThinGridsHaveTheBitsOfRung0) {
  for (const std::array<Index, 2> n :
       {std::array<Index, 2>{1, 1}, {3, 200}, {300, 2}, {120, 88}, {121, 89}, {64, 64}, {127, 12}})
    EXPECT_EQ(differences(case_operator<double, 2>(n, 0),
                          *on_device(case_operator<double, 2>(n, 0), {plain(), "on-chip"}), {11}, 2),
              0)
        << n[0] << " x " << n[1];
}

TEST_F(CudaOnChip, OneSweepShortIsCaught) {
  const auto a = poisson<double, 2>({250, 181});
  Spoiled<double> lazy(on_device(a, {plain(), "on-chip"}), 1);
  EXPECT_EQ(differences(a, lazy, {6}, 2), 4);
}

TEST_F(CudaTiled, HasTheBitsOfRung0) {
  expect_tiles_of_rung_0<double>("tiled", {2, 10}, 2);
  expect_tiles_of_rung_0<float>("tiled", {10}, 1);
}

TEST_F(CudaTiled, TakesTheDepthThatIsAskedFor) {
  const auto a = case_operator<double, 2>({230, 150}, 0);
  for (const Index depth : {1, 3, 16}) {
    const Plan plan(plain(), "tiled", {{}, depth});
    EXPECT_EQ(differences(a, *on_device(a, plan), {17}, 1), 0) << depth;
  }
}

TEST_F(CudaTiled, AHaloThatIsTooThinIsCaught) {
  const auto a = case_operator<double, 2>({230, 150}, 0);
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  for (const int depth : {4, 3}) {
    const cuda::Stream stream(0);
    cuda::BoundGrid<double, 2> grid(a, stream);
    cuda::DeviceSteps steps(stream);
    grid.load(b, x);
    const auto tiles = cuda::TileGrid::of(grid.w, depth);
    cuda::launch(stream, tiles.launch(cuda::TileShape::shared_bytes<double, false>(), false),
                 cuda::sweep_tiles<cuda::Kind::equal, cuda::Beside::g, double>, grid.w, tiles,
                 cuda::Iterates<double>{grid.u}, cuda::Iterates<double>{grid.v}, steps.take(make_steps(0, 4)),
                 4, false);
    grid.swap();
    std::vector<double> got(x.size());
    grid.store(got);
    EXPECT_EQ(same_bits(swept(*rung_0(a), b, x, 0, 4), got), depth == 4);
  }
}

TEST_F(CudaTiled, HasTheBitsOfRung0In3D) {
  for (const int coefficients : {0, 1})
    for (const std::array<Index, 3> n :
         {std::array<Index, 3>{70, 40, 9}, {20, 14, 70}, {1, 1, 1}, {58, 27, 2}, {5, 311, 3}, {113, 53, 1}}) {
      const auto a = case_operator<double, 3>(n, coefficients);
      const auto sweeper = on_device(a, {plain(), "tiled"});
      EXPECT_EQ(differences(a, *sweeper, {2, 6}, 2), 0) << n[0] << " x " << n[1] << " x " << n[2];
      EXPECT_EQ(sweeper->executed().rung, "tiled");
    }
  const auto a = case_operator<float, 3>({61, 30, 35}, 0);
  EXPECT_EQ(differences(a, *on_device(a), {9}, 2), 0);
}

Method three_term() { return chebyshev({0.1, 1.9}); }

/// Calls of several lengths one after the other, three-term steps from the first, a middle and the last one
/// of a call on.
template <class T, int D>
bool has_the_bits_in_calls(const Stencil<T, D>& a, Sweeper<T>& sweeper) {
  const auto b = random_values<T>(a.rows(), -1, 1, 7), x = random_values<T>(a.rows(), -1, 1, 8);
  const auto right = rung_0(a);
  for (Sweeper<T>* one : {right.get(), &sweeper}) {
    one->load(b, x);
    one->advance(std::vector<Step>{{}, {}, {0.9, 1.3}}, Want::nothing);
    one->advance(std::vector<Step>{{0.9, 1.1}, {1, 1.2}, {0.8, 1}, {}, {1, 1.4}, {1, 1.3}, {1, 1.2}},
                 Want::nothing);
    one->advance(std::vector<Step>{{}, {0.7, 1}, {}, {}, {}}, Want::nothing);
    one->advance(std::vector<Step>{{1, 1.2}, {1, 1.1}}, Want::nothing);
  }
  std::vector<T> expected(x.size()), found(x.size());
  right->store(expected);
  sweeper.store(found);
  return same_bits(expected, found);
}
TEST_F(CudaLines, KeepTheIterateBeforeFromCallToCall) {
  const auto a = case_operator<double, 1>({300}, 0);
  EXPECT_TRUE(has_the_bits_in_calls(a, *on_device(a, {plain(), "on-chip"})));
}
TEST_F(CudaTiled, ThreeTermStepsIn3DHaveTheBitsOfRung0) {
  for (const std::array<Index, 3> n :
       {std::array<Index, 3>{70, 40, 9}, {20, 14, 70}, {1, 1, 1}, {58, 27, 2}}) {
    const auto a = case_operator<double, 3>(n, 0);
    const auto sweeper = on_device(a, {three_term(), "tiled"});
    EXPECT_EQ(differences(a, *sweeper, {2, 9}), 0) << n[0] << " x " << n[1] << " x " << n[2];
    EXPECT_TRUE(has_the_bits_in_calls(a, *sweeper));
  }
  const auto a = case_operator<float, 3>({61, 30, 35}, 1);
  EXPECT_EQ(differences(a, *on_device(a, {three_term(), "tiled"}), {8}), 0);
}
template <class T>
void expect_three_term_tiles(const std::string& rung, int sweeps, int coefficients) {
  const auto a = case_operator<T, 2>({250, 181}, coefficients);
  const auto sweeper = on_device(a, {three_term(), rung});
  EXPECT_EQ(differences(a, *sweeper, {sweeps}), 0) << rung;
  EXPECT_TRUE(has_the_bits_in_calls(a, *sweeper)) << rung;
  EXPECT_TRUE(has_the_bits_in_calls(a, *on_device(a, {plain(), rung}))) << rung << ", one by one";
}
TEST_F(CudaOnChip, ThreeTermStepsHaveTheBitsOfRung0) {
  expect_three_term_tiles<double>("on-chip", 21, 0);
  expect_three_term_tiles<float>("on-chip-barrier", 21, 1);
}
TEST_F(CudaOnChip, IsNotTheChoiceForStepsThatItDoesNotTake) {
  if (cuda::properties_of(0).shared_per_block <
      cuda::TileShape::shared_bytes<double, true, cuda::Beside::g_and_former>())
    GTEST_SKIP() << "a block's shared memory does not hold a tile with the iterate before";
  EXPECT_EQ(rung_of(case_operator<double, 2>({250, 181}, 0), {three_term()}), "on-chip");
  EXPECT_EQ(rung_of(case_operator<double, 2>({250, 181}, 1), {three_term()}), "on-chip");
  EXPECT_EQ(rung_of(case_operator<double, 1>({4096}, 0), {three_term()}), "on-chip");
  EXPECT_EQ(rung_of(case_operator<double, 1>({4097}, 0), {three_term()}), "graph");
  EXPECT_EQ(rung_of(case_operator<double, 3>({9, 8, 7}, 1), {three_term()}), "tiled");
}
TEST_F(CudaTiled, ThreeTermStepsHaveTheBitsOfRung0) {
  expect_three_term_tiles<double>("tiled", 18, 1);
  expect_three_term_tiles<float>("tiled", 10, 0);
}

/// A tile in the middle of nine lies wholly in the grid: nothing of it is frozen there.
TEST_F(CudaTiled, InnerTilesIn3DHaveTheBitsOfRung0) {
  for (const int coefficients : {0, 1}) {
    const auto a = case_operator<double, 3>({117, 57, 9}, coefficients);
    EXPECT_EQ(differences(a, *on_device(a, {plain(), "tiled"}), {4, 6}, 2), 0) << coefficients;
    const auto sweeper = on_device(a, {three_term(), "tiled"});
    EXPECT_TRUE(has_the_bits_in_calls(a, *sweeper)) << coefficients;
  }
  const auto a = case_operator<float, 3>({245, 56, 8}, 0);
  EXPECT_EQ(differences(a, *on_device(a), {7}, 1), 0);
}

TEST_F(CudaTiled, OneSweepShortIn3DIsCaught) {
  const auto a = case_operator<double, 3>({61, 30, 5}, 0);
  Spoiled<double> lazy(on_device(a, {plain(), "tiled"}), 1);
  EXPECT_EQ(differences(a, lazy, {4, 7}, 2), 8);
}

/// Sweeps of a block of lines in parts along z, and whether they have the bits of rung 0.
class Parts {
 public:
  bool sweep(Index planes, int shift = 0, int kind = 0, int count = Tile::levels) {
    grid_.load(b_, x_);
    cuda::launch(stream_, {{2, 2, 40 / static_cast<unsigned>(planes)}, {Tile::threads}, Tile::shared_bytes},
                 cuda::sweep_space<cuda::Kind::equal, cuda::Beside::g, double>, grid_.w,
                 cuda::Iterates<double>{grid_.u + shift}, cuda::Iterates<double>{grid_.v},
                 steps_.take(make_steps(kind, count)), count, true, planes);
    grid_.swap();
    std::vector<double> got(x_.size());
    grid_.store(got);
    return same_bits(swept(*rung_0(a_), b_, x_, kind, count), got);
  }

 private:
  using Tile = cuda::SpaceTile<double>;
  Stencil<double, 3> a_ = case_operator<double, 3>({70, 40, 40}, 0);
  std::vector<double> b_ = random_values<double>(a_.rows(), -1, 1, 1),
                      x_ = random_values<double>(a_.rows(), -1, 1, 2);
  cuda::Stream stream_{0};
  cuda::BoundGrid<double, 3> grid_{a_, stream_};
  cuda::DeviceSteps steps_{stream_};
};

TEST_F(CudaTiled, PartsAlongZChangeNoBit) {
  Parts parts;
  EXPECT_TRUE(parts.sweep(40));
  EXPECT_TRUE(parts.sweep(8)) << "five parts along z";
  EXPECT_TRUE(parts.sweep(20, 0, 0, 1)) << "one sweep";
}

TEST_F(CudaTiled, AShiftOrWeightsInPartsAlongZAreCaught) {
  Parts parts;
  EXPECT_FALSE(parts.sweep(40, 2)) << "shifted by two unknowns";
  EXPECT_FALSE(parts.sweep(40, 0, 1)) << "weights of a call that is said to be plain";
}

}  // namespace
}  // namespace jacobi::test
