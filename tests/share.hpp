/// How much is run where everything takes longer: with a sanitizer, or on an emulated processor.
#pragma once

#ifndef JACOBI_TEST_SHARE
#define JACOBI_TEST_SHARE 1  // every so-manieth run of a ladder is made
#endif

namespace jacobi::test {

/// So many of n random cases: a quarter there.
constexpr unsigned drawn(unsigned n) { return JACOBI_TEST_SHARE > 1 ? n / 4 : n; }

}  // namespace jacobi::test
