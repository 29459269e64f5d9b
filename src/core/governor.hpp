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
/// takes no longer. Now and then twice as many are tried. Each trial that fails doubles the time to the next
/// one.
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
  /// What a call for so many threads took: seconds of it, and of them those that the caller worked.
  void took(int asked, std::size_t sweeps, double seconds, double worked);

 private:
  struct Pause {
    double next = 0, length = 0.2;  ///< seconds
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
  Pause up_, down_;
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
