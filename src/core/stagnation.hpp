#pragma once
#include <algorithm>
#include <functional>
#include <utility>

#include "jacobi/types.hpp"

namespace jacobi {

/// Tells a norm that stands still from one that falls slowly. Over a window of sweeps longer than any transit
/// through the unknowns, it stands when its 2-norm did not move at all (a cycle of iterates), or when it
/// found no new minimum, for an eighth of all sweeps as well, and lies at the size of rounding. A contraction
/// of 1 - 1e-9 moves it by 1e-6 per 1000 sweeps, a thousand times what counts as standing. A largest entry
/// may honestly rest for long (an interior that the sides have not reached yet), so it is never taken for a
/// cycle.
class Stagnation {
 public:
  /// All that is known of the norms so far.
  struct Seen {
    Index window;
    Index start = 0, checks = 0;
    bool near_floor = false;  ///< in this window, whose floor is asked for once
    bool transit_is_known = false;
    double least = 1e308, least_at_start = 1e308, low = 0, high = 0, nearest = 0;
    Index mark = 8192;  ///< sweeps after which wanders() has looked last, or looks first
    double least_at_mark = 1e308;
  };

  /// transit: asked once, after the first `window` sweeps.
  Stagnation(std::function<Index()> transit, Index window) : transit_(std::move(transit)), at_{window} {}

  const Seen& seen() const { return at_; }
  void take(const Seen& seen) { at_ = seen; }

  /// After each check; floor() is asked only where it matters.
  bool stands(Index sweeps, double norm, double l2, const std::function<double()>& floor) {
    const double before = at_.least;
    at_.least = std::min(at_.least, norm);
    at_.low = std::min(at_.low, l2);
    at_.high = std::max(at_.high, l2);
    at_.nearest = std::min(at_.nearest, norm);
    if (at_.checks++ == 0) open(sweeps, norm, l2, before);
    const double length = static_cast<double>(sweeps - at_.start);
    if (at_.checks < 8 || sweeps - at_.start < at_.window) return false;
    if (transit_ && !std::exchange(at_.transit_is_known, true)) {
      at_.window = std::max(at_.window, 4 * transit_());
      if (sweeps - at_.start < at_.window) return false;
    }
    const bool still = at_.high - at_.low <= 1e-12 * length * at_.high;
    const bool no_progress = at_.least > at_.least_at_start * (1 - 1e-9 * length);
    at_.near_floor = !still && no_progress && (at_.near_floor || at_.nearest <= 100 * floor());
    if (at_.near_floor && length < 0.125 * static_cast<double>(sweeps)) return false;  // the window grows
    at_.checks = 0;
    return still || std::exchange(at_.near_floor, false);
  }

  /// Of a method that lets the norm rise and fall without a bound: whether the least norm fell by less than 3
  /// % in the last three quarters of all sweeps, of tens of thousands.
  bool wanders(Index sweeps) {
    if (sweeps < (at_.least_at_mark == 1e308 ? at_.mark : 4 * at_.mark)) return false;
    const bool rests = at_.least > 0.97 * at_.least_at_mark && at_.least_at_mark < 1e308;
    at_.mark = sweeps;
    at_.least_at_mark = at_.least;
    return rests;
  }

 private:
  void open(Index sweeps, double norm, double l2, double least_before) {
    at_.start = sweeps;
    at_.low = at_.high = l2;
    at_.nearest = norm;
    at_.least_at_start = std::min(least_before, norm);
  }

  std::function<Index()> transit_;
  Seen at_;
};

}  // namespace jacobi
