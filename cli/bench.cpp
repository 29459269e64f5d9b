/// `jacobi bench stencil`: every rung on one problem, verified before it is timed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "box.hpp"
#include "ceilings.hpp"
#include "commands.hpp"
#include "core/clock.hpp"
#include "core/median.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/solver.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "report.hpp"
#include "roofline.hpp"
#include "tiles.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

struct BenchOptions {
  BoxText box;
  std::string precision = "double", rhs = "general";
  Index copies = 1;
  std::vector<int> threads;
  std::vector<std::string> rungs;
  int repeat = 7;
  double seconds = 0.2;
  bool no_tune = false;
  std::string json, chart;
};

/// One rung with one number of threads, and the times of its runs.
template <class T>
struct Contender {
  const Rung* rung;
  int threads;
  std::unique_ptr<Sweeper<T>> sweeper;
  std::vector<Step> steps;  ///< of one timed run
  std::vector<double> rates;
  machine::Work work = {};
  std::optional<machine::Limit> limit = {};  ///< none while the ceilings are unknown
  double typical() const { return median(rates); }
  std::optional<double> fraction() const {
    return limit ? std::optional(typical() / limit->lups) : std::nullopt;
  }
};

/// The rows of the table, their sweepers not yet bound.
template <class T>
std::vector<Contender<T>> contenders(const BenchOptions& o) {
  std::vector<Contender<T>> list;
  for (const Rung& rung : stencil_rungs()) {
    const bool wanted = o.rungs.empty() || rung.number == 0 ||
                        std::find(o.rungs.begin(), o.rungs.end(), rung.name) != o.rungs.end();
    if (!rung.compiled || !wanted) continue;
    for (const int n : o.threads)
      if (rung.parallel || n == o.threads.front()) list.push_back({&rung, rung.parallel ? n : 1, {}, {}, {}});
  }
  return list;
}

/// Throws: UsageError where three arrays for every row, and four vectors for the check, are too much.
template <class T>
void bind(std::vector<Contender<T>>& list, const Operator<T>& a, double rows) {
  const double needed = rows * static_cast<double>(3 * list.size() + 4) * sizeof(T);
  if (needed > available_memory())
    throw UsageError(
        fmt::format("bench stencil: {} rows of the table need {} of memory, {} are available: take fewer "
                    "points, or fewer --rungs",
                    list.size(), in_words(needed), in_words(available_memory())));
  for (Contender<T>& c : list)
    c.sweeper = backend(c.threads == 1 ? "serial" : fmt::format("threads:{}", c.threads))
                    ->bind(a, {plain(), c.rung->name});
}

/// Every contender must reach the bits of the first one, rung 0, and must have run itself; returns after how
/// many sweeps.
template <class T>
int verify(std::vector<Contender<T>>& list, const std::vector<T>& b) {
  const int sweeps = b.size() <= (1 << 22) ? 131 : 37;  // more than one block of the deepest tile, or of 2D's
  const std::vector<Step> steps(sweeps);
  std::vector<T> expected(b.size()), found(b.size());
  const std::vector<T> zero(b.size());
  for (Contender<T>& c : list) {
    const bool first = &c == &list.front();
    c.sweeper->load(b, zero);
    c.sweeper->advance(steps, Want::nothing);
    c.sweeper->store(first ? expected : found);
    const Executed ran = c.sweeper->executed();
    if (ran.rung != c.rung->name || ran.sweeps != sweeps)
      throw std::logic_error(
          fmt::format("rung '{}' was asked for, '{}' ran {} sweeps", c.rung->name, ran.rung, ran.sweeps));
    if (!first && std::memcmp(expected.data(), found.data(), expected.size() * sizeof(T)) != 0)
      throw std::logic_error(
          fmt::format("rung '{}' on {} threads differs from rung 0", c.rung->name, c.threads));
  }
  return sweeps;
}

template <class T>
double time_run(Contender<T>& c) {
  const auto begin = Clock::now();
  c.sweeper->advance(c.steps, Want::nothing);
  return seconds_since(begin);
}

/// So many sweeps that one run takes about the time asked for, and enough that a tiled rung makes its blocks.
template <class T>
void calibrate(Contender<T>& c, double seconds) {
  c.steps.resize(1);
  double took = time_run(c);
  while (took < seconds / 4) {
    c.steps.resize(2 * c.steps.size());
    took = time_run(c);
  }
  c.steps.resize(
      std::max<std::size_t>(c.sweeper->executed().blocking.empty() ? 1 : 64,
                            static_cast<std::size_t>(static_cast<double>(c.steps.size()) * seconds / took)));
}

/// Counts what an update takes and looks up what the machine allows.
template <class T, int D>
void set_limits(std::vector<Contender<T>>& list, const Stencil<T, D>& a,
                const std::optional<machine::Ceilings>& ceilings) {
  for (Contender<T>& c : list) {
    c.work = machine::work_of(a, false, c.sweeper->bytes_per_update(), c.sweeper->executed().threads);
    if (ceilings) c.limit = machine::limit_of(c.work, *ceilings);
  }
}

