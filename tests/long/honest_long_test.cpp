/// A million small systems: no report, proof or bound says what is not so. (JACOBI_DRAWS=1000: as many per
/// test.)
#include <gtest/gtest.h>

#include "honest/commands.hpp"
#include "honest/diagnoses.hpp"
#include "honest/solves.hpp"

namespace jacobi::honest {
namespace {

constexpr unsigned beyond = 100;  // the shards of the short form

class HonestMillion : public testing::TestWithParam<unsigned> {};

TEST_P(HonestMillion, Solves) { draw_solves(beyond + GetParam(), 50'000); }
TEST_P(HonestMillion, ChoicesOfMethodAuto) { draw_autos(beyond + GetParam(), 5'000); }
TEST_P(HonestMillion, ProvedBounds) { draw_bounds(beyond + GetParam(), 5'000); }
TEST_P(HonestMillion, Diagnoses) { draw_diagnoses(beyond + GetParam(), 2'500); }

INSTANTIATE_TEST_SUITE_P(Draws, HonestMillion, testing::Range(0u, 16u));

}  // namespace
}  // namespace jacobi::honest
