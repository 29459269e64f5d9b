#include "report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "io/atomic_file.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

using nlohmann::ordered_json;

ordered_json or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
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

/// The factor per sweep where it tells of the same as the status: growth, where the norm ended higher and
/// might have grown on; contraction, where it did not diverge.
std::optional<double> contraction_told(const Report& r) {
  if (!r.contraction || !std::isfinite(*r.contraction)) return {};
  const bool open =
      r.status == Status::sweep_limit || r.status == Status::time_limit || r.status == Status::interrupted;
  const bool may_grow = r.status == Status::diverged || (open && r.norm_final > r.norm_initial);
  return (*r.contraction >= 1 ? may_grow : r.status != Status::diverged) ? r.contraction : std::nullopt;
}

std::string tolerance_in_words(const Report& r) {
  if (r.reference == Reference::none || r.reference_norm == 0 || r.tolerance != r.tolerance)
    return "absolute";
  const std::string of =
      r.reference == Reference::initial ? "its initial value" : "that of the right-hand side";
  return fmt::format("{:.3g} of {}, {:.6e}", r.tolerance / r.reference_norm, of, r.reference_norm);
}

}  // namespace

ordered_json to_json(const Report& r, const std::optional<ErrorNorms>& error) {
  ordered_json history = ordered_json::array();
  for (const HistoryEntry& entry : r.history) history.push_back({entry.sweeps, or_null(entry.norm)});
  ordered_json json;
  json["schema"] = 1;
  json["status"] = name(r.status);
  json["method"] = r.method;
  json["plan"] = r.plan;
  json["backend"] = r.backend;
  json["rung"] = or_null(r.rung);
  json["algorithm"] = or_null(r.algorithm);
  json["simd"] = or_null(r.simd);
  json["threads"] = r.threads;
  json["precision"] = r.precision;
  json["unknowns"] = r.unknowns;
  json["sweeps"] = r.sweeps;
  json["cycles"] = r.cycles ? ordered_json(*r.cycles) : ordered_json(nullptr);
  json["redundant_work"] = or_null(r.redundant_work);
  json["work"] = or_null(r.work);
  json["checks"] = r.checks;
  json["check_every"] = r.check_every;
  json["norm"] = name(r.norm);
  json["reference"] = name(r.reference);
  json["reference_norm"] = or_null(r.reference_norm);
  json["tolerance"] = or_null(r.tolerance);
  json["norm_initial"] = or_null(r.norm_initial);
  json["norm_final"] = or_null(r.norm_final);
  json["update_norm"] = or_null(r.update_norm);
  json["residual_norm"] = or_null(r.residual_norm);
  json["backward_error"] = or_null(r.backward_error);
  json["error_norm"] = error ? or_null(error->l2) : ordered_json(nullptr);
  json["error_max"] = error ? or_null(error->max) : ordered_json(nullptr);
  json["error_bound"] = or_null(r.error_bound);
  json["contraction"] = or_null(contraction_told(r));
  json["seconds"] = r.seconds;
  json["seconds_setup"] = r.seconds_setup;
  json["lups"] = or_null(r.lups);
  json["bytes_per_update"] = r.bytes_per_update;
  json["fraction_of_limit"] = or_null(r.fraction_of_limit);
  json["limit_by"] = or_null(r.limit_by);
  json["seconds_upload"] = or_null(r.seconds_upload);
  json["seconds_download"] = or_null(r.seconds_download);
  json["occupancy"] = or_null(r.occupancy);
  json["notes"] = r.notes;
  json["history"] = history;
  return json;
}

std::string to_text(const Report& r, const std::optional<ErrorNorms>& error) {
  std::string text = fmt::format("{}\n", status_in_words(r));
  if (r.status == Status::not_finite) return text;
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
  if (error && std::isfinite(error->l2))
    text += fmt::format(
        "\n  error against the known solution: 2-norm {:.6e}{}, largest {:.6e}", error->l2,
        std::isfinite(error->relative) ? fmt::format(" (relative {:.3e})", error->relative) : "", error->max);
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
    text += fmt::format("\n  {}\n  {} (setup {}), {} on {}, {}, {}: {:.3f} billion updates/s, {} bytes each",
                        r.plan, in_time(r.seconds), in_time(r.seconds_setup),
                        rung_in_words(r.rung, r.algorithm), counted(r.threads, "thread"), r.simd, r.precision,
                        r.lups / 1e9, in_bytes(r.bytes_per_update));
  if (r.sweeps > 0 && r.fraction_of_limit)
    text +=
        fmt::format(", {:.0f} % of this machine's limit, set by {}", 100 * *r.fraction_of_limit, r.limit_by);
  for (const std::string& note : r.notes) text += "\n  note: " + note;
  return text + "\n";
}

std::string rung_in_words(const std::string& rung, const std::string& algorithm) {
  return algorithm.empty() || algorithm == rung ? "rung " + rung
                                                : fmt::format("rung {} ({})", rung, algorithm);
}

void write_history(const std::string& path, const Report& report) {
  if (path.empty()) return;
  io::write_atomically(path, [&](std::ostream& out) {
    out << "sweeps,norm\n";
    for (const HistoryEntry& entry : report.history)
      out << fmt::format("{},{:.17g}\n", entry.sweeps, entry.norm);
  });
}

Exit exit_code(Status status) {
  if (status == Status::converged) return Exit::converged;
  return status == Status::interrupted ? Exit::interrupted : Exit::not_converged;
}

std::string in_bytes(double bytes_per_update) {
  return fmt::format("{:.{}f}", bytes_per_update, bytes_per_update < 9.95 ? 1 : 0);
}

std::string in_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-4) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.2f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

}  // namespace jacobi::cli
