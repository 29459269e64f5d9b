/// What persistent kernels share: flags between blocks, and a watchdog that gives up after a bounded wait.
#pragma once
#include "backend/cuda/device.hpp"

namespace jacobi::cuda {

inline constexpr unsigned long long patience =
    2'000'000'000;  ///< nanoseconds that a block waits for another one

/// Waits until the flag has reached `turn`; false where it does not within `patience`.
JACOBI_DEVICE bool wait_for(const unsigned* flag, unsigned turn) {
  if (load_acquire(flag) >= turn) return true;
  const unsigned long long start = nanoseconds();
  while (nanoseconds() - start < patience) {
    nap();
    if (load_acquire(flag) >= turn) return true;
  }
  return false;
}

/// The flags of the blocks of a persistent kernel, its barrier's counter, and whether it gave up.
class Flags {
 public:
  Flags(const Stream& stream, Index blocks)
      : stream_(&stream), memory_(stream, blocks + 1), gave_up_(stream) {}
  /// Once the kernel before has ended.
  void clear() const {
    *gave_up() = 0;
    fill_with_zeros(*stream_, memory_.data(), memory_.size() * Index{sizeof(unsigned)});
  }
  unsigned* of_blocks() const { return memory_.data() + 1; }
  unsigned* counter() const { return memory_.data(); }
  unsigned* gave_up() const { return gave_up_.data(); }
  /// Waits for the kernel. Throws: BackendError where it gave up.
  void require_success() const;

 private:
  const Stream* stream_;
  Buffer<unsigned> memory_;
  HostValue<unsigned> gave_up_;
};

}  // namespace jacobi::cuda
