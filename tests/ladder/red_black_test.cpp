/// Sweeps of one colour give, colour by colour, the bits of sweeps of all unknowns.
#include <gtest/gtest.h>

#include "instruction_sets.hpp"
#include "ladder/cases.hpp"
#include "ladder/naive_colours.hpp"
#include "ladder/run.hpp"

namespace jacobi::test {
namespace {

template <class T, int D>
std::vector<T> swept_by_colours(const Stencil<T, D>& a, int threads, const std::vector<T>& b,
                                const std::vector<T>& x, const std::vector<Step>& steps) {
  const auto sweeper = backend("threads:" + std::to_string(threads))->bind(Operator<T>(a), red_black());
  sweeper->load(b, x);
  sweeper->advance(steps, Want::nothing);
  std::vector<T> found(x.size());
  sweeper->store(found);
  EXPECT_EQ(sweeper->executed().sweeps, static_cast<Index>(steps.size()));
  return found;
}

/// Runs every case that can be coloured, every `share`-th run of it; the part of them in which `right` and
/// the colours differ. leave: so many steps are not made by the colours.
template <class T, int D>
double share_of_differences(Make<T, Stencil<T, D>> right, bool three_term, std::size_t leave = 0,
                            int share = JACOBI_TEST_SHARE) {
  std::vector<std::vector<T>> keep;
  Turns turns(share);
  int runs = 0, differences = 0;
  for (const auto& c : make_cases<T, D>(keep)) {
    if (!can_be_coloured(c.a.grid())) continue;
    turns.next_case();
    for (const Index n : {0, 1, 2, 7, 40}) {
      const auto steps = undamped_steps(three_term, n);
      std::vector<T> expected;  // of any number of threads
      for (const int threads : {1, 2, 3, 4}) {
        if (turns.leaves_out()) continue;
        if (expected.empty()) expected = coloured(*right(c.a), c.a.grid(), c.b, c.x, steps);
        const std::vector<Step> made(steps.begin(), steps.end() - std::min(leave, steps.size()));
        ++runs;
        if (!same_bits(expected, swept_by_colours(c.a, threads, c.b, c.x, made)) && differences++ == 0 &&
            leave == 0)
          ADD_FAILURE() << c.name << ", " << n << " sweeps on " << threads << " threads";
      }
    }
  }
  EXPECT_GT(runs, 20 / share);
  return static_cast<double>(differences) / runs;
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> plain_textbook(const Stencil<T, D>& a) {
  return backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
}
template <class T, int D>
std::unique_ptr<Sweeper<T>> naive_undamped(const Stencil<T, D>& a) {
  return std::make_unique<NaiveUndamped<T, D>>(a);
}

template <class T, int D>
void expect_colours_to_be_exact(int share = JACOBI_TEST_SHARE) {
  EXPECT_EQ((share_of_differences<T, D>(plain_textbook<T, D>, false, 0, share)), 0);
  EXPECT_EQ((share_of_differences<T, D>(naive_undamped<T, D>, true, 0, share)), 0);
}

TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn1DDouble) { expect_colours_to_be_exact<double, 1>(); }
TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn2DDouble) { expect_colours_to_be_exact<double, 2>(); }
TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn3DDouble) { expect_colours_to_be_exact<double, 3>(); }
TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn1DFloat) { expect_colours_to_be_exact<float, 1>(); }
TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn2DFloat) { expect_colours_to_be_exact<float, 2>(); }
TEST(RedBlackLadder, HasTheBitsOfWholeSweepsIn3DFloat) { expect_colours_to_be_exact<float, 3>(); }

TEST(RedBlackLadder, EveryInstructionSetHasTheBitsOfItsWholeSweeps) {
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    // a third, and other numbers of sweeps and threads in every case
    expect_colours_to_be_exact<double, 2>(3 * JACOBI_TEST_SHARE);
  }
}

TEST(LadderControl, ColoursThatAreASweepShortAreCaught) {
  EXPECT_GT((share_of_differences<double, 2>(plain_textbook<double, 2>, false, 1)), 0.5);
}

}  // namespace
}  // namespace jacobi::test
