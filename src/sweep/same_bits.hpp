/// Equality of values to the bit: 0 and -0 differ, and a NaN is itself.
#pragma once
#include <cstring>

namespace jacobi::sweep {

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace jacobi::sweep
