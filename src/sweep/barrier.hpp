#pragma once
#include <atomic>
#include <thread>

namespace jacobi::sweep {

/// A barrier for sweeps of microseconds: waits awake for some 10 to 50 us, then yields its core at every
/// look, so that more threads than free cores cost time slices and not milliseconds of spinning.
class Barrier {
 public:
  /// Returns when `team` threads have called it; everything before is visible after.
  void wait(int team) {
    const int phase = phase_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == team) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return;
    }
    for (int looks = 0; phase_.load(std::memory_order_acquire) == phase; ++looks)
      looks < 1000 ? pause() : std::this_thread::yield();
  }

 private:
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<int> phase_ = 0;
};

}  // namespace jacobi::sweep
