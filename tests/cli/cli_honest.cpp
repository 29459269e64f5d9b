/// The command line's own promises on small random systems: the method that it chooses, and the proved bound
/// of the largest error. (JACOBI_SEED and JACOBI_DRAWS as in honest_converged.cpp.)
#include <gtest/gtest.h>

#include "honest/commands.hpp"

namespace jacobi::honest {
namespace {

class HonestCommands : public testing::TestWithParam<unsigned> {};

TEST_P(HonestCommands, ProvedBoundsHoldWhateverTheIterate) { draw_bounds(GetParam(), 1000); }
TEST_P(HonestCommands, MethodAutoSaysOnlyWhatExtendedPrecisionConfirms) { draw_autos(GetParam(), 500); }

/// Draws of the long form that showed a fault: residuals that vanished in other units, or were called 0
/// without a proof, norms of a multigrid sweep that overflowed.
TEST(HonestCommandsAgain, DrawsThatOnceShowedAFault) {
  Counts counts;
  for (const unsigned seed :
       {104'003'940u, 107'000'223u, 107'003'351u, 108'000'689u, 112'001'016u, 114'000'491u})
    draw_autos_from(seed, 1, counts);
}

INSTANTIATE_TEST_SUITE_P(Draws, HonestCommands, testing::Range(0u, 4u));

}  // namespace
}  // namespace jacobi::honest
