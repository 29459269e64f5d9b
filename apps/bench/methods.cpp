/// `jacobi bench methods`: what each method takes to the same error or residual, in sweeps and in time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "apps/jacobi/box.hpp"
#include "apps/jacobi/html.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/options.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/problem.hpp"
#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/report.hpp"
#include "bench.hpp"
#include "contenders.hpp"
#include "core/asked.hpp"
#include "core/nearest.hpp"
#include "core/null_space.hpp"
#include "error_race.hpp"
#include "io/chart.hpp"
#include "io/gnuplot.hpp"
#include "jacobi/error.hpp"
#include "jacobi/multigrid.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/rounding.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct MethodsBench {
  BoxText box;
  ProblemText problem;
  std::vector<std::string> methods;
  bool all = false;  ///< no methods were named: those that do not suit the problem are left out
  std::vector<int> threads;
  std::optional<double> error, rtol;
  double max_seconds = 20;
  int repeat = 5;
  std::string json, chart, report;
};

constexpr const char* method_names[] = {
    "plain",    "red-black", "scheduled", "chebyshev", "cyclic-chebyshev", "anderson",
    "bicgstab", "cg",        "v-cycles",  "multigrid", "cg-multigrid"};

template <int D>
Plan plan_named(const std::string& name, const Stencil<double, D>& a) {
  AskedMethod asked;
  asked.method = name;
  asked.period = 512;  // of scheduled
  if (const auto method = named_method(asked, [&] { return bounds(a); })) return *method;
  if (name == "cg-multigrid") return cg_with_multigrid();
  Multigrid cycle;
  cycle.full = name != "v-cycles";
  return multigrid(a, cycle);
}

/// The exact solution of the discrete problem, as far as rounding lets it be known.
template <int D>
std::vector<double> solve_exactly(const Problem<double, D>& p) {
  std::vector<double> x(p.b.size());
  Stop stop;
  stop.relative = 0;
  stop.max_sweeps = 300;
  const Report r = Solver<double>(p.a, multigrid(p.a)).solve(p.b, x, stop);
  const double floor =
      rounding_floor(p.a, std::span<const double>(p.b), std::span<const double>(x), Norm::residual);
  if (!(r.norm_final <= 10 * floor))
    throw InputError(
        fmt::format("no solution to compare with: multigrid left a residual of {:.2e}, {:.2e} would be "
                    "rounding's",
                    r.norm_final, floor));
  return x;
}

double size_of(std::span<const double> v) {
  return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
}

/// What all have to reach: a 2-norm of the error or of the residual, and of what it is a share.
struct Goal {
  std::string what;
  double target = 0, size = 0;
  std::function<double(std::span<const double>)> miss;
  std::string in_words() const {
    return fmt::format("2-norm of the {} {:.6e}, {:.1e} of the {}'s", what, target, target / size,
                       what == "error" ? "solution" : "first");
  }
};

template <int D>
Goal goal_of(const MethodsBench& o, const Problem<double, D>& p) {
  if (o.rtol) {
    const double first = p.a.residual_norms(p.b, std::vector<double>(p.b.size())).l2;
    return {"residual", *o.rtol * first, first,
            [&p](std::span<const double> x) { return p.a.residual_norms(p.b, x).l2; }};
  }
  const auto exact = std::make_shared<const std::vector<double>>(solve_exactly(p));
  const double size = size_of(*exact);
  return {"error", o.error.value_or(2.5e-5 * size), size, [exact](std::span<const double> x) {
            double squares = 0;
            for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - (*exact)[i]) * (x[i] - (*exact)[i]);
            return std::sqrt(squares);
          }};
}

/// asked: runs that were to be made of each.
void print(const std::vector<Entrant>& list, const std::string& what, int asked) {
  fmt::print("  {:<16} {:>7} {:>9} {:>9} {:>12} {:>23} {:>10}\n", "method", "threads", "sweeps", "work",
             "time", "from to", what);
  for (const Entrant& e : list) {
    if (!e.sweeps) {
      fmt::print("  {:<16} {:>7} {}\n", e.name, e.threads, e.missed);
      continue;
    }
    const auto [low, high] = std::ranges::minmax(e.seconds);
    fmt::print("  {:<16} {:>7} {:>9} {:>9.4g} {:>12} {:>11} {:>11} {:>10.2e}  {}\n", e.name, e.threads,
               *e.sweeps, e.work, in_time(median(e.seconds)), in_time(low), in_time(high), e.miss,
               runs_in_words(e.disturbed, e.seconds.size(), asked));
  }
  for (const Entrant& e : list)
    if (!e.words.empty() && e.threads == list.front().threads) fmt::print("  {}: {}\n", e.name, e.words);
}

