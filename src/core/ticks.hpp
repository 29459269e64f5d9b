/// The processor's clock, read in some nanoseconds.
#pragma once
#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace jacobi {

/// Of a steady pace that is not told: for ratios of times.
inline std::int64_t ticks() {
#if defined(__x86_64__)
  return static_cast<std::int64_t>(__rdtsc());
#elif defined(__aarch64__)
  std::int64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

}  // namespace jacobi
