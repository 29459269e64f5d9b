/// The fastest of several ways to the same bits, found while they are used.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/clock.hpp"
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// Finds the fastest of a few ways while they are used: after a first run they run in turn, three times, for
/// at least two sweeps and 0.1 ms, 0.2 if called for enough at once (a call wakes the threads), or, where a
/// sweep takes 2 ms, for one sweep (or `together`, where sweeps differ by turns); one that takes a quarter
/// more than the fastest is not run again. The first stays unless another one's best run is 2 % shorter.
class WayTrial {
 public:
  static constexpr std::size_t most = 8;  ///< ways; memory of its own would be allocated for every copy
  WayTrial() = default;
  explicit WayTrial(std::size_t ways, std::size_t together = 1)
      : ways_(std::min(ways, most)), round_(ways > 1 ? 0 : rounds + 1), together_(together) {
    least_.fill(std::numeric_limits<double>::infinity());
  }

  std::size_t way() const { return way_; }
  bool made() const { return round_ > rounds; }
  /// Sweeps to make before took() is told, of so many to come.
  std::size_t sweeps(std::size_t to_come) const {
    return made() ? to_come : std::min(to_come, sweeps_ > 0 ? sweeps_ : enough_);
  }
  void took(std::size_t sweeps, double seconds) {
    if (made() || sweeps == 0) return;
    sweeps_ += sweeps;
    seconds_ += seconds;
    const double here = seconds_ / static_cast<double>(sweeps_);
    const bool is_long = here >= 2e-3 && sweeps_ >= together_;
    if (!is_long && (sweeps_ < 2 || seconds_ < 1e-4)) return;
    sweeps_ = 0;
    seconds_ = 0;
    enough_ = is_long ? together_ : static_cast<std::size_t>(std::ceil(2e-4 / here));
    if (round_ == 0) {  // nothing was in cache
      round_ = 1;
      return;
    }
    least_[way_] = std::min(least_[way_], here);
    const auto best = std::min_element(least_.begin(), least_.begin() + ways_);
    do {
      if (++way_ < ways_) continue;
      way_ = 0;
      ++round_;
    } while (!made() && std::isfinite(least_[way_]) && least_[way_] > 1.25 * *best);
    if (made() && *best < 0.98 * least_[0]) way_ = static_cast<std::size_t>(best - least_.begin());
  }

 private:
  static constexpr int rounds = 3;
  std::array<double, most> least_{};  ///< seconds of a sweep
  std::size_t ways_ = 0;
  int round_ = rounds + 1;
  std::size_t together_ = 1;
  std::size_t way_ = 0, sweeps_ = 0, enough_ = 1;  ///< enough_: sweeps of the last way that take 0.2 ms
  double seconds_ = 0;
};

/// Makes steps by the ways that are to be tried; those left go by the one chosen.
template <class Sweep>
std::span<const Step> find_way(WayTrial& trial, std::span<const Step> steps, Sweep&& sweep) {
  while (!trial.made() && !steps.empty()) {
    const auto part = steps.first(trial.sweeps(steps.size()));
    const Clock::time_point begin = Clock::now();
    sweep(part);
    trial.took(part.size(), seconds_since(begin));
    steps = steps.subspan(part.size());
  }
  return steps;
}

}  // namespace jacobi::sweep
