/// Instruction sets forced for a while.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "jacobi/simd.hpp"

namespace jacobi::test {

/// One in force until this goes; then again what was.
class Forced {
 public:
  explicit Forced(const std::string& set) { simd::force(set); }
  ~Forced() { simd::force(before_); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

 private:
  std::string before_ = simd::chosen();
};

/// Those that this processor has, best first; where the environment asks for one, that one: whoever runs the
/// tests once for each set asks for all of them in turn.
inline std::vector<std::string> sets_to_try() {
  return std::getenv("JACOBI_SIMD") ? std::vector{simd::chosen()} : simd::usable();
}

}  // namespace jacobi::test
