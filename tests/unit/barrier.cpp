/// Threads that wait for each other: awake, and asleep where one comes late.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/event_count.hpp"

namespace jacobi {
namespace {

using namespace std::chrono_literals;

template <class Body>
void on_threads(int count, Body&& body) {
  std::vector<std::thread> threads;
  for (int k = 0; k < count; ++k) threads.emplace_back([&, k] { body(k); });
  for (std::thread& thread : threads) thread.join();
}

/// More threads than cores, so that some sleep.
TEST(Barrier, LetsNobodyPassBeforeAllHaveCome) {
  constexpr int team = 9, rounds = 2000;
  Barrier barrier;
  std::atomic<int> arrived = 0, wrong = 0;
  on_threads(team, [&](int) {
    for (int round = 1; round <= rounds; ++round) {
      arrived.fetch_add(1);
      barrier.wait(team);
      if (arrived.load() < round * team) wrong.fetch_add(1);
      barrier.wait(team);
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(arrived, team * rounds);
}

TEST(Barrier, WakesThoseWhoWaitForALateOne) {
  Barrier barrier;
  std::atomic<bool> has_come = false;
  std::atomic<int> early = 0;
  on_threads(3, [&](int k) {
    if (k == 0) {
      std::this_thread::sleep_for(30ms);
      has_come = true;
    }
    barrier.wait(3);
    if (!has_come) early.fetch_add(1);
  });
  EXPECT_EQ(early, 0);
}

/// Stages beyond 32 bits too, of which sleepers watch the lower half.
TEST(EventCount, WakesThoseWhoWaitForItsStage) {
  for (const std::int64_t first : {std::int64_t{0}, std::int64_t{0xFFFFFFF0}}) {
    constexpr int stages = 500;
    EventCount a, b;
    a.reach(first);
    b.reach(first);
    std::int64_t told = 0;
    on_threads(2, [&](int k) {
      for (std::int64_t stage = first + 1; stage <= first + stages; ++stage) {
        if (k == 0) {
          if (stage % 50 == 0) std::this_thread::sleep_for(1ms);
          told = stage;  // seen by the other thread, since that waits
          a.reach(stage);
          b.wait_for(stage);
        } else {
          a.wait_for(stage);
          EXPECT_EQ(told, stage);
          b.reach(stage);
        }
      }
    });
    EXPECT_EQ(a.now(), first + stages);
  }
}

}  // namespace
}  // namespace jacobi
