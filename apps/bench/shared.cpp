/// `jacobi bench shared`: sweeps on several threads beside processes that want the same cores.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/jacobi/html.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/progress.hpp"
#include "bench.hpp"
#include "busy.hpp"
#include "contenders.hpp"
#include "core/clock.hpp"
#include "dense_matrices.hpp"
#include "jacobi/jacobi.hpp"
#include "matrices.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct SharedBench {
  std::vector<int> threads = {1, 2, 4}, busy = {0, 1, 2};
  std::vector<std::string> only;
  int repeat = 7;
  double seconds = 0.1, at_most = 1.1;
  std::string json;
};

/// One way to sweep one problem.
struct Case {
  std::string name;
  std::function<std::unique_ptr<Sweeper<double>>(const Backend&)> bind;
  Method method = {};
  Index sweeps = 0, at_once = 1;  ///< of a run, and of one call: some milliseconds
};

/// The seconds of a case's runs on so many threads, and how many swept at their ends.
struct Row {
  std::string name;
  int busy, threads;
  std::vector<double> seconds = {};
  int swept = 0;
  double times = 0;        ///< those of one thread
  double times_first = 0;  ///< of a first measurement, where that says slower; else 0
  double spread = 1;       ///< the larger of one thread's two medians over the smaller
  int found_slower = 0;    ///< by how many measurements: a first one may say so by chance
  bool is_slower() const { return found_slower > 1; }
};

template <class A>
Case case_of(std::string name, A a, Plan plan) {
  const auto kept = std::make_shared<const Operator<double>>(std::move(a));
  return {std::move(name), [kept, plan](const Backend& on) { return on.bind(*kept, plan); }, plan.method};
}

template <int D>
void add_grid(std::vector<Case>& list, Index points) {
  std::array<Index, D> sides;
  sides.fill(points);
  const auto a = poisson<double, D>(sides);
  const auto add = [&](const char* name, Plan plan) {
    list.push_back(case_of(fmt::format("{} {}^{}", name, points, D), a, std::move(plan)));
  };
  add("plain", {plain(), "threads"});
  add("tiled", {plain()});
  add("red-black", red_black());
  Plan cycles = plain();
  cycles.by = D == 2 ? Tiling{{32, 32, 1}, 4, {3, 3, 0}} : Tiling{{32, 32, 8}, 4, {3, 3, 3}};
  add("cycles", cycles);
  add("cg", cg());
  add("multigrid", multigrid(a));
}

std::vector<Case> cases() {
  std::vector<Case> list;
  add_grid<2>(list, 256);
  add_grid<2>(list, 512);
  add_grid<3>(list, 128);
  const Csr<double> grid = grid_matrix<double>({255, 255}, true);
  for (const char* rung : {"threads", "compressed", "blocked", "sliced"}) {
    list.push_back(case_of(fmt::format("csr {} 65025", rung), grid, Plan(plain(), rung)));
  }
  for (const Index n : {256, 1024}) {
    const auto dense = std::make_shared<const DenseMatrix<double>>(
        dominant_matrix<double>(n, Layout::row_major, 0.9, false));
    for (const char* rung : {"threads", "fused", "paired"}) {
      Case one = case_of(fmt::format("dense {} {}", rung, n), dense->a, Plan(plain(), rung));
      one.bind = [dense, bind = one.bind](const Backend& on) { return bind(on); };
      list.push_back(std::move(one));
    }
  }
  return list;
}

/// Seconds of the case's sweeps from 0, bound anew: nothing is known of what is fastest.
double time_of(const Case& one, const Backend& on, Index sweeps, int& threads) {
  const std::unique_ptr<Sweeper<double>> sweeper = one.bind(on);
  const std::vector<double> b = general_rhs<double>(sweeper->rows()), x(b.size());
  sweeper->load(b, x);
  std::vector<Step> steps;
  Step before;
  std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the system then chooses a core for every run
  const Clock::time_point begin = Clock::now();
  Index call = sweeper->sweeps_per_cycle();  // calls grow as those of a solve do
  for (Index done = 0; done < sweeps; done += static_cast<Index>(steps.size())) {
    steps.clear();
    while (static_cast<Index>(steps.size()) < std::min(call, sweeps - done))
      steps.push_back(before = one.method.step(done + static_cast<Index>(steps.size()), before));
    sweeper->advance(steps, Want::nothing);
    call = std::min(2 * call, one.at_once);
  }
  threads = sweeper->executed().threads;
  return seconds_since(begin);
}

