/// `jacobi bench csr`: every sparse rung on one matrix, Eigen and the recognised grid beside them, verified
/// before they are timed.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "apps/jacobi/box.hpp"
#include "apps/jacobi/ceilings.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/report.hpp"
#include "apps/jacobi/system.hpp"
#include "bench.hpp"
#include "contenders.hpp"
#include "core/recognise.hpp"
#include "eigen_sweeps.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/error.hpp"
#include "matrices.hpp"

namespace jacobi::cli {

namespace {

struct CsrBench {
  BenchRun run;
  std::string matrix = "random", points = "2000x2000";
  Index rows = 1'000'000, per_row = 10;
  int scale = 20;
  bool varied = false;
};

bool is_file(const CsrBench& o) {
  return o.matrix != "random" && o.matrix != "power-law" && o.matrix != "grid";
}

/// Throws: UsageError where memory lacks for so many entries, which these options ask for.
template <class T>
void require_room_for(const std::string& options, double entries, const char* cure) {
  const double copies = 4;  // vectors double while they grow, and rungs keep copies
  require_room(fmt::format("bench csr: {}: the entries", options),
               copies * entries * (sizeof(T) + sizeof(Index)), cure);
}

template <class T>
Csr<T> make_matrix(const CsrBench& o, std::string& what) {
  if (o.matrix == "random") {
    require_room_for<T>(fmt::format("--rows {} --per-row {}", o.rows, o.per_row),
                        static_cast<double>(o.rows) * static_cast<double>(o.per_row), "take fewer");
    what = fmt::format("random, {} rows, {} entries in each, strictly dominant", o.rows, o.per_row);
    return random_matrix<T>(o.rows, o.per_row);
  }
  if (o.matrix == "power-law") {
    require_room_for<T>(fmt::format("--scale {}", o.scale), 17 * std::ldexp(1.0, o.scale),
                        "take a smaller one");
    what = fmt::format("I - 0.85 P^T of a power-law graph with 2^{} pages", o.scale);
    return power_law_matrix<T>(o.scale);
  }
  if (o.matrix == "grid") {
    const std::vector<Index> points = read_sizes("--points", o.points);
    double rows = 1;
    for (const Index n : points) rows *= static_cast<double>(n);
    if (rows < 1) throw UsageError(fmt::format("--points {}: at least 1 unknown per direction", o.points));
    require_room_for<T>(fmt::format("--points {}", o.points),
                        rows * static_cast<double>(2 * points.size() + 1), "take fewer points");
    what = fmt::format("{} on {} unknowns as compressed rows", o.varied ? "varied diffusion" : "Laplacian",
                       fmt::join(points, " x "));
    return grid_matrix<T>(points, o.varied);
  }
  what = o.matrix;
  return read_matrix<T>(o.matrix).a;
}

/// Binds rung, Eigen or grid for every contender; those that do not suit the matrix leave the list, with a
/// note.
template <class T>
std::vector<std::unique_ptr<Sweeper<T>>> bind_all(std::vector<Contender>& list, const Csr<T>& a,
                                                  const std::optional<Recognised<T>>& grid,
                                                  std::vector<std::string>& notes) {
  std::vector<std::unique_ptr<Sweeper<T>>> sweepers;
  std::vector<Contender> bound;
  for (const Contender& c : list) {
    const auto on = backend_of(c);
    try {
      sweepers.push_back(c.name == "eigen"   ? eigen_sweeps<T>(a, c.threads)
                         : c.name == "tiled" ? on->bind(grid->grid, {plain(), c.name})
                                             : on->bind(Operator<T>(a), {plain(), c.name}));
      bound.push_back(c);
    } catch (const UsageError& error) {
      if (notes.empty() || notes.back() != error.what()) notes.push_back(error.what());
    }
  }
  list = bound;
  return sweepers;
}

/// Rungs of the sparse ladder, then Eigen and, for a grid in disguise, the rung tiled.
template <class T>
std::vector<Contender> all_contenders(const BenchRun& run, bool grid) {
  std::vector<Contender> list = contenders(run, sparse_rungs());
  for (const char* name : {"eigen", "tiled"})
    if (run.wants(name) && (grid || name != std::string("tiled")))
      for (const int n : run.threads) list.push_back({name, n});
  return list;
}

/// From here on the process keeps the memory that it frees. Sweeps are timed on memory that is there already;
/// a system that hands out new pages slowly would otherwise bill each diagnosis for them anew.
void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 1 << 30);
#endif
}

/// What a diagnosis without factors costs beside a sweep.
struct DiagnosisCost {
  double seconds = 0;
  double first_seconds = 0;  ///< of the first one, on memory new from the system
  Index products = 0;
  std::optional<double> sweeps;  ///< of rung threads in the same turn, on most threads, where it runs
};

/// Runs the race, with a diagnosis in every turn.
template <class T>
DiagnosisCost run_with_diagnosis(Race<T>& race, const Csr<T>& a, const BenchRun& run,
                                 const std::vector<Contender>& list) {
  const std::vector<T> b = general_rhs<T>(a.rows()), zero(b.size());
  DiagnoseOptions options;
  options.cholesky = Cholesky::never;
  DiagnosisCost cost;
  std::vector<double> seconds, sweeps;
  race.run(run, [&] {
    const Diagnosis d = diagnose<T>(a, b, zero, options);
    seconds.push_back(d.seconds);
    cost.products = d.products;
    const auto threads =
        std::find_if(list.rbegin(), list.rend(), [](auto& c) { return c.name == "threads"; });
    if (threads != list.rend())
      sweeps.push_back(d.seconds * threads->rates.back() / static_cast<double>(a.rows()));
  });
  cost.seconds = median(seconds);
  cost.first_seconds = seconds.front();
  if (!sweeps.empty()) cost.sweeps = median(sweeps);
  return cost;
}