ordered_json row_of(const Entrant& e, const std::string& what) {
  ordered_json row;
  row["method"] = e.name;
  row["threads"] = e.threads;
  row["rung"] = e.ran.rung;
  row["simd"] = e.ran.simd;
  row["sweeps"] = or_null(e.sweeps);
  row["work"] = e.sweeps ? ordered_json(e.work) : ordered_json(nullptr);
  row["seconds_median"] = e.sweeps ? ordered_json(median(e.seconds)) : ordered_json(nullptr);
  row["seconds_runs"] = e.seconds;
  row["disturbed"] = e.disturbed > 0;
  row["disturbed_runs"] = e.disturbed;
  row[what] = e.sweeps ? ordered_json(e.miss) : ordered_json(nullptr);
  row["missed"] = or_null(e.missed);
  for (const Reached& r : e.curve) row["curve"].push_back({r.sweeps, r.seconds, or_null(r.miss)});
  return row;
}

io::Chart chart_of(const std::vector<Entrant>& list, const std::string& problem, const Goal& goal) {
  const std::string title = goal.what == "error" ? "Error" : "Residual";
  io::Chart chart{
      title + " against time: " + problem, "seconds", "2-norm of the " + goal.what, true, true, {}, {}};
  double from = std::numeric_limits<double>::infinity(), to = 0;
  for (const Entrant& e : list) {
    if (e.threads != list.back().threads) continue;
    io::Series series{e.name, {}, {}, "linespoints", {}};
    for (const Reached& r : e.curve)
      if (r.sweeps > 0) {
        series.x.push_back(r.seconds);
        series.y.push_back(r.miss);
        from = std::min(from, r.seconds);
        to = std::max(to, r.seconds);
      }
    chart.series.push_back(series);
  }
  chart.series.push_back({"asked for", {from, to}, {goal.target, goal.target}, "lines", {}});
  chart.notes = {fmt::format("{}; time of the sweeps, setup and checks not counted",
                             counted(list.back().threads, "thread"))};
  return chart;
}

template <int D>
int bench(const MethodsBench& o, const Box& box) {
  std::optional<Stage> before(std::in_place, nothing_measured);
  Problem<double, D> p = make_problem<double, D>(box, o.problem);
  if (p.a.singular() && !o.rtol)
    throw UsageError(
        "bench methods: no side is Dirichlet, so that the error has no one solution to refer to: take "
        "--rtol");
  if (p.a.singular()) make_compatible<double, D>(p.a, p.b);
  const Goal goal = goal_of(o, p);
  if (!(goal.size > 0))
    throw UsageError(
        fmt::format("bench methods: the {} is 0 from the start: there is nothing to reach", goal.what));
  const std::vector<Index> points(box.points.begin(), box.points.begin() + D);
  const std::string problem =
      fmt::format("{} points, right-hand side {}", fmt::join(points, " x "), o.problem.rhs);
  const Operator<double> a = p.a;
  Watch watch(shown_on_terminal());  // Ctrl-C ends it; what was measured is kept
  before.reset();
  std::vector<Entrant> list;
  for (const std::string& name : o.methods)
    for (const int threads : o.threads) {
      if (Watch::interrupted()) break;
      watch.says(fmt::format("{} on {}", name, counted(threads, "thread")));
      list.push_back({name, threads, {}});
      try {
        list.back().plan = plan_named(name, p.a);
        measure(list.back(), {a, p.b, goal.what, goal.miss, goal.target, o.max_seconds, o.repeat});
      } catch (const UsageError& error) {
        if (!o.all) throw;
        list.back().missed = fmt::format("left out: {}", error.what());
      } catch (const Interrupted&) {
        if (list.back().seconds.empty()) list.pop_back();  // else the runs made are kept
      }
    }
  watch.clear();
  if (list.empty()) throw Interrupted("nothing was measured yet");
  LastStep last;
  if (!o.chart.empty()) last.attempt("--chart", [&] { io::draw(chart_of(list, problem, goal), o.chart); });
  ordered_json json = describe_machine();
  json["bench"] = "methods";
  json["points"] = points;
  json["rhs"] = o.problem.rhs;
  json["unknowns"] = p.a.rows();
  json[goal.what] = goal.target;
  json[goal.what + "_relative"] = goal.target / goal.size;
  for (const Entrant& e : list) json["rows"].push_back(row_of(e, goal.what));
  if (o.json != "-") {
    fmt::print("{}; to a {}; {} each\n", problem, goal.in_words(), counted(o.repeat, "run"));
    print(list, goal.what, o.repeat);
  }
  write_found(last, {o.json, o.report, o.chart}, "jacobi bench methods", json,
              {chart_of(list, problem, goal)});
  return last.code_or(code_of_runs());
}

