/// Small matrices of every kind in any units: no proof, radius, bound or claim of a diagnosis is false.
/// (JACOBI_SEED and JACOBI_DRAWS as in honest_converged.cpp.)
#include <gtest/gtest.h>

#include "honest/diagnoses.hpp"

namespace jacobi::honest {
namespace {

class HonestDiagnosis : public testing::TestWithParam<unsigned> {};

TEST_P(HonestDiagnosis, ProvesAndClaimsOnlyWhatExtendedPrecisionConfirms) { draw_diagnoses(GetParam(), 300); }

INSTANTIATE_TEST_SUITE_P(Draws, HonestDiagnosis, testing::Range(0u, 4u));

}  // namespace
}  // namespace jacobi::honest
