/// Counts and times the third source's cycles.
#include <algorithm>
#include <atomic>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/jacobi/options.hpp"
#include "core/clock.hpp"
#include "core/executed.hpp"
#include "core/teams.hpp"
#include "islam_wang.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "machine/disturbance.hpp"
#include "published.hpp"

namespace jacobi::cli {

const CycleRun* CycleTable::find(Index k, Index overlap) const {
  const auto at =
      std::ranges::find_if(runs, [&](const CycleRun& r) { return r.k == k && r.overlap == overlap; });
  return at == runs.end() ? nullptr : &*at;
}

const CycleRun* CycleTable::fastest(Index k) const {
  const CycleRun* best = nullptr;
  for (const CycleRun& run : runs)
    if (run.k == k && (!best || run.seconds() < best->seconds())) best = &run;
  return best;
}

std::size_t CycleTable::disturbed() const {
  return static_cast<std::size_t>(std::ranges::count_if(runs, &CycleRun::disturbed)) + classic_disturbed +
         tiled_disturbed;
}

PublishedCycles published_cycles(int dimensions) {
  const auto source = nlohmann::json::parse(published::k_islam_wang_hierarchical);
  const auto& table = source[dimensions == 1 ? "one_dimensional" : "two_dimensional"];
  PublishedCycles p;
  double ms = std::numeric_limits<double>::infinity();
  if (dimensions == 1)
    for (const auto& one : table["classic_ms_by_threads_per_block"]) ms = std::min(ms, one.get<double>());
  else
    ms = table["classic_best_ms"];
  p.classic_seconds = ms / 1000;
  p.speedup = table["speedup_no_overlap"].get<std::vector<double>>();
  p.best_speedup = table["speedup_optimal_overlap"].get<std::vector<double>>();
  p.best_overlap =
      table[dimensions == 1 ? "optimal_overlap" : "optimal_overlap_xy"].get<std::vector<Index>>();
  return p;
}

namespace {

const std::vector<Index> source_blocks_1d{32, 64, 128, 256, 512}, source_blocks_2d{4, 8, 16, 32};
constexpr Index overlaps[] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 24, 30};

/// Right-hand side 1, initial iterate 1, until the residual is 1e-4 of its initial 2-norm.
Stop source_stop(const std::function<bool()>& interrupted) {
  Stop stop;
  stop.relative = 1e-4;
  stop.reference = Reference::initial;
  stop.check_every = 1;
  stop.max_sweeps = 1'000'000'000;
  stop.progress = [&interrupted](const Progress&) { return !interrupted(); };
  return stop;
}

Plan plan_of(const Tiling& tiling) {
  Plan plan;
  plan.by = tiling;
  return plan;
}

/// One copy, whose count is that of every other, on one thread: others count at the same time. A device
/// counts alone.
template <int D>
Report count(const Stencil<double, D>& a, const Plan& plan, const CycleOptions& o) {
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> x = b;
  const auto on = o.on->has_own_memory() ? o.on : backend("serial");
  return Solver<double>(a, plan, on).solve(b, x, source_stop(o.interrupted));
}

/// All plans, the last and most laborious ones first, so many at a time.
template <int D>
std::vector<Report> count_all(const Stencil<double, D>& a, const std::vector<Plan>& plans,
                              const CycleOptions& o) {
  std::vector<Report> reports(plans.size());
  std::atomic<std::size_t> taken = 0;
  const auto work = [&] {
    for (std::size_t i; (i = taken++) < plans.size();) {
      const std::size_t at = plans.size() - 1 - i;
      reports[at] = count<D>(a, plans[at], o);
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < startable(o.on->threads()); ++t) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return reports;
}

struct RoundTime {
  double seconds = std::numeric_limits<double>::infinity();
  bool disturbed = false;  ///< the run that they are of
};

/// Throws: Interrupted where the run was to end.
void go_on_with_cycles(const CycleOptions& o) {
  if (o.interrupted()) throw Interrupted("ended while cycles were run");
}

/// Seconds per round of `sweeps` sweeps: the best of at least three runs, for about `seconds`. want: nothing,
/// or what makes a device tell that it has come to the end. reads_b: the right-hand side is not one number,
/// which a device would not read; the source's sweeps do.
RoundTime time_rounds(Sweeper<double>& sweeper, Index rows, Index sweeps, double seconds, Want want,
                      bool reads_b, int threads, const CycleOptions& o) {
  std::vector<double> b(static_cast<std::size_t>(rows), 1.0);
  if (reads_b) b.back() = 2;
  sweeper.load(b, b);
  std::vector<Step> steps(static_cast<std::size_t>(sweeps));
  RoundTime best;
  double spent = 0;
  for (int run = 0; run < 3 || spent < seconds; ++run) {
    go_on_with_cycles(o);
    const machine::Stopwatch watch;
    const auto begin = Clock::now();
    sweeper.advance(steps, want);
    const double took = seconds_since(begin);
    spent += took;
    const double round = took * static_cast<double>(sweeps) / static_cast<double>(steps.size());
    if (round < best.seconds) best = {round, threads > 0 && watch.stretch().disturbs(threads)};
    if (took < seconds / 20) steps.resize(2 * steps.size());
  }
  return best;
}

/// counted: of one copy; timed: of all. E: the dimensions of a batch are two. Throws: Interrupted.
template <int D, int E>
void run_table(const Stencil<double, D>& counted, const Stencil<double, E>& timed, const CycleOptions& o,
               CycleTable& table) {
  const double seconds = o.shortened ? 0.05 : 0.3, thorough = 1;  // plain sweeps: all is compared with them
  const bool here = !o.on->has_own_memory();
  Executed ran;
  bool disturbed = false;  // what was timed last
  const auto time = [&](const Plan& plan, Index sweeps, double least) {
    const auto sweeper = o.on->bind(Operator<double>(timed), plan);
    const RoundTime round =
        time_rounds(*sweeper, timed.rows(), sweeps, least, here ? Want::nothing : Want::update, !here,
                    here ? sweeper->executed().threads : 0, o);
    disturbed = round.disturbed;
    if (!here) {
      std::vector<double> x(static_cast<std::size_t>(timed.rows()));
      sweeper->store(x);
    }
    ran = sweeper->executed();
    return round.seconds;
  };
  table.plain_sweeps = count<D>(counted, {}, o).sweeps;
  go_on_with_cycles(o);
  const double sweeps = static_cast<double>(table.plain_sweeps);
  if (here) {
    table.classic_seconds = sweeps * time({plain(), "threads"}, 1, thorough);
  } else {
    for (const Index threads : D == 1 ? source_blocks_1d : source_blocks_2d) {
      const Blocking block{D == 1 ? std::array<Index, 3>{threads, 1, 1}
                                  : std::array<Index, 3>{32, threads, 1}};
      try {
        table.classic.push_back({threads, sweeps * time({plain(), "classic", block}, 1, thorough)});
      } catch (const UsageError&) {  // larger than the device's
      }
    }
    if (table.classic.empty())
      throw BackendError("no block of the source's is one of device " + o.on->name());
    table.classic_seconds = std::ranges::min(table.classic, {}, &ClassicRun::seconds).seconds;
  }
  table.classic_rung = ran.rung;
  table.classic_disturbed = disturbed;
  if (!here) table.device = ran.simd;
  if (ran.upload_seconds > 0) {
    table.upload_seconds = ran.upload_seconds;
    table.download_seconds = ran.download_seconds;
  }
  table.tiled_seconds =
      sweeps * time({plain(), here ? "tiled" : o.on->device_rungs().grid_tiled}, 64, thorough) / 64;
  table.tiled_rung = ran.rung;
  table.tiled_disturbed = disturbed;
  for (const Index k : source_subiterations) {
    std::vector<Plan> plans;
    for (const Index shared : overlaps)
      if (shared <= o.max_overlap)
        plans.push_back(
            plan_of({{source_tile, D > 1 ? source_tile : 1, 1}, k, {shared / 2, D > 1 ? shared / 2 : 0, 0}}));
    const std::vector<Report> reports = count_all<D>(counted, plans, o);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      go_on_with_cycles(o);
      const Tiling& one = *plans[i].tiling();
      table.runs.push_back({k, 2 * one.overlap[0], reports[i].cycles.value_or(0),
                            time(plan_of(D == E ? one : batch(one)), k, seconds),
                            reports[i].redundant_work.value_or(0), reports[i].bytes_per_update});
      table.runs.back().disturbed = disturbed;
    }
    o.done(table, k);
  }
}

/// As much of the table as there was time for.
template <int D, int E>
CycleTable table_of(const Stencil<double, D>& counted, const Stencil<double, E>& timed,
                    const CycleOptions& o) {
  CycleTable table{D, counted.grid().unknowns[0], timed.rows() / counted.rows()};
  try {
    run_table<D, E>(counted, timed, o, table);
  } catch (const Interrupted&) {  // what was run is kept
  }
  return table;
}

}  // namespace

CycleTable run_cycles(int dimensions, const CycleOptions& o) {
  const Index n = o.shortened ? 256 : 1024;
  if (dimensions == 2) {
    const auto a = poisson<double, 2>({n, n});
    return table_of<2, 2>(a, a, o);
  }
  const auto a = poisson<double, 1>({n});
  return table_of<1, 2>(a, batch(a, n), o);
}

}  // namespace jacobi::cli
