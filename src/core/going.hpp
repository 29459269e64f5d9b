/// What an iteration needs to go on, and its place in a snapshot.
#pragma once
#include <algorithm>
#include <span>

#include "core/cadence.hpp"
#include "core/clock.hpp"
#include "core/history.hpp"
#include "core/kept.hpp"
#include "core/stagnation.hpp"
#include "jacobi/method.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Numbers that decide how an iteration goes on, beside what its norms were.
struct Going {
  Going(Index sweeps_at_once, bool looks_back) : bundle_(sweeps_at_once), looks_back_(looks_back) {}

  // NOLINTBEGIN(readability-identifier-naming): members of the one class that inherits them
  Bundle bundle_;
  Recheck recheck_;
  Step before_;
  Index look_ = 2;  ///< sweeps to look back over: 1 after one of them could have ended the iteration
  Index done_ = 0, resumed_at_ = 0;
  Index next_check_ = 0, check_every_ = 0;
  Index checks_ = 0;
  double norm_initial_ = 0, norm_ = 0, least_ = 0;
  double grown_ = 1;  ///< most that the norm has exceeded its least value, as a factor
  bool checked_ = true;
  bool looks_back_;  ///< an accelerated method has more than the iterate to go back to
  bool stands_ = false;
  // NOLINTEND(readability-identifier-naming)
};

inline void keep(const Going& going, const Stagnation& stagnation, const History& history,
                 Snapshot& snapshot) {
  keep_value(snapshot, "loop", going);
  keep_value(snapshot, "stagnation", stagnation.seen());
  keep_value(snapshot, "count", history.count());
  keep_values(snapshot, "history", std::span<const HistoryEntry>(history.entries()));
}

/// Throws: InputError where the snapshot is of something else.
inline void take(const Snapshot& snapshot, Going& going, Stagnation& stagnation, History& history) {
  Stagnation::Seen seen = stagnation.seen();
  History::Count count;
  take_value(snapshot, "loop", going);
  take_value(snapshot, "stagnation", seen);
  take_value(snapshot, "count", count);
  stagnation.take(seen);
  going.resumed_at_ = going.done_;
  history.take(count, kept_values<HistoryEntry>(snapshot, "history"));
}

/// When a snapshot is taken.
class Keeping {
 public:
  explicit Keeping(const Stop& stop) : stop_(stop) {}

  /// fill(snapshot) where one is due: after a while, as agree(due) says for all who sweep together, or at the
  /// end by a limit.
  template <class Agree, class Fill>
  void where_due(bool ended, Status status, Agree&& agree, Fill&& fill) {
    constexpr double often_enough = 600;  // seconds
    const double every = stop_.keep_every > 0 ? stop_.keep_every : std::max(often_enough, 100 * took_);
    const bool by_limit =
        status == Status::sweep_limit || status == Status::time_limit || status == Status::interrupted;
    if (!stop_.keep || !(ended ? by_limit : agree(seconds_since(last_) >= every))) return;
    const Clock::time_point begin = Clock::now();
    Snapshot snapshot;
    fill(snapshot);
    stop_.keep(snapshot);
    last_ = Clock::now();
    took_ = seconds_since(begin);
  }

 private:
  const Stop& stop_;
  Clock::time_point last_ = Clock::now();
  double took_ = 0;
};

}  // namespace jacobi
