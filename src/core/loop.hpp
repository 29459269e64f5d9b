/// The one iteration loop: knows sweeps, norms and limits, and no operator, method or hardware.
#pragma once
#include <functional>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"

namespace jacobi {

/// Sweeps that the loop hands over between two looks at the clock, however short they are.
inline constexpr Index most_sweeps_at_once = 4096;

/// What a clock says, and whether whoever looks at it wants to stop.
struct Moment {
  double seconds = 0;
  bool stop = false;
};

/// What the loop asks of whoever owns operator and vectors; each costs a pass and is called rarely.
struct Yardstick {
  std::function<double()> reference;  ///< the norm that Reference::rhs means
  /// Norm of b - A x, or of D^-1 (b - A x) where updates are tested, of the current iterate, from scratch:
  /// none of it rounding, but where it is below a tolerance whatever rounding makes of it.
  std::function<double(double)> residual;
  /// Whether b - A x is exactly 0.
  std::function<bool()> vanishes;
  std::function<double()> lost;               ///< how far underflow may have put the residual's norm off
  double initial = 0;                         ///< that of the initial iterate
  std::function<double()> floor;              ///< size of that norm when it is made of rounding alone
  std::function<bool(double)> floor_exceeds;  ///< a limit: often for less
  double doubtful = 0;                        ///< share of the floor by which the residual may be off
  std::function<Index()>
      transit;          ///< sweeps in which every unknown can have felt every other one; may be none
  Index window = 1000;  ///< sweeps at least over which a norm has to stand still
  /// What all who sweep together take for the moment; none: there are no others.
  std::function<Moment(Moment)> agree = {};
  Moment agreed(double seconds, bool stop = false) const {
    return agree ? agree({seconds, stop}) : Moment{seconds, stop};
  }
  bool first_grows = false;  ///< what the norm grows by in the first cycle tells nothing
};

/// Sweeps until a status is known; fills the report's numbers from norm_initial to history. Returns whether
/// the last iterate is of no use: it ended by itself at a norm, of updates at one of D^-1 (b - A x), above
/// that of the start.
template <class T>
bool iterate(Sweeper<T>& sweeper, const Method& method, const Stop& stop, const Yardstick& yardstick,
             Report& report);

}  // namespace jacobi
