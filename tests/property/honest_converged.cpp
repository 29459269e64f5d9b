/// Ten thousand small systems of every kind, by every method, norm and precision: no report says what is not
/// so. (JACOBI_SEED=17 repeats one draw, JACOBI_DRAWS=1000 makes as many per test.)
#include <gtest/gtest.h>

#include "honest/solves.hpp"

namespace jacobi::honest {
namespace {

class Honest : public testing::TestWithParam<unsigned> {};

TEST_P(Honest, ReportsSayOnlyWhatExtendedPrecisionConfirms) { draw_solves(GetParam(), 1250); }

/// Draws of the long form that showed a fault: overflows of cg, exact starts and ends, a norm that fell below
/// rounding before it grew, entries that overflowed last, norms that vanished, residuals that vanished in
/// other units, values 300 powers of ten apart, directions of conjugate gradients that vanished.
TEST(HonestAgain, DrawsThatOnceShowedAFault) {
  Counts counts;
  for (const unsigned seed :
       {100'033'887u, 100'004'154u, 100'039'794u, 108'007'543u, 101'028'837u, 103'043'289u, 106'011'236u,
        105'001'440u, 106'001'200u, 106'039'869u, 106'022'614u, 106'035'758u, 107'021'655u, 109'018'066u,
        110'001'621u, 111'008'118u, 115'048'388u, 109'027'335u})
    draw_solves_from(seed, 1, counts);
}

INSTANTIATE_TEST_SUITE_P(Draws, Honest, testing::Range(0u, 8u));

}  // namespace
}  // namespace jacobi::honest
