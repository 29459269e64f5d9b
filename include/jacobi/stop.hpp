/// When a solve ends.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "jacobi/checkpoint.hpp"
#include "jacobi/export.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// The norm that is tested: of the residual b - A x_n, of the update x_n - x_(n-1), or of the scaled residual
/// D^-1 (b - A x_n), each row in its own units (D: the diagonal, whatever the method divides by);
/// the 2-norm (plain square root of the sum of squares) or, with max_, the largest magnitude. automatic:
/// residual, or scaled_residual where the rows' sizes differ too much for it (rows_differ()); a report names
/// the one taken.
enum class Norm { automatic, residual, update, max_residual, max_update, scaled_residual };
/// What the relative tolerance is relative to, in the same norm: b with the boundary values folded in (D^-1 b
/// for updates and scaled residuals), the initial norm, or nothing (then only the absolute tolerance counts).
/// Where b is 0 a solve takes the initial norm, and its report says so.
enum class Reference { rhs, initial, none };

JACOBI_API const char* name(Norm norm);  ///< as on the command line: "auto", "residual", "max-update", ...
JACOBI_API const char* name(Reference reference);  ///< "rhs", "initial", "none"

/// A look at a running solve.
struct Progress {
  Index sweeps = 0;
  double norm = 0;                     ///< at the last check
  double tolerance = 0;                ///< what the norm must fall to
  std::optional<double> contraction;   ///< observed factor per sweep
  std::optional<double> seconds_left;  ///< estimated from it, and from the limits
  double seconds = 0;
};

/// A check of a running solve.
struct Check {
  Index sweeps = 0;
  double norm = 0;       ///< tested after so many sweeps
  double tolerance = 0;  ///< what the norm must fall to
  /// Gives the iterate that the norm is of, rows values in the order and units of x; of a singular operator
  /// before its mean is fixed. To be called within the observer. Cost: a copy; of a device, a download.
  std::function<std::vector<double>()> iterate = {};
};

/// Converged as soon as norm <= max(absolute, relative * reference) at a check; the norm is computed from
/// scratch before it is said, or said not to be. An update does not decide alone, whatever the method:
/// D^-1 (b - A x_n), from scratch and in the same norm, has to meet the tolerance too. Limits and the
/// progress callback act within 0.2 s, or a sweep, 8 of a tiled rung, 64 of a batch, a cycle, where these
/// take longer.
struct Stop {
  double relative = 1e-8;
  double absolute = 0;
  Norm norm = Norm::automatic;
  /// rhs falls back to the initial norm where b is 0.
  Reference reference = Reference::rhs;
  Index max_sweeps = 10'000'000;
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Diverged where the norm exceeds its least value so many times; where convergence is proved, infinity
  /// waits for the end of any growth. Not asked before the checks are a cadence apart.
  double growth = 1e6;
  /// Sweeps (cycles, where the plan has a tiling or multigrid) between checks; 0: after 1, 2, 4, ... sweeps,
  /// then so far apart that checking costs under 1 %.
  Index check_every = 0;
  /// Sweeps (cycles) before the first check; 0: check_every, or 1 where that is 0.
  Index first_check = 0;
  /// Called every 0.1 to 0.2 s of a running solve, or after a sweep that takes longer; returning false
  /// interrupts it. May be empty.
  std::function<bool(const Progress&)> progress = {};
  /// Of a singular operator: removes from b whatever no solution exists for, its weighted mean (boundary
  /// fluxes included), however large. A note says how much, and which residual remains for b as given.
  bool project_rhs = false;
  /// Called after every check, which check_every spaces; returning false interrupts the solve. Then every
  /// check is one of the iterate: nothing is swept beyond it, and right-hand sides are solved for one by one.
  /// May be empty.
  std::function<bool(const Check&)> observe = {};
  /// Called with all that the solve needs to go on, keep_every seconds after it was last called, and where
  /// the solve ends by a limit, by `progress`, `observe` or `cancel`. Of one right-hand side. May be empty.
  /// Cost: a copy of the iterate, and of what the method carries along, in double.
  std::function<void(const Snapshot&)> keep = {};
  /// 0: after ten minutes, and no sooner than after a hundred times what the last call took.
  double keep_every = 0;
  /// Goes on from there, where solve() is given the same system and start. Iterates, norms, sweeps and
  /// history are then those of a solve without a break, on any number of threads; limits of time begin anew.
  /// Throws: InputError where the snapshot is of another solve.
  std::shared_ptr<const Snapshot> resume = {};
  /// Ends a solve as `progress` does, and a diagnosis and a binding too, which throw Interrupted.
  std::stop_token cancel = {};
};

}  // namespace jacobi
