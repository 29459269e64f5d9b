/// `jacobi reproduce loiseau`: the source's table and ours, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "apps/bench/parallel_algorithms.hpp"
#include "apps/jacobi/commands.hpp"
#include "apps/jacobi/html.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/options.hpp"
#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/report.hpp"
#include "apps/reproduce/reproduce.hpp"
#include "core/words.hpp"
#include "io/chart.hpp"
#include "jacobi/solver.hpp"
#include "machine/disturbance.hpp"
#include "published.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct LoiseauOptions {
  bool shortened = false;
  std::string chart, json, report;
  bool quiet = false;
};

constexpr double shortened_share = 0.05;

/// One line of the table: what the source measured, and what our counterpart is.
struct Row {
  std::string program;  ///< as the source calls it, or "ours"
  int threads = 1;
  std::string rung;
  Index check_every = 0, first_check = 0;
  std::optional<Index> published_sweeps;
  std::optional<double> published_seconds;
  std::optional<Report> measured;
  bool disturbed = false;        ///< other work took cores from it
  double projected_seconds = 0;  ///< for all sweeps, also where only a share was run
  bool is_stopped() const { return measured && measured->status == Status::interrupted; }
};

std::vector<Row> rows_of(const ordered_json& source) {
  std::vector<Row> rows;
  for (const auto& published : source["rows"]) {
    Row row;
    row.program = published["solver"];
    row.threads = published["threads"];
    row.published_sweeps = published["iterations"].get<Index>();
    row.published_seconds = published["seconds"].get<double>();
    const bool textbook = row.program == "textbook", nocopy = row.program == "no-copy";
    row.rung = textbook ? "textbook" : nocopy ? "no-copy" : "parallel";
    row.check_every = textbook ? 1 : nocopy ? 2 : 1000;
    row.first_check = textbook ? 1 : 2;  // its counter is tested before 2 is added
    rows.push_back(row);
  }
  rows.push_back({"ours: fused", 1, "fused", 1, 1, {}, {}, {}});
  rows.push_back({"ours: simd", 1, "simd", 0, 0, {}, {}, {}});
  for (int threads = 2; threads <= std::min(8, available_cores()); threads *= 2)
    rows.push_back({"ours: threads", threads, "threads", 0, 0, {}, {}, {}});
  for (int threads = 1; threads <= std::min(8, available_cores()); threads *= 2)
    rows.push_back({"ours: tiled", threads, "tiled", 0, 0, {}, {}, {}});
  return rows;
}

/// sin(2 pi x) sin(2 pi y) at the interior points of 512 x 512.
std::vector<double> right_hand_side(const Grid<double, 2>& grid) {
  using std::numbers::pi;
  std::vector<double> b;
  for (Index j = 0; j < grid.unknowns[1]; ++j)
    for (Index i = 0; i < grid.unknowns[0]; ++i)
      b.push_back(std::sin(2 * pi * grid.coordinate(0, i)) * std::sin(2 * pi * grid.coordinate(1, j)));
  return b;
}

void run_row(Row& row, const Stencil<double, 2>& a, const std::vector<double>& b, double tolerance,
             bool shortened, Watch& watch) {
  if (row.threads > available_cores() || !grid_rung(row.rung).compiled) return;
  Solver<double> solver(a, {plain(), row.rung},
                        row.rung == parallel_rung().name
                            ? parallel_algorithms(row.threads)
                            : backend(row.threads == 1 ? "serial" : fmt::format("threads:{}", row.threads)));
  Stop stop;
  stop.norm = Norm::update;
  stop.reference = Reference::none;
  stop.relative = 0;
  stop.absolute = tolerance;
  stop.check_every = row.check_every;
  stop.first_check = row.first_check;
  constexpr Index full = 128395;
  if (shortened) stop.max_sweeps = static_cast<Index>(shortened_share * full);
  stop.progress = [&](const Progress& p) { return watch(p); };
  std::vector<double> x(b.size());
  for (int left = 1;; --left) {  // repeated once, where other work took cores from it
    std::ranges::fill(x, 0.0);
    const machine::Stopwatch stopwatch;
    row.measured = solver.solve(b, x, stop);
    row.disturbed = stopwatch.stretch().disturbs(row.threads);
    if (!row.disturbed || left <= 0 || !shortened || Watch::interrupted()) break;
  }
  const Index whole = shortened ? row.published_sweeps.value_or(full) : row.measured->sweeps;
  row.projected_seconds = row.measured->seconds * static_cast<double>(whole) /
                          static_cast<double>(std::max<Index>(1, row.measured->sweeps));
}

