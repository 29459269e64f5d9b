/// Threads of our own that work together.
#pragma once
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/event_count.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// One thread of a team.
struct Member {
  int number, team;
  Barrier& barrier;
  void wait() const { barrier.wait(team); }
  /// Its share of 0 ... count - 1, contiguous, as it was touched first: the first of it, and past the last.
  std::pair<Index, Index> part(Index count) const {
    return {count * number / team, count * (number + 1) / team};
  }
  /// visit(s) for that share.
  template <class Visit>
  void share(Index count, Visit&& visit) const {
    const auto [first, last] = part(count);
    for (Index s = first; s < last; ++s) visit(s);
  }
};

/// The teams of the thread that calls: its helpers sleep between two runs, and end with that thread. Places
/// of OMP_PROC_BIND are kept. A team has one thread within another one, in a parallel region of OpenMP, and
/// in a child forked beside other threads.
class TeamPool {
 public:
  /// A function and what the function works on: no allocation may be made here.
  struct Job {
    void (*call)(void* body, const Member& me);
    void* body;
  };

  static TeamPool& of_this_thread();
  TeamPool() = default;
  TeamPool(const TeamPool&) = delete;
  TeamPool& operator=(const TeamPool&) = delete;
  ~TeamPool();

  /// The job by every member of a team at once, number 0 by the caller; returns the team's size: `threads`,
  /// or as many as may be taken and can be started.
  int run(int threads, Job job) noexcept;
  /// Starts what lacks for a team of so many threads. Returns why one could not be started, else 0.
  int grow(int threads) noexcept;
  /// Threads of the largest team that can be had without starting any more.
  int size() const { return static_cast<int>(helpers_.size()) + 1; }
  /// Helpers that still look for the next run, and are no load.
  int awake() const { return shared_ ? size() - 1 - shared_->begun.sleepers() : 0; }
  /// Whether this thread works in a team.
  bool is_busy() const { return busy_; }

  int most = std::numeric_limits<int>::max();  ///< threads of a team from now on
  int asked = 0;                               ///< the most that a team was asked for

 private:
  /// What the helpers see.
  struct Shared {
    EventCount begun, ended;
    std::atomic<int> left = 0;
    Job job{};
    Barrier barrier;
  };
  /// A run and its team in one number; a team of 0: helpers end.
  static constexpr std::int64_t most_threads = 1 << 20;
  static constexpr std::int64_t stage_of(std::int64_t run, int team) { return run * most_threads + team; }

  static void help(Shared& shared, int number, std::int64_t run);

  std::unique_ptr<Shared> shared_;
  std::vector<std::thread> helpers_;
  std::int64_t runs_ = 0;
  bool busy_ = false;
};

}  // namespace jacobi