template <class T>
nlohmann::ordered_json as_json(const std::vector<Contender<T>>& list, double rows, const BenchOptions& o,
                               const Box& box, int verified) {
  nlohmann::ordered_json json = describe_machine();
  json["bench"] = "stencil";
  json["dim"] = box.dimensions;
  json["points"] = std::vector<Index>(box.points.begin(), box.points.begin() + box.dimensions);
  if (o.copies > 1) json["copies"] = o.copies;
  json["precision"] = o.precision;
  json["rhs"] = o.rhs;
  json["unknowns"] = rows;
  json["verified"] = fmt::format("bitwise against rung 0 after {} sweeps", verified);
  for (const Contender<T>& c : list) {
    const Executed ran = c.sweeper->executed();
    json["rows"].push_back({{"rung", ran.rung},
                            {"threads", ran.threads},
                            {"simd", ran.simd},
                            {"blocking", or_null(ran.blocking)},
                            {"sweeps_per_run", c.steps.size()},
                            {"lups_median", c.typical()},
                            {"lups_min", *std::min_element(c.rates.begin(), c.rates.end())},
                            {"lups_max", *std::max_element(c.rates.begin(), c.rates.end())},
                            {"bytes_per_update", c.work.bytes_per_update},
                            {"operations_per_update", c.work.operations()},
                            {"limit_lups", or_null(c.limit ? std::optional(c.limit->lups) : std::nullopt)},
                            {"limit_by", or_null(c.limit ? c.limit->by : "")},
                            {"fraction_of_limit", or_null(c.fraction())},
                            {"lups_runs", c.rates}});
  }
  return json;
}

template <class T>
void print_table(const std::vector<Contender<T>>& list) {
  const double base = list.front().typical();
  fmt::print(
      "rung       threads  GLUP/s median     min     max   B/update   GB/s  vs rung 0  of limit  set by\n");
  for (const Contender<T>& c : list) {
    const auto [low, high] = std::minmax_element(c.rates.begin(), c.rates.end());
    fmt::print("{:<9}  {:>7}  {:>13.3f}  {:>6.3f}  {:>6.3f}  {:>8}  {:>6.1f}  {:>8.2f}x  {:>8}  {}\n",
               c.rung->name, c.work.threads, c.typical() / 1e9, *low / 1e9, *high / 1e9,
               in_bytes(c.work.bytes_per_update), c.typical() * c.work.bytes_per_update / 1e9,
               c.typical() / base, c.limit ? fmt::format("{:.0f} %", 100 * *c.fraction()) : "-",
               c.limit ? c.limit->by : "-");
  }
}

/// What the columns of limits mean, or how to get them.
void print_legend(const machine::Work& work, const KnownCeilings& known) {
  if (known.ceilings)
    fmt::print(
        "limit: the least of bandwidth / bytes, L1 bandwidth / {} loads, operations/s / {} per update\n",
        work.loads, machine::in_words(work));
  else
    fmt::print("limits unknown: {}\n", advice_on_ceilings);
  if (!known.note.empty()) fmt::print("note: {}\n", known.note);
}

/// Every rung with the threads that it does best with.
template <class T>
void draw_chart(const std::vector<Contender<T>>& list, const std::string& title, const std::string& path,
                const KnownCeilings& known) {
  std::vector<MeasuredRate> rates;
  const Rung* last = nullptr;
  for (const Contender<T>& c : list) {
    MeasuredRate rate{
        fmt::format("{}, {} thread{}", c.rung->name, c.work.threads, c.work.threads == 1 ? "" : "s"), c.work,
        c.typical()};
    if (c.rung != last)
      rates.push_back(std::move(rate));
    else if (rate.lups > rates.back().lups)
      rates.back() = std::move(rate);
    last = c.rung;
  }
  io::draw(roofline(title, rates, known.ceilings), path);
}

template <class T, int D>
int bench(const BenchOptions& o, const Box& box, const Stencil<T, D>& stencil) {
  const Operator<T> a = stencil;
  const double rows = static_cast<double>(stencil.rows());
  auto list = contenders<T>(o);
  bind(list, a, rows);
  std::vector<T> b(static_cast<std::size_t>(rows), T(1));
  if (o.rhs == "general")
    for (std::size_t p = 0; p < b.size(); ++p)
      b[p] = static_cast<T>(1 + static_cast<double>(p * 2654435761u % 1000) / 1000);
  std::string tile_note;
  for (Contender<T>& c : list)
    if (!o.no_tune) tile_note = use_known_tile(*c.sweeper, std::get<Stencil<T, D>>(a), c.threads);
  const int verified = verify(list, b);
  for (Contender<T>& c : list) calibrate(c, o.seconds);
  for (int r = 0; r < o.repeat; ++r)  // in turn, so that a drift of the machine meets all alike
    for (Contender<T>& c : list) c.rates.push_back(rows * static_cast<double>(c.steps.size()) / time_run(c));
  const KnownCeilings known = read_ceilings();
  set_limits(list, stencil, known.ceilings);
  const std::vector<Index> points(box.points.begin(), box.points.begin() + box.dimensions);
  const std::string problem =
      fmt::format("{}{} points, {}", o.copies > 1 ? fmt::format("{} copies of ", o.copies) : "",
                  fmt::join(points, " x "), o.precision);
  if (!o.chart.empty()) draw_chart(list, "Sweeps of " + problem + ": roofline", o.chart, known);
  if (!o.json.empty()) write_text(o.json, as_json(list, rows, o, box, verified).dump(2));
  if (o.json == "-") return 0;
  fmt::print(
      "{}, {} right-hand side, {} runs of {:.1f} s in turn; every rung verified bitwise against rung 0\n",
      problem, o.rhs, o.repeat, o.seconds);
  print_table(list);
  print_legend(list.front().work, known);
  for (const Contender<T>& c : list)
    if (const std::string blocking = c.sweeper->executed().blocking; !blocking.empty())
      fmt::print("{} on {} thread{}: {}\n", c.rung->name, c.work.threads, c.work.threads == 1 ? "" : "s",
                 blocking);
  if (!tile_note.empty()) fmt::print("note: {}\n", tile_note);
  return 0;
}

