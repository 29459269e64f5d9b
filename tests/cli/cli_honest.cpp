/// The command line's own promises on small random systems: the method that it chooses, and the proved bound
/// of the largest error. (JACOBI_SEED and JACOBI_DRAWS as in honest_converged.cpp.)
#include <gtest/gtest.h>

#include "honest/commands.hpp"

namespace jacobi {
namespace {

class HonestCommands : public testing::TestWithParam<unsigned> {};

TEST_P(HonestCommands, ProvedBoundsHoldWhateverTheIterate) { honest::draw_bounds(GetParam(), 1000); }
TEST_P(HonestCommands, MethodAutoSaysOnlyWhatExtendedPrecisionConfirms) {
  honest::draw_autos(GetParam(), 500);
}

INSTANTIATE_TEST_SUITE_P(Draws, HonestCommands, testing::Range(0u, 4u));

}  // namespace
}  // namespace jacobi
