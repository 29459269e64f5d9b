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
  /// transit: asked once, after the first `window` sweeps.
  Stagnation(std::function<Index()> transit, Index window) : transit_(std::move(transit)), window_(window) {}

  /// After each check; floor() is asked only where it matters.
  bool stands(Index sweeps, double norm, double l2, const std::function<double()>& floor) {
    const double before = least_;
    least_ = std::min(least_, norm);
    low_ = std::min(low_, l2);
    high_ = std::max(high_, l2);
    nearest_ = std::min(nearest_, norm);
    if (checks_++ == 0) open(sweeps, norm, l2, before);
    const double length = static_cast<double>(sweeps - start_);
    if (checks_ < 8 || sweeps - start_ < window_) return false;
    if (transit_) {
      window_ = std::max(window_, 4 * std::exchange(transit_, nullptr)());
      if (sweeps - start_ < window_) return false;
    }
    const bool still = high_ - low_ <= 1e-12 * length * high_;
    const bool no_progress = least_ > least_at_start_ * (1 - 1e-9 * length);
    near_floor_ = !still && no_progress && (near_floor_ || nearest_ <= 100 * floor());
    if (near_floor_ && length < 0.125 * static_cast<double>(sweeps)) return false;  // the window grows
    checks_ = 0;
    return still || std::exchange(near_floor_, false);
  }

 private:
  void open(Index sweeps, double norm, double l2, double least_before) {
    start_ = sweeps;
    low_ = high_ = l2;
    nearest_ = norm;
    least_at_start_ = std::min(least_before, norm);
  }

  std::function<Index()> transit_;
  Index window_;
  Index start_ = 0;
  Index checks_ = 0;
  bool near_floor_ = false;  ///< in this window, whose floor is asked for once
  double least_ = 1e308, least_at_start_ = 1e308, low_ = 0, high_ = 0, nearest_ = 0;
};

}  // namespace jacobi
