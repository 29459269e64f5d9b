/// `jacobi diagnose`: what is known of a system before it is solved.
#include <fmt/format.h>

#include <optional>

#include "commands.hpp"
#include "core/timing.hpp"
#include "html.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "last_step.hpp"
#include "named.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "reorder.hpp"
#include "report.hpp"
#include "run.hpp"
#include "system.hpp"
#include "terminal.hpp"

namespace jacobi::cli {

namespace {

struct Options {
  RunOptions run;
  StopOptions stop;
  std::string matrix, b, initial, report;
  std::string cholesky = "cheap";
  bool reorder_rows = false;
};

/// Of plain sweeps, as if the error were all in the slowest mode.
io::Chart expected_convergence(const Diagnosis& d) {
  const double sweeps = *d.predicted_sweeps;
  io::Chart chart{"Plain Jacobi, as expected", "sweeps", "norm", false, true, {}, {}};
  chart.series = {{"expected norm", {0, sweeps}, {d.norm_initial, d.tolerance}, "lines", {}},
                  {"tolerance", {0, sweeps}, {d.tolerance, d.tolerance}, "lines", {}}};
  return chart;
}

template <class T>
int diagnose_file(const Options& o) {
  std::optional<Stage> stage(std::in_place,
                             fmt::format("stopped while {} was diagnosed, nothing was written", o.matrix));
  System<T> system = read_system<T>(o.matrix, o.b, o.initial);
  if (o.reorder_rows) system.notes.push_back(reorder_rows(system, o.matrix).note);
  DiagnoseOptions options;
  options.stop = o.stop.make();
  for (const auto& [word, value] : {std::pair{"never", Cholesky::never}, {"always", Cholesky::always}})
    if (o.cholesky == word) options.cholesky = value;
  if (o.run.talks()) fmt::print("{}: {}\n", o.matrix, describe(system.a));
  Diagnosis d = diagnose(system.a, system.b, system.x, options);
  if (const std::size_t count = system.b.size(); count > 1)
    d.warnings.push_back(fmt::format("of {} right-hand sides the first one's sweeps are told", count));
  if (o.run.precision == "float")
    d.warnings.emplace_back("all of this is of the matrix as rounded to float, not of the file's digits");
  std::optional<double> seconds;
  if (d.verdict != Verdict::unusable) {
    try {
      const Plan plan = plain();
      Solver<T> solver(operator_of(system), plan, o.run.make_backend());
      seconds = seconds_per_sweep<T>(solver.sweeper(), plan.method, options.stop, system.b[0], system.x[0]);
    } catch (const ZeroDiagonal& zero) {  // that only a larger unit would make a divisor
      d.warnings.push_back("no sweep can be made: " + in_file(zero));
    }
  }
  const bool good = d.verdict == Verdict::converges || d.verdict == Verdict::estimated_to_converge;
  stage.reset();
  LastStep last;
  if (!o.run.json.empty())
    last.attempt("--json",
                 [&] { write_text(o.run.json, with(to_json(d, seconds), facts_of_run(), "warnings")); });
  if (!o.report.empty())
    last.attempt("--report", [&] {
      HtmlPage page("jacobi diagnose " + o.matrix);
      const std::string text = to_text(d, seconds);
      page.verdict(text.substr(0, text.find('\n')), good);
      page.heading("Problem");
      page.facts({{"matrix", o.matrix}, {"size", describe(system.a)}});
      page.heading("Diagnosis");
      page.lines(text);
      if (d.predicted_sweeps && *d.predicted_sweeps > 0 && d.norm_initial > 0 && d.tolerance > 0) {
        page.heading("Convergence expected");
        page.chart(expected_convergence(d));
      }
      page.machine_and_command();
      write_text(o.report, page.text());
    });
  if (o.run.talks()) {
    fmt::print("{}", painted(to_text(d, seconds), good));
    for (const std::string& note : system.notes) fmt::print("  note: {}\n", note);
  }
  return last.code_or(good ? Exit::converged : Exit::not_converged);
}

int run_diagnose(Options& o) {
  o.stop.make();
  o.run.make_backend();
  o.run.stdout_is_taken =
      check_outputs({json_file(o.run.json), report_file(o.report)}, {o.matrix, o.b, o.initial});
  return o.run.precision == "float" ? diagnose_file<float>(o) : diagnose_file<double>(o);
}

}  // namespace

void add_diagnose(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand(
      "diagnose", "say before any solve what is proved, what is estimated, how many sweeps, how long");
  auto o = std::make_shared<Options>();
  sub->add_option("matrix", o->matrix, "A: Matrix Market, or .npy of two dimensions (also .gz)")
      ->type_name("A.mtx")
      ->required();
  sub->add_option("b", o->b,
                  "right-hand side: Matrix Market or .npy (default: the one in A's file, or A times ones)")
      ->type_name("B.mtx");
  sub->add_option("--initial", o->initial, "initial iterate (default 0)")->type_name("X.npy");
  sub->add_option("--cholesky", o->cholesky, "proofs by Cholesky factors of A and 2 D - A")
      ->check(one_of({"cheap", "always", "never"}))
      ->capture_default_str();
  sub->add_flag("--reorder-rows", o->reorder_rows,
                "look at the system with its rows in an order without zeros on the diagonal");
  o->stop.add_to(*sub);
  o->run.add_to(*sub);
  add_report_to(*sub, o->report);
  sub->footer(
      "Exit code 0: plain Jacobi converges, proved or estimated; 1: it does not, or nobody knows.\n"
      "Example:\n  jacobi diagnose A.mtx");
  sub->callback([o, &action] { action = [o] { return run_diagnose(*o); }; });
}

}  // namespace jacobi::cli
