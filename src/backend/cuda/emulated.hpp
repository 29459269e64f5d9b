/// What the threads of the emulated device (emulator.cpp) and its memory and queue (emulated_device.cpp)
/// share.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "backend/cuda/device.hpp"

namespace jacobi::cuda::emulator {

inline constexpr std::size_t guard_bytes = 64;
inline constexpr std::byte poison{0xFF}, guard{0xA5};  // eight 0xFF are a NaN

[[noreturn]] inline void misused(const std::string& what) {
  std::fprintf(stderr, "emulated device: %s\n", what.c_str());
  std::abort();
}

/// Memory between guards, poisoned.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes) {
    const std::size_t all = (bytes + 3 * guard_bytes - 1) / guard_bytes * guard_bytes;
    start_ = static_cast<std::byte*>(std::aligned_alloc(guard_bytes, all));
    if (!start_) throw std::bad_alloc();
    std::fill_n(start_, all, guard);
    renew();
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    check();
    std::free(start_);
  }
  std::byte* data() const { return start_ + guard_bytes; }
  std::size_t size() const { return bytes_; }
  void renew() { std::fill_n(data(), bytes_, poison); }
  void check() const {
    for (std::size_t j = 0; j < guard_bytes; ++j)
      if (start_[j] != guard || data()[bytes_ + j] != guard)
        misused("a write outside of the " + std::to_string(bytes_) + " bytes that were asked for");
  }

 private:
  std::byte* start_;
  std::size_t bytes_;
};

/// Where launches go in place of being made; null: they are made.
inline std::vector<std::function<void()>>* recording = nullptr;

}  // namespace jacobi::cuda::emulator
