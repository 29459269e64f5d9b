/// The report of steps in time, for people and for programs.
#include <fmt/format.h>

#include <cmath>

#include "core/words.hpp"
#include "jacobi/heat.hpp"
#include "report/json.hpp"
#include "report/report.hpp"

namespace jacobi {

namespace {

std::string end_in_words(const HeatReport& r) {
  const std::string steps = counted(r.steps, "step");
  switch (r.status) {
    case Status::converged:
      return fmt::format("reached t = {:.6g} in {}", r.time, steps);
    case Status::interrupted:
      return fmt::format("interrupted at t = {:.6g} after {}; u is kept", r.time, steps);
    case Status::time_limit:
      return fmt::format("the time limit was reached at t = {:.6g} after {}", r.time, steps);
    default:
      return fmt::format("{} at t = {:.6g} after {}", name(r.status), r.time, steps);
  }
}

}  // namespace

std::string to_text(const HeatReport& r) {
  const bool is_explicit = r.theta == 0;
  std::string text = fmt::format("{}\n  {}", end_in_words(r),
                                 is_explicit ? std::string("explicit Euler")
                                             : fmt::format("theta = {:g}{}", r.theta,
                                                           r.theta == 0.5 ? " (Crank-Nicolson)"
                                                           : r.theta == 1 ? " (implicit Euler)"
                                                                          : ""));
  if (!is_explicit && !r.method.empty()) text += ", " + r.method;  // which a run without a step has not
  text += r.steps > 0 ? fmt::format(", last step {:.6g}\n", r.step) : "\n";
  if (r.rejected > 0) text += fmt::format("  {} made anew, shorter\n", counted(r.rejected, "step"));
  text +=
      fmt::format("  heat content {:.12g}, at the beginning {:.12g}\n", r.content_final, r.content_initial);
  if (r.error && std::isfinite(r.error->l2)) text += "  " + error_in_words(*r.error) + "\n";
  if (r.sweeps > 0)
    text += fmt::format("  {}{} in {} (setup {}) on {}{}, {}: {}\n", counted(r.sweeps, "sweep"),
                        r.cycles > 0 ? ", " + counted(r.cycles, "cycle") : "", in_time(r.seconds),
                        in_time(r.seconds_setup), counted(r.threads, "thread"),
                        r.algorithm.empty() ? "" : ", " + r.algorithm, r.precision, updates_in_words(r.lups));
  for (const Note& note : r.notes) text += "  note: " + note.text + "\n";
  return text;
}

std::string to_json(const HeatReport& r) {
  ordered_json json;
  json["schema"] = 1;
  json["status"] = r.finished() ? "finished" : name(r.status);
  json["scheme"] = r.scheme;
  json["theta"] = r.theta == 0 ? ordered_json(nullptr) : ordered_json(r.theta);
  json["method"] = or_null(r.method);
  json["algorithm"] = or_null(r.algorithm);
  json["backend"] = r.backend;
  json["threads"] = r.threads;
  json["precision"] = r.precision;
  json["unknowns"] = r.unknowns;
  json["step"] = r.step;
  json["steps"] = r.steps;
  json["rejected"] = r.rejected;
  json["time"] = r.time;
  json["sweeps"] = r.sweeps;
  json["cycles"] = r.theta == 0 ? ordered_json(nullptr) : ordered_json(r.cycles);
  json["content_initial"] = or_null(r.content_initial);
  json["content_final"] = or_null(r.content_final);
  json["error_norm"] = r.error ? or_null(r.error->l2) : ordered_json(nullptr);
  json["error_max"] = r.error ? or_null(r.error->max) : ordered_json(nullptr);
  json["seconds"] = r.seconds;
  json["seconds_setup"] = r.seconds_setup;
  json["lups"] = or_null(r.lups);
  json["notes"] = sentences(r.notes);
  return json_text(json);
}

}  // namespace jacobi
