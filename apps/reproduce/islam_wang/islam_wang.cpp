/// `jacobi reproduce islam-wang`: the third source's tables and figures beside ours.
#include <fmt/format.h>

#include "apps/jacobi/html.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/options.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/report.hpp"
#include "apps/jacobi/run.hpp"
#include "apps/reproduce/reproduce.hpp"
#include "islam_wang.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct IslamWangOptions {
  RunOptions run;
  bool shortened = false;
  int dim = 0;
  std::optional<Index> max_overlap;
  std::string charts, report;
};

constexpr Index widest = 30, widest_2d = 16;  // in 2D, 30 shared points are 256 times the work

void print_head(bool shortened, const std::string& on) {
  fmt::print(
      "Islam, Wang: hierarchical Jacobi on a GPU (TITAN V), here on {}. Tiles of 32 (x 32), right-hand "
      "side and "
      "initial iterate 1, residual to 1e-4 of its initial 2-norm.\n"
      "Its overlap counts the unknowns that two neighbours share; --overlap counts per side, half of it. "
      "Cycles are "
      "counted by solving; time is the count times the measured time of a cycle.\n"
      "Its slips, not copied: d of the pentadiagonal matrix (equation 13 is right), equation 8 without its "
      "ceiling, "
      "neighbours declared int.\n",
      on);
  if (shortened) fmt::print("short: 256 unknowns per direction instead of 1024.\n");
}

std::string where_it_runs(const Backend& on) { return on.has_own_memory() ? "device " + on.name() : "a CPU"; }

/// The counts of one k, as soon as they are known.
void print_counts(const CycleTable& t, Index k) {
  if (k == source_subiterations.front()) {
    fmt::print(
        "\n{}D, {} unknowns per direction, {} cop{}: plain {} sweeps, {:.3g} s one by one, {:.3g} s {} "
        "(exact)\n",
        t.dimensions, t.interior, t.copies, t.copies == 1 ? "y" : "ies", t.plain_sweeps, t.classic_seconds,
        t.tiled_seconds, t.tiled_rung);
    if (!t.classic.empty()) {
      fmt::print("  classic, by {}:",
                 t.dimensions == 1 ? "threads per block" : "rows of 32 threads per block");
      for (const ClassicRun& run : t.classic) fmt::print("  {}: {:.3g} s", run.threads, run.seconds);
      fmt::print("\n");
    }
    if (t.upload_seconds)
      fmt::print("  to the device {:.3g} s, back {:.3g} s, not in these times\n", *t.upload_seconds,
                 *t.download_seconds);
    fmt::print("  cycles (seconds) over shared unknowns\n  {:>5}", "k");
    for (const CycleRun& run : t.runs) fmt::print(" {:>16}", run.overlap);
    fmt::print("\n");
  }
  fmt::print("  {:>5}", k);
  for (const CycleRun& run : t.runs)
    if (run.k == k) fmt::print(" {:>16}", fmt::format("{} ({:.3g})", run.cycles, run.seconds()));
  fmt::print("\n");
  show_printed();
}

void print_tables(const CycleTable& t) {
  const PublishedCycles p = published_cycles(t.dimensions);
  fmt::print(
      "\nTables {} and {}: speed-up over plain sweeps one by one\n"
      "               no overlap               |       best overlap, published       |          best "
      "overlap, here\n"
      "      k  published     here      cycles |  shared   published  here with it  |  shared  speed-up      "
      "cycles "
      " redundant work\n",
      t.dimensions == 1 ? 1 : 3, t.dimensions == 1 ? 2 : 4);
  for (std::size_t i = 0; i < source_subiterations.size(); ++i) {
    const Index k = source_subiterations[i];
    const CycleRun *none = t.find(k, 0), *theirs = t.find(k, p.best_overlap[i]), *best = t.fastest(k);
    if (!none || !best) continue;
    fmt::print(
        "  {:>5}  {:>9.2f} {:>8.2f}  {:>10} | {:>7} {:>11.2f} {:>13} | {:>8} {:>9.2f} {:>11} {:>13.0f} %\n",
        k, p.speedup[i], t.speedup(*none), none->cycles, p.best_overlap[i], p.best_speedup[i],
        theirs ? fmt::format("{:.2f}", t.speedup(*theirs)) : "-", best->overlap, t.speedup(*best),
        best->cycles, 100 * best->redundant_work);
  }
}

