/// `jacobi bench amg`: algebraic multigrid on problems of many kinds, beside the diagonal.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "amg_problems.hpp"
#include "apps/jacobi/html.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/run.hpp"
#include "bench.hpp"
#include "contenders.hpp"
#include "core/clock.hpp"
#include "core/memory.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "sweep/amg/cycle.hpp"

namespace jacobi::cli {

namespace {

using Json = nlohmann::ordered_json;

struct AmgBench {
  std::vector<std::string> problems;
  Index unknowns = 100'000;
  int threads = 0;
  double rtol = 1e-8, max_seconds = 60;
  std::string json;
};

/// A solve for a right-hand side of ones.
struct AmgRun {
  Report report;
  double setup = 0;  ///< seconds of binding
};

AmgRun run_plan(const Csr<double>& a, const Plan& plan, const AmgBench& o, std::stop_token ended) {
  AmgRun run;
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> x(b.size());
  Stop stop;
  stop.relative = o.rtol;
  stop.norm = Norm::residual;
  stop.max_seconds = o.max_seconds;
  stop.cancel = std::move(ended);
  const auto begin = Clock::now();
  Solver<double> solver(a, plan, backend(fmt::format("threads:{}", o.threads)), stop.cancel);
  run.setup = seconds_since(begin);
  run.report = solver.solve(b, x, stop);
  if (run.report.status == Status::interrupted) throw Interrupted("ended while a problem was solved");
  return run;
}

Json in_json(const AmgRun& run) {
  return {{"status", name(run.report.status)},
          {"sweeps", run.report.sweeps},
          {"seconds_setup", run.setup},
          {"seconds", run.report.seconds},
          {"residual", run.report.residual_norm ? Json(*run.report.residual_norm) : Json()}};
}

std::string in_short(const AmgRun& run) {
  return fmt::format("{:>6}{} {:>7.3f}", run.report.sweeps, run.report.converged() ? ' ' : '*',
                     run.setup + run.report.seconds);
}

Json measure_problem(const AmgBench& o, const AmgProblemKind& which, Watch& watch) {
  watch.says(fmt::format("{}: made, set up and solved", which.name));
  const std::stop_token ended = watch.token();
  const AmgProblem problem = which.make(o.unknowns);
  Plan with(problem.symmetric ? cg() : bicgstab());
  with.recognise_grids = false;
  const Plan diagonal = with;
  with.by = problem.options;
  const double matrix = 12 * static_cast<double>(problem.a.entries());
  Json row = {{"problem", which.name}, {"unknowns", problem.a.rows()}, {"entries", problem.a.entries()}};
  {
    const sweep::amg::Cycle<double> cycle(problem.a, problem.options, problem.symmetric, o.threads);
    const sweep::amg::Extents& e = cycle.extents();
    for (std::size_t l = 0; l < e.rows.size(); ++l)
      row["levels"].push_back({{"rows", e.rows[l]}, {"entries", e.entries[l]}});
    row["operator_complexity"] = e.operator_complexity();
    row["grid_complexity"] = e.grid_complexity();
    row["bytes_over_matrix"] = cycle.bytes() / matrix;
  }
  const AmgRun by_cycles = run_plan(problem.a, with, o, ended),
               by_diagonal = run_plan(problem.a, diagonal, o, ended);
  row["amg"] = in_json(by_cycles);
  row["diagonal"] = in_json(by_diagonal);
  watch.clear();
  if (o.json == "-") return row;
  fmt::print("{:12} {:>8} {:>6} {:>5.2f} {:>5.2f} {:>5.1f} {:>7.3f} {:>7.3f} {} {}\n", which.name,
             problem.a.rows(), row["levels"].size(), row["operator_complexity"].get<double>(),
             row["grid_complexity"].get<double>(), row["bytes_over_matrix"].get<double>(), by_cycles.setup,
             by_cycles.report.seconds, in_short(by_cycles), in_short(by_diagonal));
  show_printed();
  return row;
}

int run_amg(AmgBench o) {
  if (o.threads == 0) o.threads = available_cores();
  backend(fmt::format("threads:{}", o.threads));  // throws for an absurd number
  constexpr double most = 5000;                   // of elasticity, whose elements are added up
  require_room(fmt::format("bench amg: --unknowns {}: the problems", o.unknowns),
               most * static_cast<double>(o.unknowns), "take fewer");
  check_outputs({json_file(o.json)}, {});
  Json json = describe_machine();
  json["bench"] = "amg";
  json["threads"] = o.threads;
  json["rtol"] = o.rtol;
  if (o.json != "-")
    fmt::print(
        "cg, or bicgstab, to {:g} of a right-hand side of ones; seconds; *: not converged\n"
        "{:12} {:>8} {:>6} {:>5} {:>5} {:>5} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}\n",
        o.rtol, "problem", "unknowns", "levels", "oper.", "grid", "bytes", "setup", "solve", "sweeps",
        "in all", "diag.", "in all");
  Watch watch(shown_on_terminal());
  std::optional<Stage> before(std::in_place, nothing_measured);
  try {
    for (const AmgProblemKind& which : amg_problems())
      if (o.problems.empty() || std::ranges::find(o.problems, which.name) != o.problems.end()) {
        json["rows"].push_back(measure_problem(o, which, watch));
        before.reset();
      }
  } catch (
      const Interrupted&) {  // the rows before it are kept; before the first one the Stage ends the program
  }
  LastStep last;
  write_found(last, {o.json, {}}, "", json);
  return last.code_or(code_of_runs());
}

}  // namespace

void add_bench_amg(CLI::App& bench, Action& action) {
  CLI::App* sub = bench.add_subcommand("amg", "algebraic multigrid on problems that it makes itself");
  auto o = std::make_shared<AmgBench>();
  std::vector<std::string> names;
  for (const AmgProblemKind& one : amg_problems()) names.emplace_back(one.name);
  sub->add_option("--problems", o->problems, "problems to solve (default: all)")
      ->delimiter(',')
      ->check(one_of(names))
      ->type_name("NAME,..");
  sub->add_option("--unknowns", o->unknowns, "about so many of each")
      ->check(CLI::Range(Index(100), Index(100'000'000)))
      ->transform(whole())
      ->capture_default_str();
  sub->add_option("--threads", o->threads, "threads (default: all cores)")
      ->check(CLI::Range(1, 4096))
      ->transform(whole());
  sub->add_option("--rtol", o->rtol, "residual to reach, relative to the right-hand side")
      ->transform(finite_above_0())
      ->capture_default_str();
  sub->add_option("--max-seconds", o->max_seconds, "a solve that takes longer is left at what it reached")
      ->transform(finite_above_0())
      ->capture_default_str();
  sub->add_option("--json", o->json, "write the results as JSON ('-': standard output)")->type_name("FILE");
  sub->footer("Example:\n  jacobi bench amg --problems 5-point,delaunay --unknowns 20000");
  sub->callback([o, &action] { action = [o] { return run_amg(*o); }; });
}

}  // namespace jacobi::cli
