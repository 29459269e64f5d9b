/// Random numbers from a fixed seed.
#pragma once
#include <random>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Index integer(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  template <class T>
  std::vector<T> vector(Index n, double low = -1, double high = 1) {
    std::vector<T> v(static_cast<std::size_t>(n));
    for (T& value : v) value = static_cast<T>(real(low, high));
    return v;
  }
  std::mt19937_64& engine() { return engine_; }

 private:
  std::mt19937_64 engine_;
};

/// n values in [low, high).
template <class T>
std::vector<T> random_values(Index n, double low, double high, unsigned seed) {
  return Random(seed).vector<T>(n, low, high);
}

}  // namespace jacobi::test
