/// Dense matrices on devices with little memory, or that fail.
#include "cuda/emulated.hpp"
#include "device/matrices.hpp"
#include "jacobi/error.hpp"
#include "ladder/dense_cases.hpp"

namespace jacobi::test {
namespace {

using CudaDenseEmulated = Emulated;

TEST_F(CudaDenseEmulated, SweepsAreLaunchedTogether) {
  const DenseCase<double> c(33, by_rows, 2);
  const Index before = counts().graph_launches;
  swept(*matrix_on_device<double>(c.a, {plain(), "graph"}), c.b, c.x, 0, 131);
  EXPECT_EQ(counts().graph_launches, before + 2);
}

TEST_F(CudaDenseEmulated, FewSweepsAreLaunchedTogetherFromTheSecondTimeOn) {
  const DenseCase<double> c(33, by_rows, 2);
  const auto one = matrix_on_device<double>(c.a, {plain(), "fused"});
  const auto many = matrix_on_device<double>(c.a, {plain(), "graph"});
  for (const auto& [sweeps, graphs] : {std::pair{11, 0}, {11, 1}, {12, 1}, {77, 1}, {9, 0}}) {
    const Index before = counts().graph_launches;
    const auto found = swept(*many, c.b, c.x, 1, sweeps);
    EXPECT_EQ(counts().graph_launches, before + graphs);
    EXPECT_TRUE(same_bits(swept(*one, c.b, c.x, 1, sweeps), found));
  }
}

/// Matrices whose rows all lie in one block, in four, and partly in none.
TEST_F(CudaDenseEmulated, OnChipHasTheBitsOfSingleLaunches) {
  for (const Index shared : {Index{227} << 10, Index{40} << 10, Index{12} << 10})
    for (const Index n : {3, 31, 64, 100, 150}) {
      settings().device.shared_per_block = shared;
      const DenseCase<float> c(n, by_rows, 1);
      const auto one = matrix_on_device<float>(c.a, {plain(), "fused"});
      const auto chip = matrix_on_device<float>(c.a, {plain(), "on-chip"});
      EXPECT_EQ(first_difference(*one, *chip, c.b, c.x, {1, 2, 9}), "") << n << " " << shared;
      EXPECT_EQ(chip->executed().rung, "on-chip");
    }
}

TEST_F(CudaDenseEmulated, OnChipIsOneLaunchAndTellsWhatItKeeps) {
  settings().device.shared_per_block = 12 << 10;
  const DenseCase<double> c(100, by_rows, 0);
  const auto sweeper = matrix_on_device<double>(c.a);
  EXPECT_EQ(sweeper->executed().blocking,
            "all sweeps between checks in one launch, 10 of 25 rows kept in each of 4 blocks");
  sweeper->load(c.b, c.x);
  const Index before = counts().launches;
  sweeper->advance(make_steps(0, 50), Want::nothing);
  EXPECT_EQ(counts().launches, before + 1);
  EXPECT_EQ(sweeper->executed().sweeps, 50);
}

TEST_F(CudaDenseEmulated, RefusesInWordsWhatItCannotSweep) {
  const DenseCase<double> rows(33, by_rows, 0), columns(600, by_columns, 0);
  const auto refusal = [](const Dense<double>& a, const Plan& plan) {
    return words_of<UsageError>([&] { matrix_on_device<double>(a, plan); });
  };
  EXPECT_TRUE(says(refusal(rows.a, {plain(), "ordered"}), "is for matrices by columns"));
  EXPECT_TRUE(says(refusal(rows.a, {plain(), "tiled"}), "choose one of fused, graph, on-chip, ordered"));
  EXPECT_TRUE(says(refusal(batch(rows.a, 2), {plain(), "on-chip"}), "one right-hand side"));
  EXPECT_TRUE(says(refusal(rows.a, {cg()}), "method cg"));
  settings().device.shared_per_block = 8 << 10;
  EXPECT_TRUE(says(refusal(columns.a, {plain(), "on-chip"}), "is not for this matrix on this device"));
  EXPECT_EQ(matrix_on_device<double>(columns.a)->executed().blocking, "");
  settings().device.memory = counts().allocated + (1 << 20);
  const auto words = words_of<BackendError>([&] { matrix_on_device<double>(columns.a); });
  EXPECT_TRUE(says(words, "out of device memory: the matrix and the sweeps need 2.8 ")) << words;
  EXPECT_TRUE(says(words, ", 1.0 MiB are free")) << words;
  std::vector<double> zero = {1, 2, 3, 0};
  const auto bad = Dense<double>::view(zero, 2);
  EXPECT_TRUE(says(words_of<InputError>([&] { matrix_on_device<double>(bad); }), "ZeroDiagonal"));
}

TEST_F(CudaDenseEmulated, ABlockThatDoesNotComeIsGivenUp) {
  settings().device.shared_per_block = 40 << 10;
  const DenseCase<double> c(100, by_rows, 0);
  const auto sweeper = matrix_on_device<double>(c.a, {plain(), "on-chip"});
  sweeper->load(c.b, c.x);
  settings().deaf = true;
  const auto words = words_of<BackendError>([&] { sweeper->advance(make_steps(0, 3), Want::update); });
  EXPECT_TRUE(says(words, "gave up")) << words;
}

TEST_F(CudaDenseEmulated, ADeviceThatIsLostIsAnError) {
  const DenseCase<double> c(33, by_rows, 0);
  const auto sweeper = matrix_on_device<double>(c.a, {plain(), "fused"});
  sweeper->load(c.b, c.x);
  settings().fail_after = counts().launches + 2;
  EXPECT_THROW(sweeper->advance(make_steps(0, 5), Want::update), BackendError);
}

}  // namespace
}  // namespace jacobi::test
