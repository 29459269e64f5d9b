#include "contenders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "apps/jacobi/ceilings.hpp"
#include "apps/jacobi/html.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/report.hpp"
#include "core/clock.hpp"
#include "core/memory.hpp"
#include "core/words.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "machine/disturbance.hpp"
#include "parallel_algorithms.hpp"
#include "roofline.hpp"

namespace jacobi::cli {

CLI::Option* BenchRun::add_precision_to(CLI::App& app) {
  return app.add_option("--precision", precision, "of matrix and vectors")
      ->check(one_of({"double", "float"}))
      ->capture_default_str();
}

void BenchRun::add_to(CLI::App& app, const std::string& names) {
  app.add_option("--threads", threads,
                 "numbers of threads to measure, as in 1,2 (default: 1, 2, 4, ... cores)")
      ->delimiter(',')
      ->transform(whole())
      ->type_name("N,..");
  app.add_option("--rungs", rungs, "rungs to measure beside rung 0, as in simd,threads (default: all)")
      ->delimiter(',')
      ->type_name(fmt::format("NAME,..:{{{}}}", names));
  app.add_option("--repeat", repeat, "runs of each rung")
      ->check(CLI::Range(1, 1000))
      ->transform(whole())
      ->capture_default_str();
  app.add_option("--seconds", seconds, "length of one run")
      ->check(finite_from(0.001))
      ->check(CLI::Range(0.001, 60.0))
      ->capture_default_str();
  app.add_option("--json", json, "write the raw results as JSON ('-': standard output)")->type_name("FILE");
  app.add_option("--chart", chart,
                 "draw the rates under the roofs that 'jacobi info --measure' measured (needs gnuplot)")
      ->type_name("FILE.svg|png");
  add_report_to(app, report);
}

void BenchRun::write(LastStep& last, const nlohmann::ordered_json& found) const {
  write_found(last, {json, report, chart}, "jacobi bench " + found.value("bench", ""), found, *charts);
}

void BenchRun::check(const std::vector<std::string>& read) {
  if (threads.empty())
    for (int n = 1; n <= available_cores(); n *= 2) threads.push_back(n);
  drop_repeats(threads);
  for (const int n : threads) backend(fmt::format("threads:{}", n));  // throws for an absurd number
  check_outputs({json_file(json), chart_file(chart), report_file(report)}, read);
  watch = std::make_shared<Watch>(shown_on_terminal());
  before =
      std::make_shared<std::optional<Stage>>(std::in_place, nothing_measured);  // which a Watch would end
}

bool BenchRun::wants(const std::string& name) const {
  return rungs.empty() || std::find(rungs.begin(), rungs.end(), name) != rungs.end();
}

std::string BenchRun::in_words() const {
  return fmt::format("{} of {:g} s in turn", counted(repeat, "run"), seconds);
}

namespace {
bool among(const std::vector<std::string>& names, const Contender& c) {
  return std::find(names.begin(), names.end(), c.name) != names.end();
}
}  // namespace

const Contender* best_other(const std::vector<Contender>& list, const Contender& mine, int threads,
                            const std::vector<std::string>& but) {
  const Contender* best = nullptr;
  for (const Contender& c : list)
    if (!among(but, c) && c.threads <= threads && (!best || mine.times(c) < mine.times(*best))) best = &c;
  return best;
}

std::vector<Contender> contenders(const BenchRun& run, std::span<const Rung> rungs) {
  std::vector<Contender> list;
  for (const Rung& rung : rungs) {
    if (!rung.compiled || !(rung.number == 0 || run.wants(rung.name))) continue;
    for (const int n : run.threads)
      if (rung.parallel || n == run.threads.front()) list.push_back({rung.name, rung.parallel ? n : 1});
  }
  return list;
}

void require_room(const std::string& what, double bytes, const std::string& cure) {
  jacobi::require_room(bytes, what + " need", cure);
}

std::shared_ptr<const Backend> backend_of(const Contender& c) {
  if (c.name == parallel_rung().name) return parallel_algorithms(c.threads);
  return backend(c.threads == 1 ? "serial" : fmt::format("threads:{}", c.threads));
}

template <class T>
std::vector<T> general_rhs(Index rows) {
  std::vector<T> b(static_cast<std::size_t>(rows));
  for (std::size_t p = 0; p < b.size(); ++p)
    b[p] = static_cast<T>(1 + static_cast<double>(p * 2654435761u % 1000) / 1000);
  return b;
}
template std::vector<double> general_rhs(Index);
template std::vector<float> general_rhs(Index);

namespace {

/// Largest distance of two iterates, relative to the largest entry.
template <class T>
double distance(std::span<const T> a, std::span<const T> b) {
  double most = 0, size = 0;
  for (std::size_t p = 0; p < a.size(); ++p) {
    most = std::max(most, std::abs(static_cast<double>(a[p]) - static_cast<double>(b[p])));
    size = std::max(size, std::abs(static_cast<double>(a[p])));
  }
  return most / size;
}

}  // namespace

template <class T>
void Race<T>::verify(std::vector<T> b, int sweeps, const std::vector<std::string>& loose,
                     const std::vector<std::string>& probes) {
  b_ = std::move(b);
  steps_.assign(static_cast<std::size_t>(sweeps), {});
  std::vector<T> expected(b_.size()), found(b_.size());
  for (std::size_t c = 0; c < list_.size(); ++c) {
    if (among(probes, list_[c])) continue;
    Watch::throw_if_interrupted("ended while rungs were verified");
    const std::string who = fmt::format("rung '{}' on {} threads", list_[c].name, list_[c].threads);
    std::fill(found.begin(), found.end(), T(0));
    sweepers_[c]->load(b_, found);
    sweepers_[c]->advance(steps_, Want::nothing);
    sweepers_[c]->store(c == 0 ? expected : found);
    list_[c].ran = sweepers_[c]->executed();
    if ((list_[c].ran.rung != list_[c].name || list_[c].ran.sweeps != sweeps))
      throw std::logic_error(
          fmt::format("{} was asked for, '{}' ran {} sweeps", who, list_[c].ran.rung, list_[c].ran.sweeps));
    if (c == 0) continue;
    const bool same = among(loose, list_[c])
                          ? distance<T>(expected, found) < 1e3 * std::numeric_limits<T>::epsilon()
                          : std::memcmp(expected.data(), found.data(), expected.size() * sizeof(T)) == 0;
    if (!same) throw std::logic_error(who + " differs from rung 0");
  }
}

template <class T>
double Race<T>::time(std::size_t c) {
  steps_.resize(list_[c].steps);
  const auto begin = Clock::now();
  sweepers_[c]->advance(steps_, Want::nothing);
  return seconds_since(begin);
}

template <class T>
double Race<T>::time_undisturbed(std::size_t c) {
  for (;;) {
    const machine::Stopwatch watch;
    const double took = time(c);
    if (!watch.stretch().disturbs(list_[c].threads)) return took;
    if (repeats_left_[c]-- <= 0 || Watch::interrupted()) {
      ++list_[c].disturbed;
      return took;
    }
  }
}

template <class T>
void Race<T>::run(const BenchRun& run, const std::function<void()>& more) {
  const auto says = [&](const std::string& doing, std::size_t c) {
    run.watch->says(fmt::format("{}: {} on {}", doing, list_[c].name, counted(list_[c].threads, "thread")));
  };
  for (std::size_t c = 0; c < list_.size(); ++c) {
    Watch::throw_if_interrupted("ended before a run of each");
    says("first sweeps", c);
    std::size_t& steps = list_[c].steps;
    while (!sweepers_[c]->executed().settled)
      if (time(c) < 0.01) steps *= 2;  // many sweeps a call: a call wakes the threads
    double took = time(c);
    constexpr std::size_t most = std::size_t(1) << 24;
    for (; took < run.seconds / 4 && steps < most; took = time(c)) steps *= 2;
    const double fitting =
        static_cast<double>(steps) * run.seconds / took;  // a blocked rung makes its blocks
    const Index least = sweepers_[c]->sweeps_at_once();
    steps = static_cast<std::size_t>(
        std::max(fitting, least > 1 ? std::max(64.0, static_cast<double>(least)) : 1));
  }
  repeats_left_.assign(list_.size(), run.repeat);
  for (int r = 0; r < run.repeat && !(r > 0 && Watch::interrupted()); ++r) {
    for (std::size_t c = 0; c < list_.size() && !(r > 0 && Watch::interrupted()); ++c) {
      Watch::throw_if_interrupted("ended before a run of each");
      says(fmt::format("run {} of {}", r + 1, run.repeat), c);
      list_[c].rates.push_back(static_cast<double>(sweepers_[c]->rows()) *
                               static_cast<double>(list_[c].steps) / time_undisturbed(c));
    }
    more();
    run.before->reset();
  }
  run.watch->clear();
  for (std::size_t c = 0; c < list_.size(); ++c) {
    list_[c].ran = sweepers_[c]->executed();
    list_[c].work.bytes_per_update = sweepers_[c]->bytes_per_update();
  }
}

template class Race<double>;
template class Race<float>;

void set_limits(std::vector<Contender>& list, const std::optional<machine::Ceilings>& ceilings) {
  if (ceilings)
    for (Contender& c : list) c.limit = machine::limit_of(c.work, *ceilings);
}

int code_of_runs() { return Watch::interrupted() ? Exit::interrupted : 0; }

std::string runs_in_words(int disturbed, std::size_t runs, int asked) {
  std::string words = disturbed > 0 ? fmt::format("disturbed in {} of {} runs", disturbed, runs) : "";
  if (runs < static_cast<std::size_t>(asked))
    words += fmt::format("{}stopped after {} of {} runs", words.empty() ? "" : ", ", runs, asked);
  return words;
}

nlohmann::ordered_json rows_of(const std::vector<Contender>& list) {
  nlohmann::ordered_json rows;
  for (const Contender& c : list)
    rows.push_back({{"rung", c.ran.rung},
                    {"threads", c.ran.threads},
                    {"threads_asked", c.threads},
                    {"simd", c.ran.simd},
                    {"blocking", or_null(c.ran.blocking)},
                    {"sweeps_per_run", c.steps},
                    {"lups_median", c.typical()},
                    {"lups_min", *std::min_element(c.rates.begin(), c.rates.end())},
                    {"lups_max", *std::max_element(c.rates.begin(), c.rates.end())},
                    {"bytes_per_update", c.work.bytes_per_update},
                    {"operations_per_update", c.work.operations()},
                    {"limit_lups", or_null(c.limit ? std::optional(c.limit->lups) : std::nullopt)},
                    {"limit_by", or_null(c.limit ? c.limit->by : "")},
                    {"fraction_of_limit", or_null(c.fraction())},
                    {"disturbed", c.disturbed > 0},
                    {"disturbed_runs", c.disturbed},
                    {"lups_runs", c.rates}});
  return rows;
}

namespace {

/// "2"; "1 of 2" where fewer ran than were asked for.
std::string threads_of(const Contender& c) {
  return c.work.threads == c.threads ? std::to_string(c.threads)
                                     : fmt::format("{} of {}", c.work.threads, c.threads);
}

}  // namespace

/// Rates in the unit that leaves the fastest row a place before the point.
void print_table(const std::vector<Contender>& list, int asked) {
  const double base = list.front().typical();
  double most = 0;
  for (const Contender& c : list) most = std::max(most, c.typical());
  const RateUnit unit = unit_of_rate(most);
  const auto rate = [&](double lups) { return four_digits(lups / unit.size); };
  fmt::print("{:<10}  {:>7}  {:>14}  {:>8}  {:>8}  {:>8}  {:>6}  {:>9}  {:>8}  {}\n", "rung", "threads",
             fmt::format("{}LUP/s median", unit.prefix), "min", "max", "B/update", "GB/s", "vs rung 0",
             "of limit", "set by");
  for (const Contender& c : list) {
    const auto [low, high] = std::minmax_element(c.rates.begin(), c.rates.end());
    const std::string runs = runs_in_words(c.disturbed, c.rates.size(), asked);
    fmt::print("{:<10}  {:>7}  {:>14}  {:>8}  {:>8}  {:>8}  {:>6.4g}  {:>8.2f}x  {:>8}  {}{}{}\n", c.name,
               threads_of(c), rate(c.typical()), rate(*low), rate(*high), in_bytes(c.work.bytes_per_update),
               c.typical() * c.work.bytes_per_update / 1e9, c.typical() / base,
               c.limit ? fmt::format("{:.0f} %", 100 * *c.fraction()) : "-", c.limit ? c.limit->by : "-",
               runs.empty() ? "" : "  ", runs);
  }
  for (const Contender& c : list)
    if (!c.ran.blocking.empty())
      fmt::print("{} on {}: {}\n", c.name,
                 c.work.threads == c.threads ? counted(c.threads, "thread") : threads_of(c) + " threads",
                 c.ran.blocking);
}

io::Chart chart_of(const std::vector<Contender>& list, const std::string& title) {
  std::vector<MeasuredRate> rates;
  std::string last;
  for (const Contender& c : list) {
    MeasuredRate rate{fmt::format("{}, {}", c.name, counted(c.work.threads, "thread")), c.work, c.typical()};
    if (c.name != last)
      rates.push_back(std::move(rate));
    else if (rate.lups > rates.back().lups)
      rates.back() = std::move(rate);
    last = c.name;
  }
  return roofline(title, rates, read_ceilings().ceilings);
}

}  // namespace jacobi::cli