/// So many sweeps that one thread takes `seconds`, and so many of them at once that a call takes 5 ms.
void size(Case& one, double seconds) {
  const auto on = backend("threads:1");
  const Index cycle = one.bind(*on)->sweeps_per_cycle();
  int threads = 0;
  one.at_once = cycle;
  double took = 0;
  const auto quicker_of_two = [&] {  // a run may stand still for a while
    Watch::throw_if_interrupted("ended while sweeps were sized");
    const double first = time_of(one, *on, one.sweeps, threads);
    return first < seconds / 4 ? first : std::min(first, time_of(one, *on, one.sweeps, threads));
  };
  for (one.sweeps = cycle; (took = quicker_of_two()) < seconds / 4; one.sweeps *= 2) one.at_once = one.sweeps;
  const double each = took / static_cast<double>(one.sweeps);
  const auto whole = [&](double t) {
    return std::max<Index>(1, static_cast<Index>(t / each / static_cast<double>(cycle))) * cycle;
  };
  one.sweeps = whole(seconds);
  one.at_once = whole(5e-3);
}

/// The rows of one case, its threads in turn, one thread first and again: beside busy processes a median of
/// one thread is far from another one of the same.
std::vector<Row> measure(const Case& one, const SharedBench& o, int busy, int runs) {
  std::vector<Row> rows;
  for (const int threads : o.threads) rows.push_back({one.name, busy, threads});
  std::vector<double> again;
  const auto run_on = [&](Row& row) {
    Watch::throw_if_interrupted("ended while threads took turns");
    return time_of(one, *backend(fmt::format("threads:{}", row.threads)), one.sweeps, row.swept);
  };
  for (int run = 0; run < runs; ++run) {
    for (Row& row : rows) row.seconds.push_back(run_on(row));
    again.push_back(run_on(rows.front()));
  }
  Row& alone = rows.front();
  const double first = median(alone.seconds), second = median(again);
  alone.seconds.insert(alone.seconds.end(), again.begin(), again.end());
  for (Row& row : rows) {
    row.times = median(row.seconds) / median(alone.seconds);
    row.spread = std::max(first, second) / std::min(first, second);
    row.found_slower = row.threads > 1 && row.times > o.at_most * row.spread;
  }
  return rows;
}

/// The rows of one case; where one is slower, all are measured again, and what that finds is told. Beside
/// busy processes a run takes half as long again as the next one: the second look takes three times as many.
std::vector<Row> measure_twice(const Case& one, const SharedBench& o, int busy) {
  std::vector<Row> rows = measure(one, o, busy, o.repeat);
  const auto slower = [](const Row& row) { return row.found_slower > 0; };
  if (std::ranges::none_of(rows, slower)) return rows;
  std::vector<Row> again = measure(one, o, busy, 3 * o.repeat);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    again[k].found_slower += rows[k].found_slower;
    if (rows[k].found_slower > 0) again[k].times_first = rows[k].times;
  }
  return again;
}

