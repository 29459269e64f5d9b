/// How much is run where everything takes longer: with a sanitizer, or on an emulated processor.
#pragma once

#ifndef JACOBI_TEST_SHARE
#define JACOBI_TEST_SHARE 1  // every so-manieth run of a ladder is made
#endif

namespace jacobi::test {

/// So many of n random cases: half with the address sanitizer, a quarter where it is slower still.
constexpr unsigned drawn(unsigned n) {
  return JACOBI_TEST_SHARE > 5 ? n / 4 : JACOBI_TEST_SHARE > 1 ? n / 2 : n;
}

}  // namespace jacobi::test
