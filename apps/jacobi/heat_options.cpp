#include "heat_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/instantiate.hpp"
#include "heat/problem.hpp"
#include "help.hpp"
#include "jacobi/error.hpp"
#include "named.hpp"
#include "numbers.hpp"
#include "problem_options.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

void HeatCommand::add_to(CLI::App& app) {
  add_problem_options(app, box, problem, true);
  add_help_of_formulas(app);
  app.add_option("--end", end, "time to reach, from 0")->check(finite_above_0())->required()->type_name("T");
  app.add_option(
         "--step", step,
         "time step at most, made shorter so that whole steps reach the end (default: T/100; explicit: "
         "the largest that is stable)")
      ->check(finite_above_0())
      ->type_name("DT");
  app.add_option("--scheme", scheme,
                 "explicit: Euler's, weighted sweeps; implicit: the theta method, a solve in each step")
      ->check(one_of({"explicit", "implicit"}))
      ->capture_default_str();
  app.add_option(
         "--theta", theta,
         "of the implicit scheme: 0.5, Crank-Nicolson, of order 2, to 1, implicit Euler (default 0.5)")
      ->check(finite())
      ->type_name("THETA");
  app.add_option("--step-tolerance", step_tolerance,
                 "of the implicit scheme: double and halve the step, so that its error is at most so many "
                 "times the largest |u|")
      ->check(finite_above_0())
      ->type_name("TOL");
  app.add_option("--rtol", rtol,
                 "of the solve in a step: the 2-norm of its residual falls to so many times its first value")
      ->check(finite_above_0())
      ->capture_default_str();
  app.add_option("--max-seconds", max_seconds, "limit of time, setup aside")
      ->check(finite_from(0))
      ->type_name("S");
  app.add_option("--rung", rung,
                 fmt::format("how to sweep explicitly: {} (default: {})", names_of(stencil_rungs()),
                             stencil_rungs().back().name))
      ->type_name("NAME");
  checkpoint.add_to(app);
  run.add_to(app);
  run.add_progress_to(app);
  files.add_fields_to(app);
  app.add_option("--output-series", series,
                 "write u for ParaView again and again, NAME_*.vti, and the list of them with their times")
      ->type_name("NAME.pvd");
  app.add_option("--every", every,
                 "steps (times --step, where --step-tolerance changes it) from one of the series to the next "
                 "(default: a hundredth of all)")
      ->transform(whole_from(1))
      ->type_name("N");
  app.add_flag(
      "--dry-run", dry_run,
      "print steps, memory, the largest stable explicit step and the time it takes; run a few steps");
}

HeatOptions HeatCommand::make() const {
  HeatOptions made;
  made.scheme = is_explicit() ? HeatScheme::explicit_euler : HeatScheme::theta;
  made.theta = theta.value_or(0.5);
  made.relative = rtol;
  made.step_tolerance = step_tolerance;
  made.rung = rung;
  return made;
}

void HeatCommand::check() {
  checkpoint.check();
  run.make_backend();
  run.shown();
  if (is_explicit() && theta) throw UsageError("--theta goes with --scheme implicit");
  if (is_explicit() && step_tolerance > 0) throw UsageError("--step-tolerance goes with --scheme implicit");
  if (!is_explicit() && !rung.empty()) throw UsageError("--rung goes with --scheme explicit");
  if (theta && !(*theta >= 0.5 && *theta <= 1))
    throw UsageError(fmt::format("--theta {}: from 0.5 (Crank-Nicolson) to 1 (implicit Euler)", *theta));
  if (!(rtol < 1)) throw UsageError(fmt::format("--rtol {}: below 1", rtol));
  if (!(step_tolerance < 1)) throw UsageError(fmt::format("--step-tolerance {}: below 1", step_tolerance));
  if (every > 0 && series.empty()) throw UsageError("--every goes with --output-series NAME.pvd");
  if (!rung.empty() && !run.make_backend()->has_own_memory()) stencil_rung(rung);
  std::vector<OutputFile> written = files.files();
  written.front().endings = {".npy"};  // of --output
  written.push_back({"--output-series", series, {".pvd"}});
  written.push_back(json_file(run.json));
  run.stdout_is_taken = check_outputs(written, files_read(problem), problem.initial);
}

template <class T, int D>
Steps steps_of(const HeatCommand& o, const Stencil<T, D>& a) {
  Steps steps;
  steps.stable = largest_step(a);
  const double wanted = o.step > 0 ? o.step : o.is_explicit() ? steps.stable.step : o.end / 100;
  const double count = std::max(1.0, std::ceil(o.end / wanted * (1 - 1e-12)));
  constexpr double most = 0x1p42;
  if (!(count <= most))
    throw UsageError(
        fmt::format("--end {}: {:.3g} steps of {:.3g} are more than can be counted", o.end, count, wanted));
  steps.count = static_cast<Index>(count);
  steps.length = o.end / count;
  if (o.is_explicit() && wanted <= steps.stable.step && steps.length > steps.stable.step)  // by a rounding
    steps.length = o.end / static_cast<double>(++steps.count);
  if (o.is_explicit() && steps.length > steps.stable.step)
    throw UsageError(fmt::format(
        "--step {}: too large for --scheme explicit, {} at most is stable here ({}); --scheme "
        "implicit takes any",
        o.step, digits_of(steps.stable.step, 6, Toward::below), heat::bound_in_words(steps.stable)));
  return steps;
}

#define JACOBI_INSTANTIATE(T, D) template Steps steps_of<T, D>(const HeatCommand&, const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
