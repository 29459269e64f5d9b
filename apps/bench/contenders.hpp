/// What every bench has in common: contenders verified, then timed in turn, and told as table, JSON and
/// chart.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/jacobi/progress.hpp"
#include "core/executed.hpp"
#include "core/median.hpp"
#include "io/chart.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/sweeper.hpp"
#include "machine/limit.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

/// What a Stage says until there is something to keep.
inline constexpr const char* nothing_measured = "nothing was measured yet: no file was written";

/// What was named twice is measured once.
template <class T>
void drop_repeats(std::vector<T>& list) {
  std::vector<T> once;
  for (T& item : list)
    if (std::find(once.begin(), once.end(), item) == once.end()) once.push_back(std::move(item));
  list = std::move(once);
}

class LastStep;

/// Options of every bench.
struct BenchRun {
  std::string precision = "double";
  std::vector<int> threads;
  std::vector<std::string> rungs;
  int repeat = 7;
  double seconds = 0.2;
  std::string json, chart, report;
  std::shared_ptr<std::vector<io::Chart>> charts =
      std::make_shared<std::vector<io::Chart>>();  ///< of --report
  std::shared_ptr<Watch> watch = {};               ///< made by check(): Ctrl-C then ends the bench as it says
  std::shared_ptr<std::optional<Stage>> before = {};  ///< while nothing is measured: then it ends at once

  /// names: those that --rungs may hold.
  void add_to(CLI::App& app, const std::string& names);
  CLI::Option* add_precision_to(CLI::App& app);
  /// Fills in the numbers of threads, each once, and begins to watch for Ctrl-C. Throws: UsageError,
  /// InputError, BackendError for what cannot be done, or would replace one of the files `read`.
  void check(const std::vector<std::string>& read = {});
  bool wants(const std::string& name) const;
  /// Writes --json and --report, where they are asked for.
  void write(LastStep& last, const nlohmann::ordered_json& found) const;
  /// "7 runs of 0.2 s in turn".
  std::string in_words() const;
};

/// One way to sweep with one number of threads, and the rates of its runs.
struct Contender {
  std::string name;
  int threads = 1;
  std::size_t steps = 1;  ///< of one timed run
  std::vector<double> rates = {};
  int disturbed = 0;  ///< runs kept although other work took cores from them, again and again
  Executed ran = {};
  machine::Work work = {};
  std::optional<machine::Limit> limit = {};  ///< none while the ceilings are unknown
  double typical() const { return median(rates); }
  /// Run by run, which a drift of the machine meets alike: the median of these ratios.
  double times(const Contender& other) const {
    std::vector<double> ratios(std::min(rates.size(), other.rates.size()));
    for (std::size_t r = 0; r < ratios.size(); ++r) ratios[r] = rates[r] / other.rates[r];
    return median(ratios);
  }
  std::optional<double> fraction() const {
    return limit ? std::optional(typical() / limit->lups) : std::nullopt;
  }
};

/// Of the contenders on at most so many threads and not named so, the one that `mine` exceeds least; none:
/// null.
const Contender* best_other(const std::vector<Contender>& list, const Contender& mine, int threads,
                            const std::vector<std::string>& but);

/// The rows of the table: rung 0 and those wanted, with each number of threads where they use it.
std::vector<Contender> contenders(const BenchRun& run, std::span<const Rung> rungs);

/// Throws: UsageError naming `what` and the cure where that many bytes are more than there are.
void require_room(const std::string& what, double bytes, const std::string& cure);

/// What binds a contender's sweeper.
std::shared_ptr<const Backend> backend_of(const Contender& contender);

/// Right-hand side in [1, 2) without a pattern that a sweep could use.
template <class T>
std::vector<T> general_rhs(Index rows);

/// sweepers[i] runs list[i]. The first one is the reference; `exact` tells those that must have its bits.
template <class T>
class Race {
 public:
  Race(std::vector<Contender>& list, std::vector<std::unique_ptr<Sweeper<T>>> sweepers)
      : list_(list), sweepers_(std::move(sweepers)) {}

  /// Every contender must reach the bits of the first one, those named `loose` its values within rounding;
  /// all must have run itself. `probes` make no sweeps. Throws: logic_error, Interrupted.
  void verify(std::vector<T> b, int sweeps, const std::vector<std::string>& loose = {},
              const std::vector<std::string>& probes = {});
  /// Runs of about `seconds` in turn, and after each turn `more`, so that a drift of the machine meets all
  /// alike. A run that lost cores to other work is repeated, at most as many in all as there are runs; what
  /// is disturbed then is kept and counted. Throws: Interrupted where not all have had a run; later, what was
  /// measured is kept.
  void run(
      const BenchRun& run, const std::function<void()>& more = [] {});

 private:
  double time(std::size_t c);
  double time_undisturbed(std::size_t c);

  std::vector<Contender>& list_;
  std::vector<std::unique_ptr<Sweeper<T>>> sweepers_;
  std::vector<T> b_;
  std::vector<Step> steps_;
  std::vector<int> repeats_left_;  ///< of each contender
};

/// Looks up what the machine allows each, whose `work` is set.
void set_limits(std::vector<Contender>& list, const std::optional<machine::Ceilings>& ceilings);
/// 0, or the exit code of runs that Ctrl-C ended.
int code_of_runs();
/// "disturbed in 2 of 7 runs, stopped after 3 of 7 runs", or nothing. asked: runs that were to be made.
std::string runs_in_words(int disturbed, std::size_t runs, int asked);
nlohmann::ordered_json rows_of(const std::vector<Contender>& list);
/// asked: runs that were to be made of each.
void print_table(const std::vector<Contender>& list, int asked);
/// Every contender with the threads that it does best with, under the machine's roofs.
io::Chart chart_of(const std::vector<Contender>& list, const std::string& title);

}  // namespace jacobi::cli
