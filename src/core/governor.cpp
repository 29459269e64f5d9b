#include "core/governor.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "core/team_pool.hpp"
#include "core/teams.hpp"
#include "core/ticks.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

constexpr double seconds_looked_at = 2e-3, seconds_tried = 4e-3;
constexpr double enough_work = 0.625;  // of the caller's time at work: fewer threads are not tried
constexpr double worth_fewer = 1.02;   // of a sweep's time, up to which fewer threads are kept
constexpr double worth_more = 0.93;    // of a sweep's time, for which more threads are taken
constexpr double longest_pause = 3.2, per_trial = 32;
constexpr double read_clocks =
    5e-5;  // seconds of a call for which a look at the processor's clock is nothing

std::atomic<bool>& teams_fixed() {
  static std::atomic<bool> fixed = [] {
    const char* const asked = std::getenv("JACOBI_TEAMS");
    if (!asked || !*asked) return false;
    if (std::string_view(asked) != "fixed")
      throw UsageError(std::string("JACOBI_TEAMS='") + asked + "': it may be 'fixed', or not set");
    return true;
  }();
  return fixed;
}

double processor_seconds() {
  timespec t{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Read again after 10 ms: sweepers may be made and used within microseconds.
int free_cores_now() {
  thread_local int cores = 0;
  thread_local Clock::time_point read;
  if (const Clock::time_point now = Clock::now(); cores == 0 || now - read > std::chrono::milliseconds(10)) {
    cores = free_cores(TeamPool::of_this_thread().awake());
    read = now;
  }
  return cores;
}

}  // namespace

void fix_teams(bool fixed) { teams_fixed() = fixed; }

void Governor::begin(int free_cores) {
  team_ = std::max(1, free_cores);
  blind_.next = blind_.length;
}

void Governor::Pause::lengthen(double now, double took) {
  length = std::min(longest_pause, 2 * length);
  next = now + std::max(length, per_trial * took);
}

void Governor::turn_to(int team) {
  team_ = team;
  seconds_ = worked_ = 0;
  sweeps_ = 0;
}

void Governor::judge_trial(double sweep) {
  const bool more = team_ > before_;
  const bool kept = sweep <= (more ? worth_more : worth_fewer) * sweep_;
  if (kept) {
    sweep_ = sweep;
    down_ = Pause{down_least};
    blind_ = Pause{blind_least, now_ + blind_least};
    up_ = Pause{up_least, now_ + up_least};
  } else if (more) {
    up_.lengthen(now_, seconds_);
    blind_.lengthen(now_, seconds_);
  } else {
    down_.lengthen(now_, seconds_);
  }
  turn_to(kept ? team_ : before_);
  before_ = 0;
}

void Governor::took(int asked, std::size_t sweeps, double seconds, double worked, int free) {
  if (asked <= 1) return;
  now_ += seconds;
  if (asked != most_) {  // another kind of work
    most_ = asked;
    before_ = 0;
    turn_to(std::min(team_, asked));
  }
  long_ = seconds > read_clocks;
  if (!std::exchange(warm_, true) && seconds < seconds_looked_at) return;  // nothing was in cache
  seconds_ += seconds;
  worked_ += worked;
  sweeps_ += sweeps;
  if (seconds_ < (before_ ? seconds_tried : seconds_looked_at)) return;
  const double sweep = seconds_ / static_cast<double>(sweeps_), share = worked_ / seconds_;
  if (before_) return judge_trial(sweep);
  sweep_ = sweep;
  const int now = team_;
  if (team_ > 1 && share < enough_work && now_ >= down_.next) {
    turn_to(std::max(1, static_cast<int>(share * team_)));  // as many as the cores that it had
    before_ = now;
  } else if (team_ < most_ && (now_ >= blind_.next || (free > team_ && now_ >= up_.next))) {
    turn_to(std::min(most_, 2 * team_));
    before_ = now;
  } else {
    turn_to(team_);
  }
}

Governed::Governed(Governor& governor, std::size_t sweeps)
    : governor_(governor), sweeps_(teams_fixed() ? 0 : sweeps) {
  TeamPool& pool = TeamPool::of_this_thread();
  if (sweeps_ > 0 && governor.is_new()) governor.begin(free_cores_now());
  most_before_ = pool.most;
  asked_before_ = std::exchange(pool.asked, 0);
  if (!teams_fixed()) pool.most = std::min(pool.most, governor.team());
  if (sweeps_ == 0) return;
  awake_ = waited.awake;
  all_ = waited.all;
  if (governor_.reads_clocks()) processor_ = processor_seconds();
  begin_ = Clock::now();
  ticks_ = ticks();
}

Governed::~Governed() {
  TeamPool& pool = TeamPool::of_this_thread();
  const int asked = pool.asked;
  pool.most = most_before_;
  pool.asked = std::max(asked, asked_before_);
  if (sweeps_ == 0 || asked <= 1) return;
  const double seconds = seconds_since(begin_);
  const auto share = [&](std::int64_t waiting) {
    return static_cast<double>(waiting) / static_cast<double>(std::max<std::int64_t>(1, ticks() - ticks_));
  };
  const double worked = processor_ > 0
                            ? processor_seconds() - processor_ - share(waited.awake - awake_) * seconds
                            : (1 - share(waited.all - all_)) * seconds;
  governor_.took(asked, sweeps_, seconds, std::clamp(worked, 0.0, seconds),
                 governor_.has_fewer() ? free_cores_now() : 0);
}

}  // namespace jacobi
