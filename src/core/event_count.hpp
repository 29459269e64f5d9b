/// Waiting of threads that work together.
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <thread>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "core/ticks.hpp"

namespace jacobi {

/// Ticks that this thread has waited for others, awake and in all.
struct Waited {
  std::int64_t awake = 0, all = 0;
};
inline thread_local Waited waited;

/// How far one thread has come, for those that wait for it; everything before is visible to them (an event
/// count: Reed and Kanodia, Synchronization with eventcounts and sequencers, 1979).
///
/// Who waits looks for some tens of microseconds, then sleeps in the kernel. A core whose thread sleeps is
/// free: the system moves the thread that is waited for there, where another process has taken its own core.
class EventCount {
 public:
  void reach(std::int64_t stage) {
    stage_.store(stage);  // before sleepers_ is read, in one order for all threads
    if (sleepers_.load() > 0) wake();
  }

  /// For one that is waited for: everything before is visible.
  std::int64_t reached() const { return stage_.load(std::memory_order_acquire); }
  /// Threads that wait asleep.
  int sleepers() const { return sleepers_.load(std::memory_order_relaxed); }
  std::int64_t now() const { return stage_.load(std::memory_order_relaxed); }

  void wait_for(std::int64_t stage) {
    if (reached() >= stage) return;
    const std::int64_t begin = ticks();
    const bool came = comes_soon(stage);
    const std::int64_t looked = ticks() - begin;
    waited.awake += looked;
    if (came) {
      waited.all += looked;
      return;
    }
    sleepers_.fetch_add(1);
    for (std::int64_t now = stage_.load(); now < stage; now = stage_.load()) sleep_at(now);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    waited.all += ticks() - begin;
  }

 private:
  static constexpr int awake = 1000;  ///< looks: 10 to 50 us

  bool comes_soon(std::int64_t stage) const {
    for (int looks = 0; looks < awake; ++looks) {
      if (reached() >= stage) return true;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      asm volatile("yield");
#endif
    }
    return false;
  }

#if defined(__linux__)
  /// The half of the stage that changes whenever it does.
  int* word() {
    constexpr int low = std::endian::native == std::endian::little ? 0 : 1;
    return reinterpret_cast<int*>(&stage_) + low;
  }
  /// Returns at once where the stage is no longer this one.
  void sleep_at(std::int64_t seen) {
    ::syscall(SYS_futex, word(), FUTEX_WAIT_PRIVATE, static_cast<int>(seen), nullptr, nullptr, 0);
  }
  void wake() {
    ::syscall(SYS_futex, word(), FUTEX_WAKE_PRIVATE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
  }
#else
  void sleep_at(std::int64_t) { std::this_thread::yield(); }
  void wake() {}
#endif

  alignas(64) std::atomic<std::int64_t> stage_ = 0;
  std::atomic<int> sleepers_ = 0;
};

/// A barrier for sweeps of microseconds.
class Barrier {
 public:
  /// Returns when `team` threads have called it; everything before is visible after.
  void wait(int team) {
    const std::int64_t next = phase_.now() + 1;
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < team) return phase_.wait_for(next);
    arrived_.store(0, std::memory_order_relaxed);
    phase_.reach(next);
  }

 private:
  alignas(64) std::atomic<int> arrived_ = 0;
  EventCount phase_;
};

}  // namespace jacobi
