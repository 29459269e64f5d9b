/// `jacobi reproduce apple`: the second source's 656 rows beside ours.
#include <fmt/format.h>

#include <cmath>

#include "apple.hpp"
#include "apps/bench/contenders.hpp"
#include "apps/jacobi/commands.hpp"
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
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct AppleOptions {
  RunOptions run;
  Index max_n = 8192;
  std::string charts, report;
};

constexpr const char* m1 = "mac_mini_m1";
constexpr const char* iphone = "iphone13_mini";

std::string as_published(const AppleRow& row, const char* machine) {
  const auto at = row.published.find(machine);
  if (at == row.published.end()) return "-";
  return fmt::format("{:.4g}{}", at->second.ms, at->second.wrong() ? " WRONG" : "");
}

/// What handing over each sweep by itself takes, of a device that ran both ways; else nothing.
std::optional<double> ms_of_submission(const std::vector<AppleRow*>& rows) {
  double together = 0, one_by_one = 0;
  for (const AppleRow* row : rows) {
    if (row->device.empty() || row->ms.empty()) continue;
    if (row->variant.source.starts_with("METAL ONE")) together = row->mean();
    if (row->variant.source.starts_with("METAL MULTIPLE")) one_by_one = row->mean();
  }
  if (together == 0 || one_by_one == 0) return {};
  return (one_by_one - together) / apple_sweeps;
}

void print_table(const std::vector<AppleRow*>& rows) {
  const AppleRow& first = *rows.front();
  fmt::print("\n{}, by {}, n = {}: ms for 10 sweeps\n", first.type,
             first.layout == "row" ? "rows" : "columns", first.n);
  fmt::print("{:<28} {:>16} {:>16} | {:>10} {:>9}  {:>8}  rung\n", "variant", "M1", "iPhone 13 mini",
             "mean here", "spread", "RMS");
  for (const AppleRow* row : rows) {
    fmt::print("{:<28} {:>16} {:>16} | ", row->variant.name(), as_published(*row, m1),
               as_published(*row, iphone));
    if (row->ms.empty())
      fmt::print("not run: {}\n", row->why);
    else
      fmt::print(
          "{:>10.4g} {:>9.2g}  {:>8.1e}  {} on {}{}\n", row->mean(), row->spread(), row->rms.value_or(0),
          row->variant.rung, row->device.empty() ? std::to_string(row->threads) : row->device,
          row->disturbed > 0 ? ", " + runs_in_words(row->disturbed, row->ms.size(), apple_trials) : "");
  }
  if (const auto ms = ms_of_submission(rows))
    fmt::print("a submission for each sweep adds {:.4g} ms to it\n", *ms);
}

ordered_json as_json(const std::vector<AppleRow>& rows, const std::vector<Claim>& claims,
                     const std::string& on) {
  ordered_json json = describe_machine();
  json["source"] = "apple";
  json["backend"] = on;
  json["sweeps"] = apple_sweeps;
  json["trials"] = apple_trials;
  for (const AppleRow& row : rows) {
    ordered_json one = {
        {"type", row.type}, {"layout", row.layout}, {"n", row.n}, {"variant", row.variant.name()}};
    for (const auto& [machine, published] : row.published)
      one["published"][machine] = {
          {"ms", published.ms}, {"rms", or_null(published.rms)}, {"wrong", published.wrong()}};
    if (row.ms.empty()) {
      one["not_run"] = row.why;
    } else {
      one["rung"] = row.variant.rung;
      one["threads"] = row.threads;
      one["ms_mean"] = row.mean();
      one["ms_spread"] = row.spread();
      one["ms_trials"] = row.ms;
      one["disturbed"] = row.disturbed > 0;
      one["rms"] = *row.rms;
      one["device"] = or_null(row.device);
      one["ms_upload"] = or_null(row.upload_ms);
      one["ms_download"] = or_null(row.download_ms);
    }
    json["rows"].push_back(one);
  }
  json["claims"] = to_json(claims);
  return json;
}

int run_reproduce_apple(const AppleOptions& o) {
  check_outputs({json_file(o.run.json), report_file(o.report)});
  check_chart_folder(o.charts);
  if (o.max_n < 64) throw UsageError(fmt::format("--max-n {}: the source's sizes begin at 64", o.max_n));
  const bool talks = o.run.talks();
  const auto on = o.run.make_backend();
  std::vector<AppleRow> rows = apple_rows(o.max_n, *on);
  Watch watch(shown_on_terminal());  // Ctrl-C ends it between two sizes
  if (talks)
    fmt::print(
        "Apple numerical computing, dense Jacobi (2022): 10 sweeps from zero with the update norm after "
        "each, 10 "
        "trials; random matrices, symmetric, dominant, positive definite, of condition about 10.\n"
        "Its slips, not copied: gemv added to what was there before; half of the entries missed in the norm "
        "in "
        "double; rows left over dropped; a data race with threads: rows with RMS nan or huge are marked "
        "WRONG.\n");
  for (std::size_t first = 0, last; first < rows.size(); first = last) {
    std::vector<AppleRow*> group;
    for (last = first; last < rows.size() && rows[last].n == rows[first].n &&
                       rows[last].type == rows[first].type && rows[last].layout == rows[first].layout;
         ++last)
      group.push_back(&rows[last]);
    watch.says(fmt::format("n = {}", rows[first].n));
    run_apple(group, *on);
    watch.clear();
    if (talks) print_table(group);
    if (talks) show_printed();
    if (Watch::interrupted()) rows.resize(last);  // what was measured is kept
  }
  const bool whole = !Watch::interrupted();
  const std::vector<Claim> claims = whole ? apple_claims(rows) : std::vector<Claim>();
  if (talks && whole) print_claims("What the source concludes, and what these rows say of it:", claims);
  LastStep last;
  write_found(last, {o.run.json, o.report}, "jacobi reproduce apple", as_json(rows, claims, on->name()));
  if (!whole) return last.code_or(Exit::interrupted);
  if (o.charts.empty()) return last.code_or(Exit::converged);
  const auto paths = draw_apple(rows, o.charts);
  if (talks) fmt::print("\n{} charts in {}\n", paths.size(), o.charts);
  return last.code_or(Exit::converged);
}

}  // namespace

void add_reproduce_apple(CLI::App& reproduce, Action& action) {
  CLI::App* apple = reproduce.add_subcommand("apple", "dense Jacobi on a CPU in every variant (2022)");
  auto o = std::make_shared<AppleOptions>();
  apple->add_option("--max-n", o->max_n, "largest matrix")
      ->transform(whole())
      ->type_name("N")
      ->capture_default_str();
  apple->add_option("--charts", o->charts, "draw the source's charts into this folder")->type_name("FOLDER");
  apple
      ->add_option("--backend", o->run.backend,
                   "who sweeps: threads (as many as a row says), cuda:N, opencl:N")
      ->check([](const std::string& name) {
        return name == "threads" || !counts_threads(name)
                   ? ""
                   : "'" + name + "': its rows say how many threads; give threads, cuda:N or opencl:N";
      })
      ->type_name("NAME");
  apple->add_option("--json", o->run.json, "write the rows as JSON ('-': standard output)")
      ->type_name("FILE");
  apple->add_flag("--quiet", o->run.quiet, "print nothing but errors");
  add_report_to(*apple, o->report);
  apple->footer("Example:\n  jacobi reproduce apple --max-n 2048 --charts .");
  apple->callback([o, &action] { action = [o] { return run_reproduce_apple(*o); }; });
}

}  // namespace jacobi::cli