int run_methods(MethodsBench o) {
  o.all = o.methods.empty();
  if (o.all) o.methods.assign(std::begin(method_names), std::end(method_names));
  drop_repeats(o.methods);
  for (const std::string& name : o.methods)
    if (std::ranges::find(method_names, name) == std::end(method_names))
      throw UsageError(fmt::format("unknown method '{}': {}", name, fmt::join(method_names, ", ")));
  if (o.threads.empty()) o.threads = {available_cores()};
  drop_repeats(o.threads);
  for (const int n : o.threads) backend(fmt::format("threads:{}", n));  // throws for an absurd number
  check_outputs({json_file(o.json), chart_file(o.chart), report_file(o.report)}, files_read(o.problem));
  const Box box = read_box(o.box);
  require_room("bench methods", 2 * memory_needed(box, o.problem, sizeof(double)), "take fewer points");
  if (box.dimensions == 1) return bench<1>(o, box);
  return box.dimensions == 2 ? bench<2>(o, box) : bench<3>(o, box);
}

}  // namespace

void add_bench_methods(CLI::App& bench, Action& action) {
  CLI::App* sub = bench.add_subcommand("methods", "every method on one grid, to the same error or residual");
  auto o = std::make_shared<MethodsBench>();
  sub->add_option("--dim", o->box.dim, "dimensions")->check(CLI::Range(1, 3))->transform(whole());
  sub->add_option("--points", o->box.points,
                  "grid points per side, boundary included (default 512); 512x300 sets each")
      ->type_name("N");
  sub->add_option("--bc", o->box.bc, "what holds on each side, as for poisson")->type_name("SIDES");
  sub->add_option("--rhs", o->problem.rhs, "f of -div(k grad u) = f: a formula in x, y, z")
      ->capture_default_str();
  sub->add_option("--diffusion", o->problem.diffusion, "k: a formula (default 1)")->type_name("FORMULA");
  sub->add_option("--methods", o->methods,
                  fmt::format("methods to measure (default: all): {}", fmt::join(method_names, ", ")))
      ->delimiter(',')
      ->type_name(fmt::format("NAME,..:{{{}}}", fmt::join(method_names, ",")));
  sub->add_option("--threads", o->threads, "numbers of threads to measure, as in 1,2 (default: all cores)")
      ->delimiter(',')
      ->transform(whole())
      ->type_name("N,..");
  sub->add_option("--error", o->error,
                  "2-norm of the distance to the exact discrete solution to reach (default 2.5e-5 of the "
                  "solution's)")
      ->transform(finite_above_0())
      ->type_name("E");
  sub->add_option("--rtol", o->rtol,
                  "2-norm of the residual to reach in place of an error, relative to the first")
      ->transform(finite_above_0())
      ->type_name("R")
      ->excludes("--error");
  sub->add_option("--max-seconds", o->max_seconds, "a method that takes longer is left at what it reached")
      ->transform(finite_above_0())
      ->capture_default_str();
  sub->add_option("--repeat", o->repeat, "timed runs of each")
      ->check(CLI::Range(1, 1000))
      ->transform(whole())
      ->capture_default_str();
  sub->add_option("--json", o->json, "write the raw results as JSON ('-': standard output)")
      ->type_name("FILE");
  sub->add_option("--chart", o->chart, "draw error against time (needs gnuplot)")->type_name("FILE.svg|png");
  add_report_to(*sub, o->report);
  sub->footer("Example:\n  jacobi bench methods --points 129 --methods chebyshev,cg,multigrid");
  sub->callback([o, &action] { action = [o] { return run_methods(*o); }; });
}

}  // namespace jacobi::cli