template <class T>
int bench(const CsrBench& o) {
  keep_freed_memory();
  std::string what;
  const Csr<T> a = make_matrix<T>(o, what);
  const auto grid = recognise(a);
  std::vector<std::string> notes;
  auto list = all_contenders<T>(o.run, grid.has_value());
  Race<T> race(list, named(what, [&] { return bind_all(list, a, grid, notes); }));
  constexpr int verified = 11;  // more than one pass of the deepest wavefront
  race.verify(general_rhs<T>(a.rows()), verified, {"eigen", "tiled"});
  const DiagnosisCost cost = run_with_diagnosis(race, a, o.run, list);
  for (Contender& c : list) c.work = machine::work_of(a, c.work.bytes_per_update, c.ran.threads);
  set_limits(list, read_ceilings().ceilings);
  LastStep last;
  o.run.charts->push_back(chart_of(list, "Sparse sweeps: roofline"));
  if (!o.run.chart.empty()) last.attempt("--chart", [&] { io::draw(o.run.charts->back(), o.run.chart); });
  const std::string how =
      fmt::format("bitwise against rung 0 after {} sweeps, eigen and tiled within rounding", verified);
  if (o.run.json != "-") {
    fmt::print("{}: {} unknowns, {} entries, {}, {}; verified {}\n", what, a.rows(), a.entries(),
               o.run.precision, o.run.in_words(), how);
    print_table(list, o.run.repeat);
    fmt::print("diagnose without factors: {:.1f} ms ({:.1f} the first time, on new memory), {} products{}\n",
               1e3 * cost.seconds, 1e3 * cost.first_seconds, cost.products,
               cost.sweeps ? fmt::format(", the time of {:.1f} sweeps of rung threads", *cost.sweeps) : "");
    if (grid) fmt::print("tiled: the matrix is {}\n", grid->words);
    for (const std::string& note : notes) fmt::print("note: {}\n", note);
  }
  nlohmann::ordered_json json = describe_machine();
  json["bench"] = "csr";
  json["matrix"] = what;
  json["precision"] = o.run.precision;
  json["unknowns"] = a.rows();
  json["entries"] = a.entries();
  json["verified"] = how;
  json["notes"] = notes;
  json["diagnose_seconds"] = cost.seconds;
  json["diagnose_seconds_first"] = cost.first_seconds;
  json["diagnose_products"] = cost.products;
  json["diagnose_sweeps_of_threads"] = or_null(cost.sweeps);
  json["rows"] = rows_of(list);
  o.run.write(last, json);
  return last.code_or(code_of_runs());
}

int run_csr_bench(CsrBench o) {
  o.run.check({is_file(o) ? o.matrix : ""});
  for (const std::string& name : o.run.rungs)
    if (name != "eigen" && name != "tiled") sparse_rung(name);  // throws for an unknown one
  if (o.per_row < 1 || o.rows < 1 || o.rows > std::numeric_limits<std::int32_t>::max() / o.per_row)
    throw UsageError(fmt::format("--rows {} --per-row {}: at least 1 each, and fewer than 2^31 entries",
                                 o.rows, o.per_row));
  return o.run.precision == "float" ? bench<float>(o) : bench<double>(o);
}

}  // namespace

void add_bench_csr(CLI::App& bench, Action& action) {
  CLI::App* csr = bench.add_subcommand("csr", "sweeps over a sparse matrix, Eigen beside them");
  auto o = std::make_shared<CsrBench>();
  csr->add_option("matrix", o->matrix, "random, power-law, grid, or a Matrix Market file")
      ->type_name("NAME|FILE:{random,power-law,grid}")
      ->capture_default_str();
  csr->add_option("--rows", o->rows, "of random")->transform(whole())->capture_default_str();
  csr->add_option("--per-row", o->per_row, "entries in each row of random")
      ->transform(whole())
      ->capture_default_str();
  csr->add_option("--scale", o->scale, "power-law: 2^scale pages")
      ->check(CLI::Range(2, 26))
      ->transform(whole())
      ->capture_default_str();
  csr->add_option("--points", o->points, "of grid: unknowns per direction")->capture_default_str();
  csr->add_flag("--varied", o->varied, "of grid: coefficients that differ from row to row");
  o->run.add_precision_to(*csr);
  o->run.add_to(*csr, names_of(sparse_rungs()) + ", eigen, tiled");
  csr->footer("Example:\n  jacobi bench csr grid --points 128x128x128");
  csr->callback([o, csr, &action] {
    const std::pair<const char*, const char*> belongs[] = {{"--rows", "random"},
                                                           {"--per-row", "random"},
                                                           {"--scale", "power-law"},
                                                           {"--points", "grid"},
                                                           {"--varied", "grid"}};
    for (const auto& [option, matrix] : belongs)
      if (csr->count(option) > 0 && o->matrix != matrix)
        throw UsageError(fmt::format("bench csr {}: {} is for {}: 'jacobi bench csr {}'", o->matrix, option,
                                     matrix, matrix));
    action = [o] { return run_csr_bench(*o); };
  });
}

}  // namespace jacobi::cli
