/// What a Norm means of a pair of Norms, and what it has to reach.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "jacobi/measure.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// The norm that is tested: automatic as the rows' sizes decide, any other as it is.
template <class A>
Norm tested_norm(const A& a, Norm norm) {
  if (norm != Norm::automatic) return norm;
  return rows_differ(a) ? Norm::scaled_residual : Norm::residual;
}

inline bool is_update(Norm norm) { return norm == Norm::update || norm == Norm::max_update; }

/// Whether rows are divided by D: of updates and scaled residuals.
inline bool is_scaled(Norm norm) { return is_update(norm) || norm == Norm::scaled_residual; }

/// What a sweeper measures for it.
inline Want want_of(Norm norm) {
  if (is_update(norm)) return Want::update;
  return norm == Norm::scaled_residual ? Want::correction : Want::residual;
}

/// What rows are divided by: D, whatever the method divides by.
inline Divisor tested_divisor(Norm norm) { return is_scaled(norm) ? Divisor::diagonal : Divisor::none; }

/// A sweep's sum of squares may have vanished: the 2-norm is never less than the largest entry.
inline double pick(const Norms& norms, Norm norm) {
  return norm == Norm::max_residual || norm == Norm::max_update || norms.l2 < norms.max ? norms.max
                                                                                        : norms.l2;
}

/// What the tested norm is relative to, and what it must fall to: a finite number, whatever is asked.
struct Target {
  Reference of = Reference::none;
  double reference = 0, tolerance = 0;
};

/// initial: the norm at the start, which stands in for a right-hand side of 0; of_rhs(): the norm of that,
/// asked where it counts.
template <class OfRhs>
Target target_of(const Stop& stop, double initial, OfRhs&& of_rhs) {
  Reference of = stop.reference;
  double reference = of == Reference::rhs ? of_rhs() : 0;
  if (of == Reference::rhs && reference == 0) of = Reference::initial;
  if (of == Reference::initial) reference = initial;
  const double tolerance = std::max(stop.absolute, stop.relative * reference);
  return {of, reference, std::min(tolerance, std::numeric_limits<double>::max())};
}

/// Sweeps that shrink a norm to `share` of itself: at least 1, which is all that a radius of 0 takes.
inline double sweeps_to(double share, double spectral_radius) {
  return std::max(1.0, std::ceil(std::log(share) / std::log(spectral_radius)));
}

/// Sweeps from one norm down to another; none where these are not known, or the radius is not below 1.
inline std::optional<double> sweeps_between(double initial, double tolerance, bool of_updates,
                                            double spectral_radius) {
  if (initial <= tolerance) return of_updates ? 1 : 0;
  if (!(tolerance > 0) || !(spectral_radius < 1) || !std::isfinite(initial)) return std::nullopt;
  return sweeps_to(tolerance / initial, spectral_radius);
}

}  // namespace jacobi
