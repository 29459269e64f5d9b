/// A report for people.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/words.hpp"
#include "report/report.hpp"

namespace jacobi {

std::string error_in_words(const ErrorNorms& error) {
  return fmt::format("error against the known solution: 2-norm {:.6e}{}, largest {:.6e}", error.l2,
                     std::isfinite(error.relative) ? fmt::format(" (relative {:.3e})", error.relative) : "",
                     error.max);
}

namespace {

/// Where nothing is left of b - A x but what a rounding of |A| |x| + |b| hides, the number says no more.
std::string backward_error_in_words(double error, const std::string& precision) {
  const double rounding = precision == "float" ? 0x1p-24 : 0x1p-53;
  return error < rounding ? fmt::format("below {:.1e}, one rounding", rounding)
                          : fmt::format("{:.2e}", error);
}

std::string norm_in_words(Norm norm) {
  switch (norm) {
    case Norm::automatic:
    case Norm::residual:
      return "2-norm of the residual";
    case Norm::update:
      return "2-norm of the update";
    case Norm::max_residual:
      return "largest residual";
    case Norm::max_update:
      return "largest update";
    case Norm::scaled_residual:
      return "2-norm of the scaled residual D^-1 (b - A x)";
  }
  return {};
}

/// No less when four of its digits are printed; the smallest numbers have fewer.
double rounded_up(double bound) {
  return bound == 0 ? 0 : std::nextafter(1.0005 * bound, std::numeric_limits<double>::infinity());
}

std::string status_in_words(const Report& r) {
  const std::string sweeps = counted(r.sweeps, "sweep");
  switch (r.status) {
    case Status::converged:
      return fmt::format("converged after {}", sweeps);
    case Status::sweep_limit:
      return fmt::format("not converged: the limit of {} was reached", sweeps);
    case Status::time_limit:
      return fmt::format("not converged: the time limit was reached after {}", sweeps);
    case Status::diverged:
      return fmt::format("diverged: after {} the norm had grown a million times or more", sweeps);
    case Status::stagnated:
      if (r.norm_final <= r.tolerance)
        return fmt::format("stagnated after {}: the norm meets the tolerance, but is not to be trusted",
                           sweeps);
      return fmt::format("stagnated after {}: the norm stands still above the tolerance; ask for less{}",
                         sweeps, r.precision == "float" ? " or take --precision double" : "");
    case Status::not_finite:
      return fmt::format("not finite: the norm overflows at the initial iterate; {}", cure_of_overflow);
    case Status::interrupted:
      return fmt::format("interrupted after {}; the last iterate is kept", sweeps);
    case Status::breakdown:
      return fmt::format("broke down after {}: method {} cannot go on", sweeps, r.method);
  }
  return {};
}

std::string tolerance_in_words(const Report& r) {
  if (r.reference == Reference::none || r.reference_norm == 0 || r.tolerance != r.tolerance)
    return "absolute";
  const std::string of =
      r.reference == Reference::initial ? "its initial value" : "that of the right-hand side";
  return fmt::format("{:.3g} of {}, {:.6e}", r.tolerance / r.reference_norm, of, r.reference_norm);
}

}  // namespace

std::string to_text(const Report& r) {
  std::string text = fmt::format("{}\n", status_in_words(r));
  const bool measured_nothing = r.status == Status::interrupted && std::isnan(r.tolerance);
  if (r.status == Status::not_finite || measured_nothing) return text;
  text += fmt::format("  {} {}, tolerance {:.6e} ({})", norm_in_words(r.norm),
                      std::isfinite(r.norm_final) ? fmt::format("{:.6e}", r.norm_final) : "is not finite",
                      r.tolerance, tolerance_in_words(r));
  std::string norms;
  if (r.update_norm && std::isfinite(*r.update_norm)) norms += fmt::format("  update {:.6e}", *r.update_norm);
  if (r.residual_norm && std::isfinite(*r.residual_norm))
    norms += fmt::format("  residual {:.6e}", *r.residual_norm);
  if (!norms.empty()) text += "\n  2-norms at the end:" + norms.substr(1);
  if (r.backward_error && std::isfinite(*r.backward_error))
    text += fmt::format("\n  backward error {} (the largest |b - A x| of a row, relative to |A| |x| + |b|)",
                        backward_error_in_words(*r.backward_error, r.precision));
  if (r.error && std::isfinite(r.error->l2)) text += "\n  " + error_in_words(*r.error);
  if (r.error_bound)
    text += fmt::format("\n  proved: no unknown is off by more than {:.3e}{}", rounded_up(*r.error_bound),
                        r.precision == "float" ? " (of the system as rounded to float)" : "");
  if (r.cycles && r.work)
    text +=
        fmt::format("\n  {}, in all grids the work of {:.3g} sweeps", counted(*r.cycles, "cycle"), *r.work);
  else if (r.work)
    text += fmt::format("\n  a sweep updates one colour: the work of {:.6g} sweeps of all unknowns", *r.work);
  else if (r.cycles)
    text += fmt::format("\n  {}, {:.3g} % redundant work", counted(*r.cycles, "cycle"),
                        100 * r.redundant_work.value_or(0));
  if (const auto factor = contraction_told(r))
    text += *factor < 0.5 ? fmt::format("\n  contraction per sweep {:.4g}", *factor)
            : *factor < 1 ? fmt::format("\n  contraction per sweep 1 - {:.4e}", 1 - *factor)
                          : fmt::format("\n  growth per sweep {:.6g}", *factor);
  if (r.sweeps > 0)
    text += fmt::format("\n  {}\n  {} (setup {}), {} on {}, {}, {}: {}, {} bytes each", r.plan,
                        in_time(r.seconds), in_time(r.seconds_setup), rung_in_words(r.rung, r.algorithm),
                        counted(r.threads, "thread"), r.simd, r.precision, updates_in_words(r.lups),
                        in_bytes(r.bytes_per_update));
  if (r.sweeps > 0 && r.fraction_of_limit)
    text +=
        fmt::format(", {:.0f} % of this machine's limit, set by {}", 100 * *r.fraction_of_limit, r.limit_by);
  for (const Note& note : r.notes) text += "\n  note: " + note.text;
  return text + "\n";
}

}  // namespace jacobi
