/// The command line's own promises on small random systems: the method that it chooses, and the proved bound
/// of the largest error. (JACOBI_SEED and JACOBI_DRAWS as in honest_converged.cpp.)
#include <gtest/gtest.h>

#include "honest/commands.hpp"

namespace jacobi::honest {
namespace {

class HonestCommands : public testing::TestWithParam<unsigned> {};

TEST_P(HonestCommands, ProvedBoundsHoldWhateverTheIterate) { draw_bounds(GetParam(), 1000); }
TEST_P(HonestCommands, MethodAutoSaysOnlyWhatExtendedPrecisionConfirms) { draw_autos(GetParam(), 500); }

INSTANTIATE_TEST_SUITE_P(Draws, HonestCommands, testing::Range(0u, 4u));

}  // namespace
}  // namespace jacobi::honest