ordered_json as_json(const std::vector<CycleTable>& tables, const std::vector<Claim>& claims, bool shortened,
                     const std::string& on) {
  ordered_json json = describe_machine();
  json["source"] = "islam-wang";
  json["backend"] = on;
  json["shortened"] = shortened;
  json["tables"] = ordered_json::array();
  for (const CycleTable& t : tables) {
    const PublishedCycles p = published_cycles(t.dimensions);
    ordered_json one = {{"dimensions", t.dimensions},
                        {"interior", t.interior},
                        {"copies", t.copies},
                        {"tile", source_tile},
                        {"plain_sweeps", t.plain_sweeps},
                        {"seconds_plain", t.classic_seconds},
                        {"seconds_plain_by_block", ordered_json::object()},
                        {"seconds_tiled", t.tiled_seconds},
                        {"rung_plain", t.classic_rung},
                        {"rung_tiled", t.tiled_rung},
                        {"seconds_upload", or_null(t.upload_seconds)},
                        {"seconds_download", or_null(t.download_seconds)},
                        {"published_seconds_classic", p.classic_seconds},
                        {"published_speedup_no_overlap", p.speedup},
                        {"published_best_overlap", p.best_overlap},
                        {"published_speedup_best_overlap", p.best_speedup},
                        {"runs", ordered_json::array()}};
    for (const ClassicRun& run : t.classic)
      one["seconds_plain_by_block"][fmt::format("{} x {}", t.dimensions == 1 ? run.threads : 32,
                                                t.dimensions == 1 ? 1 : run.threads)] = run.seconds;
    for (const CycleRun& run : t.runs)
      one["runs"].push_back({{"subiterations", run.k},
                             {"shared", run.overlap},
                             {"overlap", run.overlap / 2},
                             {"cycles", run.cycles},
                             {"sweeps", run.k * run.cycles},
                             {"seconds", run.seconds()},
                             {"disturbed", run.disturbed},
                             {"seconds_per_cycle", run.seconds_per_cycle},
                             {"redundant_work", run.redundant_work},
                             {"bytes_per_update", run.bytes_per_update}});
    json["tables"].push_back(one);
  }
  json["claims"] = to_json(claims);
  return json;
}

void check(const IslamWangOptions& o) {
  check_outputs({json_file(o.run.json), report_file(o.report)});
  check_chart_folder(o.charts);
}

int run_islam_wang(const IslamWangOptions& o) {
  check(o);
  const bool talks = o.run.talks();
  Watch watch({});  // Ctrl-C ends it; rows appear as they are run
  CycleOptions cycles;
  cycles.shortened = o.shortened;
  cycles.on = o.run.make_backend();
  cycles.interrupted = Watch::interrupted;
  cycles.done = [&](const CycleTable& t, Index k) {
    if (talks) print_counts(t, k);
  };
  if (talks) print_head(o.shortened, where_it_runs(*cycles.on));
  std::vector<CycleTable> tables;
  for (const int dim : {1, 2}) {
    if (o.dim != 0 && o.dim != dim) continue;
    cycles.max_overlap = o.max_overlap.value_or(dim == 1 ? widest : widest_2d);
    watch.says(fmt::format("{}D", dim));
    tables.push_back(run_cycles(dim, cycles));
    if (Watch::interrupted()) break;  // what was measured is kept
    if (talks) print_tables(tables.back());
  }
  const bool whole = !Watch::interrupted();
  if (!whole && tables.back().runs.empty()) tables.pop_back();
  if (tables.empty()) throw Interrupted("nothing was measured yet");
  const std::vector<Claim> claims = whole ? cycle_claims(tables) : std::vector<Claim>();
  if (talks && whole) print_claims("What the source concludes, and what these tables say of it:", claims);
  LastStep last;
  write_found(last, {o.run.json, o.report}, "jacobi reproduce islam-wang",
              as_json(tables, claims, o.shortened, cycles.on->name()));
  if (!whole) return last.code_or(Exit::interrupted);
  if (o.charts.empty()) return last.code_or(Exit::converged);
  const auto paths = draw_cycles(tables, o.charts);
  if (talks) fmt::print("\n{} charts in {}\n", paths.size(), o.charts);
  return last.code_or(Exit::converged);
}

}  // namespace

void add_reproduce_islam_wang(CLI::App& reproduce, Action& action) {
  CLI::App* sub = reproduce.add_subcommand("islam-wang", "hierarchical Jacobi: subiterations and overlap");
  auto o = std::make_shared<IslamWangOptions>();
  sub->add_flag("--short", o->shortened,
                "256 unknowns per direction instead of 1024: minutes instead of hours");
  sub->add_option("--dim", o->dim, "only this part: 1 or 2 dimensions")
      ->check(CLI::Range(1, 2))
      ->transform(whole());
  sub->add_option("--max-overlap", o->max_overlap, "largest number of shared unknowns (default 30, in 2D 16)")
      ->check(CLI::Range(Index(0), widest))
      ->transform(whole())
      ->type_name("N");
  sub->add_option("--charts", o->charts, "draw figures 7, 9a, 9b, 12, 13a, 13b into this folder")
      ->type_name("FOLDER");
  sub->add_option("--threads", o->run.threads, "threads to use (default: every core)")
      ->transform(whole())
      ->type_name("N");
  sub->add_option("--backend", o->run.backend, "who sweeps: serial, threads, threads:N, cuda:N, opencl:N")
      ->type_name("NAME");
  sub->add_option("--json", o->run.json, "write the tables as JSON ('-': standard output)")
      ->type_name("FILE");
  sub->add_flag("--quiet", o->run.quiet, "print nothing but errors");
  add_report_to(*sub, o->report);
  sub->footer("Example:\n  jacobi reproduce islam-wang --short --charts .");
  sub->callback([o, &action] { action = [o] { return run_islam_wang(*o); }; });
}

}  // namespace jacobi::cli