std::string or_dash(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "-";
}

/// Threads of parallel algorithms are those of the cores that the first thread may use.
std::string missing_threads(int ran) {
  return fmt::format(" on {} thread{}: more were not given{}", ran, ran > 1 ? "s" : "",
                     std::getenv("OMP_PROC_BIND") ? " (OMP_PROC_BIND is set)" : "");
}

void print_table(const std::vector<Row>& rows, bool shortened) {
  const double published_base = rows.front().published_seconds.value_or(1),
               base = rows.front().projected_seconds;
  fmt::print("\n                       |          published            |              measured here\n");
  fmt::print(
      "program        threads | iterations  seconds  speed-up | sweeps   seconds{}  speed-up  GLUP/s  rung\n",
      shortened ? "*" : " ");
  for (const Row& row : rows) {
    const std::optional<double> speedup =
        row.published_seconds ? std::optional(published_base / *row.published_seconds) : std::nullopt;
    fmt::print("{:<14} {:>7} | {:>10}  {:>7}  {:>8} | ", row.program, row.threads,
               row.published_sweeps ? fmt::format("{}", *row.published_sweeps) : "-",
               or_dash(row.published_seconds, "{:.1f}"), or_dash(speedup, "{:.1f}"));
    if (row.is_stopped())
      fmt::print("stopped after {}\n", counted(row.measured->sweeps, "sweep"));
    else if (row.measured)
      fmt::print("{:>6}  {:>8}  {:>8.1f}  {:>6}  {}{}{}\n", row.measured->sweeps,
                 four_digits(row.projected_seconds), base / row.projected_seconds,
                 four_digits(row.measured->lups / 1e9), row.measured->rung,
                 row.disturbed ? ", disturbed" : "",
                 row.measured->threads < row.threads ? missing_threads(row.measured->threads) : "");
    else
      fmt::print("not run: {}\n",
                 row.threads > available_cores()
                     ? fmt::format("this process may use {}", counted(available_cores(), "core"))
                 : grid_rung(row.rung).compiled ? "interrupted before"
                                                : "the rung is not in this build");
  }
}

void print_head(bool shortened, double tolerance) {
  fmt::print(
      "Loiseau (2025): 2D Poisson, 512 x 512 points, f = sin(2 pi x) sin(2 pi y), stop at update 2-norm <= "
      "{:.10e}\n",
      tolerance);
  fmt::print(
      "slip 1: the source's text and kernels subtract the neighbours; for -laplacian u = f they are added, "
      "as here (the count is the same).\n");
  fmt::print(
      "slip 2: the source says tolerance 1e-8; its table comes from the square root of machine epsilon (1e-8 "
      "would take 133671 sweeps).\n");
  if (shortened)
    fmt::print(
        "short: 5 % of the sweeps are run, so none converges; seconds* are projected to the full number of "
        "sweeps.\n");
}

io::Chart chart_of(const std::vector<Row>& rows, bool shortened) {
  io::Series published{"published (Loiseau 2025)", {}, {}, "boxes", {}},
      measured{"measured here", {}, {}, "boxes", {}};
  for (const Row& row : rows) {
    const std::string label =
        row.threads == 1 ? row.program : fmt::format("{}, {} threads", row.program, row.threads);
    for (auto* series : {&published, &measured}) series->names.push_back(label);
    published.y.push_back(row.published_seconds.value_or(std::nan("")));
    measured.y.push_back(row.measured && !row.is_stopped() ? row.projected_seconds : std::nan(""));
  }
  io::Chart chart;
  chart.title = "Plain Jacobi, 512 x 512 points, to update norm 1.49e-8";
  chart.y_label = shortened ? "seconds (projected from 5 % of the sweeps)" : "seconds";
  chart.log_y = true;
  chart.series = {published, measured};
  chart.notes = {fmt::format("measured on {}, {} cores", describe_machine()["processor"].get<std::string>(),
                             available_cores())};
  return chart;
}

