/// Sweeps that stay in the local memory of a group have the bits of rung 0.
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClOnChip = OnDevice;

/// Of all sides and coefficients, every kind of step.
template <class T, int D>
void expect_on_chip(const std::array<Index, D>& n) {
  for (int sides = 0; sides < kind_variants; ++sides)
    for (int coefficients = 0; coefficients < coefficient_kinds<D>; ++coefficients) {
      const auto a = case_operator<T, D>(n, coefficients, sides);
      const auto sweeper = on_device(a, {plain(), "on-chip"});
      EXPECT_EQ(differences(a, *sweeper, {1, 2, 9}), 0) << sides << " " << coefficients;
      EXPECT_EQ(sweeper->executed().rung, "on-chip");
    }
}
TEST_F(OpenClOnChip, HasTheBitsOfRung0In1D) { expect_on_chip<double, 1>({700}); }
TEST_F(OpenClOnChip, HasTheBitsOfRung0In2D) {
  expect_on_chip<double, 2>({20, 17});
  if (compiles_at_once()) expect_on_chip<float, 2>({20, 17});
}
TEST_F(OpenClOnChip, HasTheBitsOfRung0In3D) {
  if (compiles_at_once()) expect_on_chip<double, 3>({6, 5, 4});
}

/// A call goes on from the two iterates that the one before left.
TEST_F(OpenClOnChip, GoesOnWithThreeTermStepsFromCallToCall) {
  const auto a = case_operator<double, 1>({300}, 0, 1);
  const auto b = random_values<double>(300, -1, 1, 3), x = random_values<double>(300, -1, 1, 4);
  const auto right = rung_0(a), sweeper = on_device(a, {plain(), "on-chip"});
  const auto steps = make_steps(2, 9);
  std::vector<double> expected(300), got(300);
  for (Sweeper<double>* one : {right.get(), sweeper.get()}) {
    one->load(b, x);
    for (std::size_t first = 0; first < 9; first += 3)
      one->advance(std::span(steps).subspan(first, 3), Want::update);
  }
  right->store(expected);
  sweeper->store(got);
  EXPECT_TRUE(same_bits(expected, got));
  EXPECT_EQ(sweeper->norms(Want::update).max, right->norms(Want::update).max);
  expect_norms(*right, *sweeper, b, x, 1e-13);
}

TEST_F(OpenClOnChip, IsTakenForProblemsIn1DThatAGroupHolds) {
  EXPECT_EQ(rung_of(poisson<double, 1>({1000})), "on-chip");
  EXPECT_EQ(rung_of(batch(poisson<double, 1>({100}), 50)), "on-chip");
  EXPECT_EQ(rung_of(poisson<double, 1>({1000}), in_groups({16, 1, 1}, "classic")), "classic");
  EXPECT_EQ(rung_of(poisson<double, 1>({2000})), "classic");
  EXPECT_EQ(rung_of(poisson<double, 2>({20, 20})), "classic");
  const auto large = poisson<double, 1>({2000});
  EXPECT_TRUE(says(words_of<UsageError>([&] { on_device(large, {plain(), "on-chip"}); }), "local memory"));
}

/// 50 problems, of which a group has some.
TEST_F(OpenClOnChip, HasTheBitsOfRung0OfABatch) {
  for (const Index n : {100, 1000}) {
    const auto a = batch(poisson<double, 1>({n}), 50);
    const auto sweeper = on_device(a);
    EXPECT_EQ(differences(a, *sweeper, {1, 6}), 0) << sweeper->executed().blocking;
    EXPECT_TRUE(says(sweeper->executed().blocking, n == 100 ? "13 problems" : "1 problem"))
        << sweeper->executed().blocking;
  }
}

}  // namespace
}  // namespace jacobi::test