template <class T, int D>
int bench(const BenchOptions& o, const Box& box) {
  std::array<Index, D> interior;
  for (int d = 0; d < D; ++d) interior[d] = box.points[d] - 2;
  const Stencil<T, D> a = poisson<T, D>(interior);
  if constexpr (D == 1)
    if (o.copies > 1) return bench(o, box, batch(a, o.copies));
  return bench(o, box, a);
}

template <class T>
int bench(const BenchOptions& o, const Box& box) {
  if (box.dimensions == 1) return bench<T, 1>(o, box);
  return box.dimensions == 2 ? bench<T, 2>(o, box) : bench<T, 3>(o, box);
}

int run_bench(BenchOptions o) {
  if (o.threads.empty())
    for (int n = 1; n <= available_cores(); n *= 2) o.threads.push_back(n);
  for (const std::string& name : o.rungs) stencil_rung(name);           // throws for an unknown one
  for (const int n : o.threads) backend(fmt::format("threads:{}", n));  // throws for an absurd number
  const Box box = read_box(o.box);
  if (o.copies > 1 && box.dimensions != 1)
    throw UsageError(fmt::format("--copies {}: a batch is of 1D problems; add --dim 1", o.copies));
  check_outputs({json_file(o.json), {"--chart", o.chart, {".svg", ".png"}}});
  if (!o.chart.empty() && !io::gnuplot_available())
    throw BackendError("--chart needs gnuplot, which is not installed: apt-get install gnuplot-nox");
  return o.precision == "float" ? bench<float>(o, box) : bench<double>(o, box);
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("bench", "measure sweeps: every rung, verified, in one run");
  sub->require_subcommand(1);
  sub->footer("Example:\n  jacobi bench stencil --points 512");
  CLI::App* stencil = sub->add_subcommand("stencil", "sweeps of a Poisson stencil");
  auto o = std::make_shared<BenchOptions>();
  stencil->add_option("--dim", o->box.dim, "dimensions")->check(CLI::Range(1, 3));
  stencil
      ->add_option("--points", o->box.points,
                   "grid points per side, boundary included (default 512); 512x300 sets each")
      ->type_name("N");
  stencil->add_option("--precision", o->precision, "of matrix and vectors")
      ->check(CLI::IsMember({"double", "float"}))
      ->capture_default_str();
  stencil->add_option("--copies", o->copies, "independent copies of a 1D problem, side by side (default 1)")
      ->check(CLI::Range(Index(1), Index(1) << 40))
      ->type_name("C");
  stencil->add_option("--rhs", o->rhs, "right-hand side: general, or constant, which tiles need not read")
      ->check(CLI::IsMember({"general", "constant"}))
      ->capture_default_str();
  stencil
      ->add_option("--threads", o->threads,
                   "numbers of threads to measure, as in 1,2 (default: 1, 2, 4, ... cores)")
      ->delimiter(',')
      ->type_name("N,..");
  stencil->add_option("--rungs", o->rungs, "rungs to measure beside rung 0, as in simd,tiled (default: all)")
      ->delimiter(',')
      ->type_name("NAME,..");
  stencil->add_option("--repeat", o->repeat, "runs of each rung")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  stencil->add_option("--seconds", o->seconds, "length of one run")
      ->check(CLI::Range(0.001, 60.0))
      ->capture_default_str();
  stencil->add_flag("--no-tune", o->no_tune,
                    "take the default tiles, not those that 'jacobi poisson' measured ('jacobi info')");
  stencil->add_option("--json", o->json, "write the raw results as JSON ('-': standard output)")
      ->type_name("FILE");
  stencil
      ->add_option("--chart", o->chart,
                   "draw the rates under the roofs that 'jacobi info --measure' measured (needs gnuplot)")
      ->type_name("FILE.svg|png");
  stencil->footer("Example:\n  jacobi bench stencil --points 512 --json result.json --chart roofline.svg");
  stencil->callback([o, &action] { action = [o] { return run_bench(*o); }; });
}

}  // namespace jacobi::cli