ordered_json as_json(const std::vector<Row>& rows, bool shortened, double tolerance) {
  ordered_json json = describe_machine();
  json["source"] = "loiseau";
  json["shortened"] = shortened;
  json["tolerance"] = tolerance;
  for (const Row& row : rows) {
    ordered_json one = {{"program", row.program},
                        {"threads", row.threads},
                        {"published_iterations", or_null(row.published_sweeps)},
                        {"published_seconds", or_null(row.published_seconds)}};
    one["sweeps"] = row.measured ? ordered_json(row.measured->sweeps) : ordered_json(nullptr);
    one["status"] = row.measured ? ordered_json(name(row.measured->status)) : ordered_json(nullptr);
    one["rung"] = row.rung;
    one["threads_run"] = row.measured ? ordered_json(row.measured->threads) : ordered_json(nullptr);
    one["seconds_run"] = row.measured ? ordered_json(row.measured->seconds) : ordered_json(nullptr);
    one["seconds"] =
        row.measured && !row.is_stopped() ? ordered_json(row.projected_seconds) : ordered_json(nullptr);
    one["disturbed"] = row.disturbed;
    one["lups"] = row.measured ? ordered_json(row.measured->lups) : ordered_json(nullptr);
    json["rows"].push_back(one);
  }
  return json;
}

int run_loiseau(const LoiseauOptions& o) {
  check_outputs({chart_file(o.chart), json_file(o.json), report_file(o.report)});
  const bool talks = !o.quiet && o.json != "-";
  const auto source = ordered_json::parse(published::k_loiseau_2d_poisson);
  const double tolerance = std::sqrt(std::numeric_limits<double>::epsilon());
  const auto a = poisson<double, 2>({510, 510});
  const auto b = right_hand_side(a.grid());
  std::vector<Row> rows = rows_of(source);
  if (talks) print_head(o.shortened, tolerance);
  Watch watch(shown_progress("auto", !talks));
  for (Row& row : rows) {
    watch.says(fmt::format("{} on {}", row.program, counted(row.threads, "thread")));
    run_row(row, a, b, tolerance, o.shortened, watch);
    if (Watch::interrupted()) break;  // what was measured is kept
  }
  watch.clear();
  if (talks) print_table(rows, o.shortened);
  LastStep last;
  if (!o.chart.empty()) last.attempt("--chart", [&] { io::draw(chart_of(rows, o.shortened), o.chart); });
  write_found(last, {o.json, o.report, o.chart}, "jacobi reproduce loiseau",
              as_json(rows, o.shortened, tolerance), {chart_of(rows, o.shortened)});
  return last.code_or(Watch::interrupted() ? Exit::interrupted : Exit::converged);
}

}  // namespace

void add_reproduce_loiseau(CLI::App& reproduce, Action& action) {
  CLI::App* loiseau =
      reproduce.add_subcommand("loiseau", "J.-C. Loiseau (2025): 2D Poisson, from textbook to threads");
  auto o = std::make_shared<LoiseauOptions>();
  loiseau->add_flag("--short", o->shortened, "run 5 % of the sweeps and project the time");
  loiseau->add_option("--chart", o->chart, "draw seconds, published and measured")
      ->type_name("FILE.svg|FILE.png");
  loiseau->add_option("--json", o->json, "write the table as JSON ('-': standard output)")->type_name("FILE");
  loiseau->add_flag("--quiet", o->quiet, "print nothing but errors");
  add_report_to(*loiseau, o->report);
  loiseau->footer("Example:\n  jacobi reproduce loiseau --short --chart ladder.svg");
  loiseau->callback([o, &action] { action = [o] { return run_loiseau(*o); }; });
}

}  // namespace jacobi::cli
