/// How many sweeps are made at once, and when norms are computed from scratch.
#pragma once
#include <algorithm>

#include "core/loop.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

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
