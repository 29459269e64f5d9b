/// A forecast for people and for programs.
#include <fmt/format.h>

#include <cmath>

#include "core/forecast.hpp"
#include "core/memory.hpp"
#include "core/words.hpp"
#include "jacobi/predict.hpp"
#include "report/json.hpp"

namespace jacobi {

namespace {

/// Of a matrix: seconds of a plain sweep, which are those of any but products and cycles.
std::optional<double> plain_seconds(const Forecast& f) {
  const Plan& plan = f.choice.plan;
  const bool sweeps = !accelerated(plan.method) && !plan.multigrid() && !plan.amg();
  return sweeps ? std::optional(f.seconds_per_sweep) : std::nullopt;
}

/// Whether a line of its own tells of the method taken: that of the diagnosis is about plain Jacobi.
bool takes_other(const Forecast& f) { return kind_of_sweeps(f.choice.plan) != Advised::plain; }

/// Of a matrix: how far predicted sweeps are to be trusted.
std::string_view by_what(const Forecast& f) {
  if (f.choice.plan.amg() || f.choice.plan.multigrid()) return ", as the first cycles go";
  switch (f.choice.plan.method.acceleration) {
    case Acceleration::cg:
      return knows_least_eigenvalue(*f.diagnosis)
                 ? " at most, by Chebyshev's bound"
                 : " by Chebyshev's bound, with too large a least eigenvalue";
    case Acceleration::bicgstab:
      return ", a guess";
    default:
      return "";
  }
}

std::string asked_in_words(const Forecast& f) {
  const double radius = f.prediction.spectral_radius;
  if (f.prediction.sweeps)
    return fmt::format("about {} sweep{}{}, {}", sweeps_in_words(*f.prediction.sweeps),
                       *f.prediction.sweeps == 1 ? "" : "s", by_what(f),
                       in_time(*f.prediction.sweeps * f.seconds_per_sweep));
  if (std::abs(1 - radius) < 1e-13)
    return "the spectral radius is 1 as far as can be told: its sweeps are not predicted";
  if (radius > 1) return fmt::format("diverges, by an estimated spectral radius of {:.4g}", radius);
  return "its sweeps are not predicted";
}

/// Of a grid.
std::string grid_sweeps_in_words(const Forecast& f) {
  const Prediction& p = f.prediction;
  const bool in_reach = !(p.tolerance < f.rounding_floor);
  const char* const predicted = in_reach ? "predicted" : "predicted, were there no rounding";
  if (p.sweeps && f.choice.plan.multigrid())
    return fmt::format("{}: {:.0f} sweep{}, {}, from norm {:.4e} to {:.4e}, as the first cycles go",
                       predicted, *p.sweeps, *p.sweeps == 1 ? "" : "s",
                       in_time(*p.sweeps * f.seconds_per_sweep), p.norm_initial, p.tolerance);
  if (p.sweeps && f.choice.plan.method.acceleration == Acceleration::cg)
    return fmt::format(
        "{}: up to {:.0f} sweeps, {}, from norm {:.4e} to {:.4e}, by that bound: smooth right-hand "
        "sides "
        "take fewer",
        predicted, *p.sweeps, in_time(*p.sweeps * f.seconds_per_sweep), p.norm_initial, p.tolerance);
  if (p.sweeps)
    return fmt::format(
        "{}: {}{:.0f} sweep{}, {}, from norm {:.4e} to {:.4e}, if the error is all in {}", predicted,
        f.of_box     ? "about "
        : f.one_mode ? "at least "
                     : "",
        *p.sweeps, *p.sweeps == 1 ? "" : "s", in_time(*p.sweeps * f.seconds_per_sweep), p.norm_initial,
        p.tolerance,
        f.of_box     ? "the slowest mode of the whole box: a mask or points held change that"
        : f.one_mode ? "one smooth mode: where coefficients vary sharply there are slower ones, by far"
                     : "the slowest mode (the usual worst case)");
  return fmt::format("no prediction of sweeps: {}",
                     !std::isfinite(p.norm_initial)  ? "the norm is not finite"
                     : !(p.tolerance > 0)            ? "the tolerance is 0"
                     : std::isnan(p.spectral_radius) ? "the method follows the right-hand side, not a rate"
                     : p.spectral_radius < 1         ? "the norm stands above the tolerance"
                                                     : "the spectral radius is not below 1");
}

/// Of a grid: the radius, and where it is from.
std::string grid_radius_in_words(const Forecast& f) {
  const Plan& plan = f.choice.plan;
  const double radius = f.prediction.spectral_radius;
  return fmt::format(
      "{} of the {} iteration: {} ({})",
      accelerated(plan.method) ? "bound of the factor per sweep" : "spectral radius", plan.name(),
      radius > 1     ? fmt::format("{:.6g}", radius)
      : radius > 0.5 ? fmt::format("1 - {:.4e}", 1 - radius)
                     : fmt::format("{:.3g}", radius),
      accelerated(plan.method) ? f.one_mode ? "Chebyshev's, estimated from one smooth mode" : "Chebyshev's"
      : plan.multigrid()       ? "per sweep, usual for a Laplacian"
      : plan.method.growth > 1 && plan.method.rate == 0 ? "the most over the spectrum"
      : f.prediction.exact                              ? "closed form"
      : f.of_box                                        ? "of the whole box"
                                                        : "at least, by one smooth mode");
}

ordered_json of_matrix(const Forecast& f) {
  ordered_json json = as_json(*f.diagnosis, plain_seconds(f));
  if (takes_other(f)) {
    json["predicted_sweeps"] = or_null(f.prediction.sweeps);
    json["predicted_seconds"] =
        f.prediction.sweeps ? or_null(*f.prediction.sweeps * f.seconds_per_sweep) : nullptr;
  }
  json["method_taken"] = f.choice.plan.name();  // "method" is the one advised
  json["seconds_per_sweep"] = f.seconds_per_sweep;
  json["dry_run"] = true;
  json["memory_bytes"] = f.memory;
  json["bytes_per_sweep"] = f.bytes_per_sweep;
  json["rung"] = f.rung;
  return json;
}

ordered_json of_grid(const Forecast& f) {
  const Prediction& p = f.prediction;
  ordered_json json;
  json["schema"] = 1;
  json["dry_run"] = true;
  json["unknowns"] = f.unknowns;
  json["memory_bytes"] = f.memory;
  json["rung"] = f.rung;
  json["algorithm"] = f.algorithm;
  json["bytes_per_sweep"] = f.bytes_per_sweep;
  json["spectral_radius"] = or_null(p.spectral_radius);
  json["spectral_radius_exact"] = p.exact;
  json["tolerance"] = p.tolerance;
  json["rounding_floor"] = f.rounding_floor;
  json["predicted_sweeps"] = p.sweeps ? ordered_json(*p.sweeps) : nullptr;
  json["seconds_per_sweep"] = f.seconds_per_sweep;
  json["predicted_seconds"] = p.sweeps ? ordered_json(*p.sweeps * f.seconds_per_sweep) : nullptr;
  return json;
}

}  // namespace

std::string to_text(const Forecast& f) {
  std::string text = fmt::format(
      "  memory {}{}; {} moved per sweep; measured {} per sweep ({}, {})\n", f.diagnosis ? "about " : "",
      in_words(f.memory), in_words(f.bytes_per_sweep), in_time(f.seconds_per_sweep),
      rung_in_words(f.rung, f.diagnosis ? f.rung : f.algorithm), counted(f.threads, "thread"));
  if (f.diagnosis) {
    text += to_text(*f.diagnosis, plain_seconds(f));
    if (takes_other(f))
      text += fmt::format("  method {} as {}: {}\n", f.choice.plan.name(),
                          f.choice.reason.empty() ? "asked for" : "chosen", asked_in_words(f));
  } else {
    if (!std::isnan(f.prediction.spectral_radius)) text += fmt::format("  {}\n", grid_radius_in_words(f));
    text += fmt::format("  {}\n", grid_sweeps_in_words(f));
  }
  for (const Note& note : f.notes) text += fmt::format("  note: {}\n", note.text);
  return text;
}

std::string to_json(const Forecast& f) {
  ordered_json json = f.diagnosis ? of_matrix(f) : of_grid(f);
  json["notes"] = sentences(f.notes);
  return json_text(json);
}

}  // namespace jacobi
