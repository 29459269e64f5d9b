/// Numbers that look random and depend on nothing but where they stand.
#pragma once
#include <cstdint>

namespace jacobi::sweep::amg {

/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
inline std::uint64_t hash(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// In [-1, 1).
inline double scattered(std::uint64_t x) { return static_cast<double>(hash(x) >> 11) * 0x1p-52 - 1; }

}  // namespace jacobi::sweep::amg
