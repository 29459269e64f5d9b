#include "core/notes.hpp"

#include <cmath>
#include <string>

#include "core/divides.hpp"
#include "core/tested_norm.hpp"

namespace jacobi::notes {

namespace {

/// Of steps that multiply rounding errors, or carry them along, and what to do.
std::string why_above_floor(const Plan& plan, bool is_dominant) {
  const Method& method = plan.method;
  if (plan.multigrid())
    return "the cycles do not contract, or too slowly to be seen; take method cg, preconditioned by cycles";
  if (plan.amg() && !accelerated(method))
    return "the cycles do not contract, or too slowly to be seen; take method cg, preconditioned by amg";
  if (method.growth > 1)
    return fmt::format(
        "a schedule of {} weights lets rounding errors grow up to {:.1e} times: take a shorter period or "
        "another order, or method chebyshev or cg",
        method.period, method.growth);
  if (method.rate > 0 && !accelerated(method))
    return "three-term steps carry rounding errors along, and hold them there: take method cg or multigrid";
  if (is_dominant)
    return "the iteration does not contract, or too slowly to be seen, although A is strictly dominant: "
           "rounding errors of unknowns that differ in size may hold it there";
  if (method.divisor == Divisor::l1 || accelerated(method))
    return "the iteration does not contract, or too slowly to be seen: A may be singular, or nearly so, and "
           "the right-hand side have no solution, or A has eigenvalues all around 0, or is so far from "
           "normal that norms grow long before they fall";
  return "the iteration does not contract, or too slowly to be seen: D^-1 A has an eigenvalue at or near "
         "2 / omega, where a smaller weight helps, or 0, where none does; or it is so far from normal "
         "that rounding errors grow before they fall";
}

}  // namespace

Note stagnation(const Report& report, const Plan& plan, double reached, double floor, double of_rhs,
                bool is_dominant, int unit) {
  const Method& method = plan.method;
  const bool sweeps =
      !accelerated(method) && !plan.multigrid() && !plan.amg() && method.rate == 0 && !(method.growth > 1);
  if (reached > 100 * floor && sweeps && reached < 1e-3 * report.norm_initial)
    return note(
        {Kind::stagnation,
         "the norm fell to {:.1e} of its start and stands there, {:.0e} times what one sweep rounds: "
         "rounding errors of many sweeps add up where D^-1 A has an eigenvalue near 2 / omega, where a "
         "smaller weight helps, or near 0, where b may also have a part that no x meets"},
        reached / report.norm_initial, reached / floor);
  if (reached > 100 * floor)
    return note({Kind::stagnation, "the norm stands far above rounding ({:.1e}): {}"},
                std::ldexp(floor, unit), why_above_floor(plan, is_dominant));
  if (!is_dominant && of_rhs > 0 && floor > 0.01 * of_rhs)
    return note({Kind::stagnation,
                 "the iterate has grown until A x hides the right-hand side in rounding: A is singular, "
                 "or too nearly so for {}, and there may be no solution"},
                report.precision);
  const bool hidden = is_update(report.norm) && report.update_norm && *report.update_norm <= report.tolerance;
  return note({Kind::stagnation, "rounding in {} can hold this norm up to about {:.1e}{}"}, report.precision,
              std::ldexp(floor, unit),
              hidden ? "; the updates were rounded below the tolerance, so the norm given is that of "
                       "D^-1 (b - A x) from scratch"
                     : "");
}

std::string norm_of_lost(double norm, bool is_finite) {
  if (!std::isfinite(norm)) return "whose norm is not finite";
  return is_finite ? fmt::format("whose norm is {:.3g}", norm) : "an entry of which is not finite";
}

bool leaves_a_row(const Report& report) {
  const bool is_of_rhs =
      report.reference == Reference::rhs;  // of a b of 0 every x but 0 is off by all of itself
  return report.converged() && is_of_rhs && report.backward_error > 0.1 &&
         report.tolerance < 1e-3 * report.norm_initial;
}

template <class T>
std::optional<Note> some_stand_in(const Operator<T>& matrix) {
  Index count = 0;
  std::visit(
      [&]<class A>(const A& a) {
        if constexpr (!OnGrid<A>)
          for (Index i = 0; i < a.rows(); ++i) count += !divides(a.diagonal(i));
      },
      matrix);
  if (count == 0) return {};
  const bool by_products = std::holds_alternative<MatrixFree<T>>(matrix);
  const Sentence& told = by_products ? notes::stand_ins_of_products : notes::stand_ins;
  return count == 1 ? note(told, count, "y is", "it") : note(told, count, "ies are", "each");
}
template std::optional<Note> some_stand_in<double>(const Operator<double>&);
template std::optional<Note> some_stand_in<float>(const Operator<float>&);

}  // namespace jacobi::notes
