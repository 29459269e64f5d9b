/// Time as it is measured everywhere: steady, in seconds.
#pragma once
#include <chrono>

namespace jacobi {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace jacobi
