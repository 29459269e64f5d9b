#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

namespace jacobi::sweep {

/// Waits awake for some 10 to 50 us, then yields its core at every look, so that more threads than free cores
/// cost time slices and not milliseconds of spinning.
template <class Ready>
void wait_until(Ready&& ready) {
  for (int looks = 0; !ready(); ++looks) {
    if (looks >= 1000) {
      std::this_thread::yield();
      continue;
    }
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
}

/// A barrier for sweeps of microseconds.
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
    wait_until([&] { return phase_.load(std::memory_order_acquire) != phase; });
  }

 private:
  alignas(64) std::atomic<int> arrived_ = 0;
  alignas(64) std::atomic<int> phase_ = 0;
};

/// How far one thread has come, for those that wait for it; everything before is visible to them.
class Progress {
 public:
  void reach(std::int64_t stage) { stage_.store(stage, std::memory_order_release); }
  void wait_for(std::int64_t stage) const {
    wait_until([&] { return stage_.load(std::memory_order_acquire) >= stage; });
  }

 private:
  alignas(64) std::atomic<std::int64_t> stage_ = 0;
};

}  // namespace jacobi::sweep
