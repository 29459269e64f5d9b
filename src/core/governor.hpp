/// How many threads sweep: as many as are fastest now.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/clock.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// Finds, while a sweeper sweeps, whether fewer threads are faster than all: where other processes take their
/// cores, or where a second thread costs more than it gives. Iterates do not depend on it.
///
/// The first call has as many threads as there are free cores. Then the caller's share of work is looked at:
/// of the time of a call, what the caller neither waited nor lacked a core. Where less than five eighths are
/// left of 2 ms, so many threads are tried for 4 ms as that share is of the team; they stay where a sweep
/// takes no longer. Twice as many are tried where cores are free, and now and then where none seem to be.
/// Each trial that fails doubles the time to the next one.
class Governor {
 public:
  static constexpr int all = std::numeric_limits<int>::max();

  bool is_new() const { return team_ == 0; }
  /// Before the first call: cores that nobody else seems to use.
  void begin(int free_cores);
  /// Threads for the next call, at most.
  int team() const { return team_ == 0 ? all : team_; }
  /// Whether calls are so long that a look at the processor's clock is nothing.
  bool reads_clocks() const { return long_; }
  /// Whether more threads than now were asked for, so that free cores matter.
  bool has_fewer() const { return team() < most_; }
  /// What a call for so many threads took: seconds of it, and of them those that the caller worked. free:
  /// cores that nobody else seems to use, where it has fewer.
  void took(int asked, std::size_t sweeps, double seconds, double worked, int free);

 private:
  struct Pause {
    double length;    ///< seconds
    double next = 0;  ///< of seconds swept
    void lengthen(double now, double trial);
  };

  void judge_trial(double sweep);
  void turn_to(int team);

  int most_ = 0, team_ = 0;
  int before_ = 0;  ///< while others are tried: those to return to
  bool warm_ = false, long_ = false;
  double now_ = 0;                   ///< seconds swept
  double sweep_ = 0;                 ///< seconds of one by `before_`, or by `team_` where none are tried
  double seconds_ = 0, worked_ = 0;  ///< of those looked at
  std::size_t sweeps_ = 0;
  static constexpr double down_least = 0.05, up_least = 0.01, blind_least = 0.2;
  Pause down_{down_least};
  Pause up_{up_least},
      blind_{blind_least};  ///< more are tried where cores are free; all the same now and then
};

/// Sweeps take all threads that they are asked for, whatever is faster: for measurements.
void fix_teams(bool fixed);

/// One call of a sweeper, whose teams are as large as its governor says; of no sweeps: a pass that says
/// nothing.
class Governed {
 public:
  explicit Governed(Governor& governor, std::size_t sweeps = 0);
  ~Governed();
  Governed(const Governed&) = delete;
  Governed& operator=(const Governed&) = delete;

 private:
  Governor& governor_;
  std::size_t sweeps_;
  int most_before_, asked_before_;
  Clock::time_point begin_;
  std::int64_t ticks_ = 0, awake_ = 0, all_ = 0;
  double processor_ = 0;
};

}  // namespace jacobi
