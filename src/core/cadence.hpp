/// How many sweeps are made at once, and when norms are computed from scratch.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/loop.hpp"
#include "jacobi/method.hpp"
#include "jacobi/stop.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// Units in which sweeps are made and checked.
struct Cadence {
  Index cycle;   ///< sweeps of a cycle; 1 where there is no tiling
  Index period;  ///< of the method's steps

  /// At least so many sweeps: whole cycles and whole periods.
  Index whole_periods(Index sweeps) const {
    const Index whole = std::lcm(cycle, period);
    return (sweeps + whole - 1) / whole * whole;
  }
  Index whole_cycles(Index sweeps) const { return std::max<Index>(1, (sweeps + cycle - 1) / cycle) * cycle; }
  /// So many sweeps or, where there is a tiling, cycles; more than can be made are as good as never.
  Index in_sweeps(Index cycles) const {
    return cycles > std::numeric_limits<Index>::max() / 4 / cycle ? std::numeric_limits<Index>::max() / 4
                                                                  : cycles * cycle;
  }
  /// Sweeps between two checks: those asked for, else so many that checks cost a hundredth, where one check
  /// costs `cost` sweeps.
  Index between_checks(const Stop& stop, double cost) const {
    return whole_periods(stop.check_every > 0 ? in_sweeps(stop.check_every)
                                              : whole_cycles(static_cast<Index>(std::ceil(100 * cost))));
  }
};

/// Bundles of sweeps, or cycles, between looks at the clock: they grow until one takes about 1/10 s, and
/// always to `least`.
class Bundle {
 public:
  explicit Bundle(Index least) : least_(least) {}
  Index next(Index wanted) const { return std::min(wanted, size_); }
  void took(Index sweeps, double seconds) {
    if (sweeps == size_ && (seconds < 0.09 || size_ < least_))
      size_ = std::min(most_sweeps_at_once, 2 * size_);
    if (seconds > 0.19 && size_ > least_) size_ /= 2;
  }

 private:
  Index least_;
  Index size_ = 1;
};

/// When to compute a norm from scratch: at once, and after a failure again when the sweeps since the first
/// one have grown by an eighth. An iteration that stands at rounding is not slowed down by it.
class Recheck {
 public:
  bool due(Index sweeps) const { return sweeps >= next_; }
  void failed(Index sweeps) {
    if (first_ < 0) first_ = sweeps;
    next_ = sweeps + std::max<Index>(1, (sweeps - first_) / 8);
  }

 private:
  Index first_ = -1;
  Index next_ = 0;
};

}  // namespace jacobi
