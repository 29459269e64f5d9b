/// What a report says of norms that stand, and of rows that a norm does not see.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "core/tested_norm.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"

namespace jacobi {

/// Of steps that multiply rounding errors, or carry them along, and what to do.
inline std::string why_above_floor(const Plan& plan, bool is_dominant) {
  const Method& method = plan.method;
  if (plan.multigrid)
    return "the cycles do not contract, or too slowly to be seen; take method cg, preconditioned by cycles";
  if (method.growth > 1)
    return fmt::format(
        "a schedule of {} weights lets rounding errors grow up to {:.1e} times: take a shorter period "
        "or another order, or method chebyshev or cg",
        method.period, method.growth);
  if (method.rate > 0 && !accelerated(method))
    return "three-term steps carry rounding errors along, and hold them there: take method cg or multigrid";
  if (is_dominant)
    return "the iteration does not contract, or too slowly to be seen, although A is strictly dominant: "
           "rounding errors of unknowns that differ in size may hold it there";
  if (method.divisor == Divisor::l1 || accelerated(method))
    return "the iteration does not contract, or too slowly to be seen: A may be singular, or nearly so, and "
           "the right-hand side have no solution, or A has eigenvalues all around 0, or is so far from "
           "normal "
           "that norms grow long before they fall";
  return "the iteration does not contract, or too slowly to be seen: D^-1 A has an eigenvalue at or near "
         "2 / omega, where a smaller weight helps, or 0, where none does; or it is so far from normal that "
         "rounding errors grow before they fall";
}

/// reached: the norm tested, of an update D^-1 (b - A x) instead; floor, of_rhs: of rounding and of the
/// right-hand side, in the norm tested and, as the report, in units of 2^unit.
inline std::string why_stagnated(const Report& report, const Plan& plan, double reached, double floor,
                                 double of_rhs, bool is_dominant, int unit) {
  const Method& method = plan.method;
  const bool sweeps = !accelerated(method) && !plan.multigrid && method.rate == 0 && !(method.growth > 1);
  if (reached > 100 * floor && sweeps && reached < 1e-3 * report.norm_initial)
    return fmt::format(
        "the norm fell to {:.1e} of its start and stands there, {:.0e} times what one sweep rounds: rounding "
        "errors of many sweeps add up where D^-1 A has an eigenvalue near 2 / omega, where a smaller weight "
        "helps, or near 0, where b may also have a part that no x meets",
        reached / report.norm_initial, reached / floor);
  if (reached > 100 * floor)
    return fmt::format("the norm stands far above rounding ({:.1e}): {}", std::ldexp(floor, unit),
                       why_above_floor(plan, is_dominant));
  if (!is_dominant && of_rhs > 0 && floor > 0.01 * of_rhs)
    return "the iterate has grown until A x hides the right-hand side in rounding: A is singular, or nearly "
           "so, and there may be no solution";
  const bool hidden = is_update(report.norm) && report.update_norm && *report.update_norm <= report.tolerance;
  return fmt::format("rounding in {} can hold this norm up to about {:.1e}{}", report.precision,
                     std::ldexp(floor, unit),
                     hidden ? "; the updates were rounded below the tolerance, so the norm given is that of "
                              "D^-1 (b - A x) from scratch"
                            : "");
}

/// Converged to a small part of the first norm, and a row does not hold at all.
inline bool leaves_a_row(const Report& report) {
  return report.converged() && report.backward_error > 0.1 && report.tolerance < 1e-3 * report.norm_initial;
}
inline std::string row_left(const Report& report) {
  return fmt::format(
      "the backward error is {:.1e}: a row, far smaller than others, does not hold at all, which the norm "
      "tested "
      "does not see; ask for a smaller tolerance, or divide each row by its largest entry",
      *report.backward_error);
}

/// The last iterate, of this norm, is lost; that of the one it began from is `back`.
inline std::string thrown_away(double norm, bool is_finite, double back) {
  const bool has_norm = is_finite && std::isfinite(norm);
  return fmt::format(
      "the last iterate, {} {}, was thrown away: the one that it began from is returned, whose norm is "
      "{:.3g}",
      is_finite || !std::isfinite(norm) ? "whose norm" : "an entry of which",
      has_norm ? fmt::format("is {:.3g}", norm) : "is not finite", back);
}

/// What becomes of rows that differ in size by so much, where the caller left the choice of the norm open or
/// chose one of b - A x.
inline std::string differing_rows(double spread, bool is_left_open) {
  return fmt::format(
      "rows differ in size by a factor of {:.1e}: {}", spread,
      is_left_open
          ? "each is tested in its own units (norm scaled-residual)"
          : "the residual's norm sees the large ones only; norm scaled-residual takes each in its own units");
}

}  // namespace jacobi
