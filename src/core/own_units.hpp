/// What a report says of a system that was swept in other units.
#pragma once
#include <cmath>

#include "core/notes.hpp"
#include "core/reached.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

/// In the system's own, larger units, where fewer of the products a_ij x_j vanish.
template <class T, class A>
void measure_again(Report& report, const A& a, Read<T> b, Read<T> x, const Stop& stop) {
  const std::optional<double> share = backward_error<T>(a, b, x);
  if (share && std::isfinite(*share)) report.backward_error = share;
  const double norm = tested_residual<T>(a, b, x, stop.norm);
  if (!is_update(stop.norm) && std::isfinite(norm) && report.converged() == (norm <= report.tolerance))
    report.norm_final = norm;
  const std::optional<double> residual =
      stop.norm == Norm::residual ? std::optional(report.norm_final) : residual_of<T>(a, b, x);
  if (residual) report.residual_norm = residual;
}

/// Unknowns beyond the range of T, whose values in other units were lost: the report is of what is left of
/// them.
template <class T, class A>
void tell_of_kept(Report& report, const A& a, Read<T> b, Read<T> x, const Stop& stop) {
  report.norm_final = tested_residual<T>(a, b, x, stop.norm);
  report.residual_norm = residual_of<T>(a, b, x);
  report.backward_error = backward_error<T>(a, b, x);
  report.update_norm = report.update_max = std::nullopt;
  if (!std::isfinite(report.norm_final))
    report.status = Status::not_finite;
  else if (report.converged() && report.norm_final > report.tolerance)
    report.status = Status::stagnated;
  else if (!report.converged() && report.norm_final <= report.tolerance &&
           ((report.status == Status::stagnated && !is_update(stop.norm)) ||
            is_sure<T>(a, b, x, stop.norm, report.tolerance)))
    report.status = Status::converged;
  report.notes.push_back(note(notes::lost_unknowns, report.precision));
}

}  // namespace jacobi
