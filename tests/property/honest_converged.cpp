/// Ten thousand small systems of every kind, by every method, norm and precision: no report says what is not
/// so. (JACOBI_SEED=17 repeats one draw, JACOBI_DRAWS=1000 makes as many per test.)
#include <gtest/gtest.h>

#include "honest/solves.hpp"

namespace jacobi::honest {
namespace {

class Honest : public testing::TestWithParam<unsigned> {};

TEST_P(Honest, ReportsSayOnlyWhatExtendedPrecisionConfirms) { draw_solves(GetParam(), 1250); }

INSTANTIATE_TEST_SUITE_P(Draws, Honest, testing::Range(0u, 8u));

}  // namespace
}  // namespace jacobi::honest