int run_shared(SharedBench o) {
  drop_repeats(o.threads);
  std::erase(o.threads, 1);
  o.threads.insert(o.threads.begin(), 1);
  for (const int n : o.threads) backend(fmt::format("threads:{}", n));  // throws for an absurd number
  check_outputs({json_file(o.json)});
  const bool quiet = o.json == "-";
  std::vector<Row> all;
  std::vector<Case> list = cases();
  if (!o.only.empty())
    std::erase_if(list, [&](const Case& one) {
      return std::ranges::none_of(o.only,
                                  [&](const auto& word) { return one.name.find(word) != std::string::npos; });
    });
  if (list.empty()) throw UsageError("bench shared: no sweeps have one of these words in their names");
  if (!quiet)
    fmt::print("  {:<20} {:>5} {:>8} {:>10} {:>8} {:>8} {:>6}\n", "sweeps", "busy", "threads", "ms",
               "times 1", "spread", "swept");
  Watch watch(shown_on_terminal());
  const auto measure_all = [&](Case& one) {
    watch.says(one.name);
    size(one, o.seconds);
    for (const int busy : o.busy) {
      watch.says(fmt::format("{} beside {}", one.name, counted(busy, "busy process", "busy processes")));
      const Busy others(busy);
      for (Row& row : measure_twice(one, o, busy)) {
        watch.clear();
        if (!quiet) {
          fmt::print("  {:<20} {:>5} {:>8} {:>10.4g} {:>8.3f} {:>8.3f} {:>6}{}\n", row.name, row.busy,
                     row.threads, 1e3 * median(row.seconds), row.times, row.spread, row.swept,
                     row.is_slower()        ? "  slower, twice"
                     : row.found_slower > 0 ? "  slower once"
                                            : "");
          show_printed();
        }
        all.push_back(std::move(row));
      }
    }
  };
  try {
    std::ranges::for_each(list, measure_all);
  } catch (const Interrupted&) {
    if (all.empty()) throw Interrupted("nothing was measured yet");
  }
  const auto slower = std::ranges::count_if(all, [&](const Row& row) { return row.is_slower(); });
  if (!quiet)
    fmt::print("{} of {} rows take more than {} times as long as on one thread, and its spread, twice\n",
               slower, all.size(), o.at_most);
  LastStep last;
  ordered_json json = describe_machine();
  json["bench"] = "shared";
  json["at_most"] = o.at_most;
  for (const Row& row : all)
    json["rows"].push_back({{"name", row.name},
                            {"busy", row.busy},
                            {"threads", row.threads},
                            {"seconds_runs", row.seconds},
                            {"times", row.times},
                            {"times_first", row.times_first},
                            {"spread", row.spread},
                            {"swept", row.swept}});
  write_found(last, {o.json, {}}, "", json);
  return last.code_or(Watch::interrupted() ? Exit::interrupted : slower > 0 ? 1 : 0);
}

}  // namespace

void add_bench_shared(CLI::App& bench, Action& action) {
  CLI::App* sub = bench.add_subcommand(
      "shared", "more threads than one are never slower: every algorithm beside busy processes");
  auto o = std::make_shared<SharedBench>();
  sub->add_option("--threads", o->threads, "numbers of threads, each against one")
      ->delimiter(',')
      ->transform(whole())
      ->type_name("N,..")
      ->capture_default_str();
  sub->add_option("--busy", o->busy, "numbers of busy processes beside it")
      ->delimiter(',')
      ->check(CLI::Range(0, 64))
      ->transform(whole())
      ->type_name("N,..")
      ->capture_default_str();
  sub->add_option("--only", o->only, "only sweeps whose names have one of these words")
      ->delimiter(',')
      ->type_name("WORD,..");
  sub->add_option("--repeat", o->repeat, "timed runs of each, in turn")
      ->check(CLI::Range(1, 1000))
      ->transform(whole())
      ->capture_default_str();
  sub->add_option("--seconds", o->seconds, "seconds that a run takes on one thread")
      ->transform(finite_above_0())
      ->capture_default_str();
  sub->add_option("--at-most", o->at_most, "times of one thread that others may take; more: exit code 1")
      ->transform(finite_above_0())
      ->capture_default_str();
  sub->add_option("--json", o->json, "write the raw results as JSON ('-': standard output)")
      ->type_name("FILE");
  sub->footer("Example:\n  jacobi bench shared --only multigrid --busy 0,2");
  sub->callback([o, &action] { action = [o] { return run_shared(*o); }; });
}

}  // namespace jacobi::cli
