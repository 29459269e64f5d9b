/// `jacobi heat`: from options to u at a later time, its report and its files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "commands.hpp"
#include "core/clock.hpp"
#include "core/forecast.hpp"
#include "core/memory.hpp"
#include "dry_run.hpp"
#include "heat/problem.hpp"
#include "heat_options.hpp"
#include "io/npy.hpp"
#include "jacobi/error.hpp"
#include "last_step.hpp"
#include "poisson_files.hpp"
#include "problem_options.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "series.hpp"

namespace jacobi::cli {

namespace {

constexpr const char* take_fewer = "take fewer points or --precision float";

ordered_json heat_asked(const HeatCommand& o, const Box& box, const Steps& steps) {
  ordered_json problem = to_json(box);
  add_to(problem, o.problem);
  problem["end"] = o.end;
  ordered_json json;
  json["problem"] = std::move(problem);
  json["largest_explicit_step"] = steps.stable.step;
  json["largest_explicit_step_exact"] = steps.stable.exact;
  return json;
}

template <class T, int D>
Heat<T, D> make_heat(const HeatCommand& o, const Problem<T, D>& p, const Steps& steps) {
  const auto on = o.run.make_backend();
  return p.domain ? Heat<T, D>(*p.domain, p.b, p.x, steps.length, o.make(), on)
                  : Heat<T, D>(p.a, p.b, p.x, steps.length, o.make(), on);
}

/// Of a run in parts that follow each other.
void append(HeatReport& whole, HeatReport part) {
  part.content_initial = whole.content_initial;
  part.steps += whole.steps;
  part.rejected += whole.rejected;
  part.sweeps += whole.sweeps;
  part.cycles += whole.cycles;
  const double updates = whole.lups * whole.seconds + part.lups * part.seconds;
  part.seconds += whole.seconds;
  part.seconds_setup += whole.seconds_setup;
  part.lups = part.seconds > 0 ? updates / part.seconds : 0;
  part.notes.insert(part.notes.begin(), whole.notes.begin(), whole.notes.end());
  whole = std::move(part);
}

std::string heat_progress_line(const HeatProgress& now, double end, double seconds, double begun_at,
                               std::size_t columns) {
  const double made = now.time - begun_at;
  std::string line = fmt::format("{}  t = {:.5g} of {:.5g}", counted(now.steps, "step"), now.time, end);
  if (made > 0) line += fmt::format("  {} left", in_time(seconds * (end - now.time) / made));
  return line.substr(0, columns);
}

/// Runs to the end, from one file of the series to the next, and keeps checkpoints.
template <class T, int D>
HeatReport run_all(const HeatCommand& o, Heat<T, D>& heat, const Steps& steps, const Stop& keeping,
                   Series& series, Watch& watch) {
  const auto begin = Clock::now();
  const double begun_at = heat.time();
  auto kept_at = begin;
  HeatStop stop;
  stop.cancel = watch.token();
  stop.progress = [&](const HeatProgress& now) {
    const double seconds = seconds_since(begin);
    return watch.look(seconds, [&](std::size_t columns) {
      return heat_progress_line(now, o.end, seconds, begun_at, columns);
    });
  };
  HeatReport whole = heat.run(0, stop);
  if (heat.time() == 0) series.add(0, 0);
  const double keep_every = keeping.keep_every > 0 ? keeping.keep_every : 600;
  Index portion = 1;  // of steps, after which a checkpoint may be due
  while (whole.finished() && heat.whole_steps() < steps.count) {
    const Index at = heat.whole_steps();
    Index to = series.next_after(at);
    if (keeping.keep && o.step_tolerance == 0) to = std::min(to, at + portion);
    if (o.max_seconds >= 0) stop.max_seconds = o.max_seconds - whole.seconds;
    const auto start = Clock::now();
    append(whole, heat.run_to(to, stop));
    if (seconds_since(start) < 0.5 && portion < to) portion *= 2;
    if (!whole.finished()) break;
    if (series.is_due(to)) series.add(to, heat.time());
    if (keeping.keep && seconds_since(kept_at) > keep_every) {
      keeping.keep(heat.keep());
      kept_at = Clock::now();
    }
  }
  if (keeping.keep && !whole.finished()) keeping.keep(heat.keep());
  watch.clear();
  return whole;
}

/// Distance to the known solution at this time, at the unknowns.
template <class T, int D>
std::optional<ErrorNorms> error_at(const HeatCommand& o, const Box& box, const Problem<T, D>& p,
                                   std::span<const T> u, double time) {
  if (o.problem.exact.empty()) return {};
  const std::vector<double> exact = exact_at<T, D>(p.a.grid(), box, o.problem.exact, time);
  ErrorSum sum;
  for (Index i = 0; i < std::ssize(u); ++i)
    if (!p.domain || p.domain->kind(i) == PointKind::unknown) sum.add(exact[i], u[i]);
  return sum.norms();
}

/// Writes the files of the state reached, and the report.
template <class T, int D>
int finish_heat(const HeatCommand& o, const Box& box, const Problem<T, D>& p, const Steps& steps,
                std::vector<T> u, HeatReport& report, const Series& series) {
  const OutputOptions& f = o.files;
  const std::span<const T> x(u);
  const std::string title = fmt::format("u at t = {:.6g}", report.time);
  report.error = error_at<T, D>(o, box, p, x, report.time);
  const Extent extent = extent_of<T>(inside_of<T, D>(p, x));
  ordered_json more = heat_asked(o, box, steps);
  extent.add_to(more, "u");
  std::optional<PointField<T>> made;
  const auto field = [&]() -> const PointField<T>& {
    return made ? *made : made.emplace(on_all_points(p.a, box, x, o.problem.boundary));
  };
  const auto draw = [&] {
    const Plane plane = plane_of(field(), box, title);
    io::write_heatmap(f.image, plane.values, plane.nx, plane.ny, plane.labels);
  };
  const auto tell_series = [&] {
    if (!series.fault().empty()) throw InputError(series.fault());
  };
  return finish(
      {{"--output", f.output, [&] { io::write_npy<T>(f.output, field().values, field().shape); }},
       {"--vti", f.vti, [&] { write_vti<T, D>(f.vti, field(), box, p.a); }},
       {"--image", f.image, draw},
       {"--output-series", o.series, tell_series}},
      {report.status, report.notes, [&] { return to_text(report); }}, o.run,
      [&] { return with(to_json(report), more, "notes"); }, extent.in_words("u"));
}

/// Says what a run would take, from a few of its steps.
template <class T, int D>
int dry_run_of_heat(const HeatCommand& o, const Box& box, const Problem<T, D>& p, const Steps& steps) {
  const auto on = o.run.make_backend();
  const double memory = bytes_of_heat(p.a, o.make(), *on) + bytes_of_the_process +
                        3.0 * static_cast<double>(p.a.rows()) * sizeof(T);
  Heat<T, D> heat = make_heat(o, p, steps);
  HeatStop stop;
  HeatReport report;
  double each = 0;
  for (Index count = 1; heat.whole_steps() < steps.count && report.seconds < 0.2; count *= 2) {
    const Index now = std::min(count, steps.count - heat.whole_steps());
    report = heat.run(now, stop);
    if (now == count || each == 0) each = report.seconds / static_cast<double>(now);
  }
  const double seconds = each * static_cast<double>(steps.count);
  if (!o.run.json.empty()) {
    ordered_json json;
    json["schema"] = 1;
    json["unknowns"] = p.unknowns();
    json["scheme"] = report.scheme;
    json["step"] = steps.length;
    json["steps"] = steps.count;
    json["memory_bytes"] = memory;
    json["seconds_per_step"] = each;
    json["predicted_seconds"] = seconds;
    json.update(heat_asked(o, box, steps));
    json.update(facts_of_run());
    std::vector<std::string> notes = left_unwritten(o.files.files());
    json["notes"] = notes;
    write_text(o.run.json, json_text(json));
  }
  if (o.run.talks()) {
    fmt::print(
        "{}\n{} of {:.6g}{}\nmemory: {}\npredicted: {}, {} per step\nlargest stable explicit step: {} ({})\n",
        describe_grid(p, box), counted(steps.count, "step"), steps.length,
        o.step_tolerance > 0 ? " to begin with" : "", in_words(memory), in_time(seconds), in_time(each),
        digits_of(steps.stable.step, 6, Toward::below), heat::bound_in_words(steps.stable));
    for (const std::string& note : left_unwritten(o.files.files())) fmt::print("note: {}\n", note);
  }
  return Exit::converged;
}

template <class T, int D>
int run_heat(HeatCommand& o, const Box& box) {
  ProblemText text = o.problem;
  text.exact.clear();  // of the end, which is not yet reached
  const Problem<T, D> p = make_problem<T, D>(box, text, {}, Mean::any);
  if (!o.problem.exact.empty())
    exact_at<T, D>(p.a.grid(), box, o.problem.exact, o.end);  // an error now, not after hours
  const Steps steps = steps_of(o, p.a);
  const double needed = bytes_of_heat(p.a, o.make(), *o.run.make_backend());
  require_room(needed, "these steps need", take_fewer);
  if (o.dry_run) return dry_run_of_heat(o, box, p, steps);
  if (o.run.talks())
    fmt::print("{}\n{} of {:.6g}\n", describe_grid(p, box), counted(steps.count, "step"), steps.length);
  Watch watch(o.run.shown());
  Heat<T, D> heat = make_heat(o, p, steps);
  Stop keeping;
  o.checkpoint.apply(keeping);
  if (keeping.resume) heat.resume(*keeping.resume);
  const Index every = o.every > 0 ? o.every : std::max<Index>(1, (steps.count + 99) / 100);
  const auto write = [&](const std::string& path) {
    const std::vector<T> u = heat.u();
    write_vti<T, D>(path, on_all_points<T, D>(p.a, box, u, o.problem.boundary), box, p.a);
  };
  Series series(o.series, o.series.empty() ? steps.count : every, steps.count, write);
  if (keeping.resume) series.take_files_before(heat.whole_steps(), steps.length);
  HeatReport report = run_all(o, heat, steps, keeping, series, watch);
  o.checkpoint.tell(report.status, report.notes);
  return finish_heat<T, D>(o, box, p, steps, heat.u(), report, series);
}

template <class T>
int run_heat(HeatCommand& o, const Box& box) {
  if (box.dimensions == 1) return run_heat<T, 1>(o, box);
  return box.dimensions == 2 ? run_heat<T, 2>(o, box) : run_heat<T, 3>(o, box);
}

int run_heat(HeatCommand& o) {
  const Stage stage("stopped while the problem was made, nothing was solved");
  const Box box = read_box(o.box);
  o.check();
  const bool single = o.run.precision == "float";
  const double needed = memory_needed(box, o.problem, single ? sizeof(float) : sizeof(double));
  require_room(needed, "this grid needs", take_fewer);
  return single ? run_heat<float>(o, box) : run_heat<double>(o, box);
}

}  // namespace

void add_heat(CLI::App& app, Action& action) {
  CLI::App* sub =
      app.add_subcommand("heat", "follow diffusion in time: du/dt = div(k grad u) - c u + f on a grid");
  auto o = std::make_shared<HeatCommand>();
  o->add_to(*sub);
  sub->footer("Example:\n  jacobi heat --dim 1 --points 129 --end 0.1 --step 1e-3 --initial 'sin(pi*x)'");
  sub->callback([o, &action] { action = [o] { return run_heat(*o); }; });
}

}  // namespace jacobi::cli
