/// `jacobi bench dense`: every dense rung, a BLAS alone in its process, and a read probe, verified before
/// they are timed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "another_process.hpp"
#include "apps/jacobi/ceilings.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/report.hpp"
#include "bench.hpp"
#include "contenders.hpp"
#include "dense_matrices.hpp"
#include "dense_solves.hpp"
#include "jacobi/error.hpp"
#include "read_probe.hpp"
#include "sweep/dense/algorithm.hpp"

namespace jacobi::cli {

namespace {

struct DenseBench {
  BenchRun run;
  std::vector<Index> n = {64, 256, 1024, 4096};
  std::vector<std::string> layouts = {"row", "col"};
  std::vector<std::string> precisions = {"double"};  ///< run.precision: the one at hand
  std::vector<Index> solves = {};
  Index rhs_count = 1;

  bool only_blas() const { return run.rungs == std::vector<std::string>{"blas"}; }
};

/// Runs of one size, layout and precision.
struct Table {
  Index n;
  std::string layout, precision;
  std::string ours;  ///< the rung that is taken where none is named
  std::vector<Contender> list;

  const Contender* find(const std::string& name, int threads) const {
    for (const Contender& c : list)
      if (c.name == name && c.threads == threads) return &c;
    return nullptr;
  }
};

/// The BLAS measured where no other threads spin: for its own sake, not interleaved with the rest.
std::vector<Contender> blas_alone(const DenseBench& o, Index n, const std::string& layout) {
  const std::string arguments = fmt::format(
      "bench dense --n {} --layout {} --rhs-count {} --precision {} --threads {} --rungs blas --repeat {} "
      "--seconds {} --json -",
      n, layout, o.rhs_count, o.run.precision, fmt::join(o.run.threads, ","), o.run.repeat, o.run.seconds);
  const int most = *std::max_element(o.run.threads.begin(), o.run.threads.end());
  const auto json = nlohmann::json::parse(output_of_another(arguments, most));
  std::vector<Contender> list;
  for (const auto& row : json.at("tables").at(0).at("rows")) {
    if (row.at("rung") != "blas") continue;
    Contender c{"blas", row.at("threads")};
    c.steps = row.at("sweeps_per_run");
    c.rates = row.at("lups_runs").get<std::vector<double>>();
    c.disturbed = row.at("disturbed_runs");
    const auto& blocking = row.at("blocking");
    c.ran = {"blas", row.at("simd"), c.threads, 0, blocking.is_null() ? "" : blocking.get<std::string>()};
    c.work.bytes_per_update = row.at("bytes_per_update");
    list.push_back(std::move(c));
  }
  return list;
}

/// Runs on one matrix, and of the BLAS on another one.
template <class T>
std::vector<Contender> measure_once(const DenseBench& o, const DenseMatrix<T>& matrix,
                                    const std::string& layout) {
  std::vector<Contender> list;
  const Dense<T> a = batch(matrix.a, o.rhs_count);
  for (const Contender& c : contenders(o.run, dense_rungs()))
    if ((c.name != "blas" || o.only_blas()) && (o.rhs_count == 1 || dense_rung(c.name).several))
      list.push_back(c);
  if (o.run.wants("read") && o.rhs_count == 1 && can_probe(matrix.a))
    for (const int threads : o.run.threads) list.push_back({"read", threads});
  std::vector<std::unique_ptr<Sweeper<T>>> sweepers;
  sweepers.reserve(list.size());
  for (const Contender& c : list)
    sweepers.push_back(c.name == "read" ? read_probe<T>(matrix.a, c.threads)
                                        : backend_of(c)->bind(Operator<T>(a), {plain(), c.name}));
  Race<T> race(list, std::move(sweepers));
  std::vector<std::string> loose;
  for (const Rung& rung : dense_rungs())
    if (layout == "row" || !rung.in_order) loose.emplace_back(rung.name);
  race.verify(general_rhs<T>(a.rows()), 3, loose, {"read"});
  race.run(o.run);
  if (code_of_runs() == 0 && !o.only_blas() && dense_rung("blas").compiled && o.run.wants("blas")) {
    o.run.watch->says("blas");
    try {
      for (Contender& c : blas_alone(o, matrix.a.order(), layout)) list.push_back(std::move(c));
    } catch (const Interrupted&) {  // the other rungs are kept
    }
    o.run.watch->clear();
  }
  for (Contender& c : list) c.work = machine::work_of(a, c.work.bytes_per_update, c.ran.threads);
  return list;
}

/// In up to seven rounds: what memory a matrix gets decides how it shares the caches, hence another one for
/// each (the one before is kept meanwhile, or its memory would be taken again), and another process for the
/// BLAS.
template <class T>
Table measure(const DenseBench& o, Index n, const std::string& layout) {
  Table table{n,
              layout,
              o.run.precision,
              sweep::default_dense_rung(n, sizeof(T), layout == "row", o.rhs_count).name,
              {}};
  const int rounds = std::min(7, o.run.repeat);
  std::vector<DenseMatrix<T>> matrices;
  for (int round = 0; round < rounds; ++round) {
    DenseBench part = o;
    part.run.repeat = o.run.repeat * (round + 1) / rounds - o.run.repeat * round / rounds;
    constexpr Index large = 64 << 20;  // bytes; beyond, a matrix has pages of every kind
    if (n * n * static_cast<Index>(sizeof(T)) > large) matrices.clear();
    matrices.push_back(dominant_matrix<T>(n, layout == "row" ? Layout::row_major : Layout::column_major));
    std::vector<Contender> list;
    try {
      list = measure_once<T>(part, matrices.back(), layout);
    } catch (const Interrupted&) {
      if (round == 0) throw;
      break;  // the rounds before it are kept
    }
    for (std::size_t c = 0; c < table.list.size(); ++c) {
      if (c >= list.size()) {  // a BLAS that Ctrl-C came before
        list.push_back(table.list[c]);
        continue;
      }
      list[c].rates.insert(list[c].rates.begin(), table.list[c].rates.begin(), table.list[c].rates.end());
      list[c].disturbed += table.list[c].disturbed;
    }
    table.list = std::move(list);
    if (code_of_runs() != 0) break;
  }
  set_limits(table.list, read_ceilings().ceilings);
  return table;
}

/// Our own rung against others, on each number of threads, run by run.
struct Comparison {
  const Contender *ours, *other;  ///< the default rung, and the best one not of this project's own design
  double over_other;
  std::optional<double> over_blas, of_probe;
};

std::vector<Comparison> comparisons_of(const Table& t, const std::vector<int>& threads) {
  std::vector<Comparison> all;
  for (const int n : threads) {
    const Contender *ours = t.find(t.ours, n),
                    *other = ours ? best_other(t.list, *ours, n, {"fused", "paired", "read"}) : nullptr;
    if (!other) continue;
    const auto over = [&](const Contender* c) { return c ? std::optional(ours->times(*c)) : std::nullopt; };
    all.push_back({ours, other, ours->times(*other), over(t.find("blas", n)), over(t.find("read", n))});
  }
  return all;
}

std::string in_a_line(const Comparison& c) {
  std::string text =
      fmt::format("{} on {}: {:.2f} times the best other, {} on {}", c.ours->name,
                  counted(c.ours->threads, "thread"), c.over_other, c.other->name, c.other->threads);
  if (c.over_blas) text += fmt::format("; {:.2f} times blas", *c.over_blas);
  if (c.of_probe) text += fmt::format("; {:.0f} % of the read probe", 100 * *c.of_probe);
  return text + "\n";
}

nlohmann::ordered_json json_of(const Comparison& c) {
  return {{"rung", c.ours->name},
          {"threads", c.ours->threads},
          {"best_other", c.other->name},
          {"best_other_threads", c.other->threads},
          {"over_best_other", c.over_other},
          {"over_blas", or_null(c.over_blas)},
          {"of_read_probe", or_null(c.of_probe)}};
}

template <class T>
void add_tables(const DenseBench& o, std::vector<Table>& tables) {
  for (const std::string& layout : o.layouts)
    for (const Index n : o.n) {
      if (code_of_runs() != 0) return;
      try {
        tables.push_back(measure<T>(o, n, layout));
      } catch (const Interrupted&) {  // the tables before it are kept
        return;
      }
      if (o.run.json == "-") continue;
      fmt::print(
          "{0} x {0}, {1}, {2}{3}, {4}, in up to seven rounds on matrices of their "
          "own, blas after each in its own process; verified against rung 0 after 3 sweeps\n",
          n, layout == "row" ? "by rows" : "by columns", o.run.precision,
          o.rhs_count > 1 ? fmt::format(", {} right-hand sides at once", o.rhs_count) : "", o.run.in_words());
      const Table& table = tables.back();
      print_table(table.list, o.run.repeat);
      if (!o.run.rungs.empty() && o.rhs_count == 1 && o.run.wants("read") &&
          !table.find("read", o.run.threads.front()))
        fmt::print("note: no read probe: below 512 KiB it needs a matrix of whole blocks of 8 KiB\n");
      for (const Comparison& c : comparisons_of(table, o.run.threads)) fmt::print("{}", in_a_line(c));
      fmt::print("\n");
      show_printed();
    }
}

int bench(DenseBench o) {
  std::vector<Table> tables;
  for (const std::string& precision : o.precisions) {
    o.run.precision = precision;
    precision == "float" ? add_tables<float>(o, tables) : add_tables<double>(o, tables);
  }
  std::vector<Solves> solves;
  for (const std::string& layout : o.layouts)
    for (const Index n : o.solves) {
      if (code_of_runs() != 0) break;
      try {
        solves.push_back(measure_solves(o.run, n, layout));
      } catch (const Interrupted&) {
        break;
      }
      if (o.run.json != "-") fmt::print("{}", in_a_line(solves.back()));
    }
  LastStep last;
  for (const Table& t : tables)
    o.run.charts->push_back(
        chart_of(t.list, fmt::format("Dense sweeps, n = {}, {}, {}: roofline", t.n, t.layout, t.precision)));
  if (!o.run.chart.empty() && !o.run.charts->empty())
    last.attempt("--chart", [&] { io::draw(o.run.charts->front(), o.run.chart); });
  nlohmann::ordered_json json = describe_machine();
  json["bench"] = "dense";
  json["rhs_count"] = o.rhs_count;
  json["verified"] =
      fmt::format("after 3 sweeps against rung 0: by columns bitwise but for {}, else within rounding",
                  dense_rungs_out_of_order());
  json["tables"] = nlohmann::ordered_json::array();
  for (const Table& t : tables) {
    auto ours = nlohmann::ordered_json::array();
    for (const Comparison& c : comparisons_of(t, o.run.threads)) ours.push_back(json_of(c));
    json["tables"].push_back({{"n", t.n},
                              {"layout", t.layout},
                              {"precision", t.precision},
                              {"rows", rows_of(t.list)},
                              {"ours_run_by_run", ours}});
  }
  for (const Solves& s : solves) json["solves"].push_back(json_of(s));
  o.run.write(last, json);
  return last.code_or(code_of_runs());
}

int run_dense_bench(DenseBench o) {
  o.run.check();
  for (std::vector<Index>* const sizes : {&o.n, &o.solves}) drop_repeats(*sizes);
  for (std::vector<std::string>* const names : {&o.layouts, &o.precisions}) drop_repeats(*names);
  for (const std::string& name : o.run.rungs) {
    const bool several = name != "read" && dense_rung(name).several;  // throws for an unknown one
    if (o.rhs_count > 1 && !several)
      throw UsageError(fmt::format("--rungs {}: measured for one right-hand side only", name));
  }
  for (const auto& [option, sizes] : {std::pair{"--n", o.n}, std::pair{"--solves", o.solves}})
    for (const Index n : sizes)
      if (n < 1) throw UsageError(fmt::format("{} {}: at least 1", option, n));
  for (const std::string& precision : o.precisions) {
    const std::size_t size = precision == "float" ? sizeof(float) : sizeof(double);
    const Index most = precision == "float" ? most_copies<float> : most_copies<double>;
    if (o.rhs_count > most)
      throw UsageError(fmt::format("--rhs-count {}: 1 to {} in {}", o.rhs_count, most, precision));
    for (const Index n : o.n) require_entries(n, size);
  }
  for (const Index n : o.solves) require_entries(n, sizeof(double));
  if (!o.run.chart.empty() && o.n.size() * o.layouts.size() * o.precisions.size() > 1)
    throw UsageError("--chart draws one table: give one --n, one --layout and one --precision");
  return bench(std::move(o));
}

}  // namespace

void add_bench_dense(CLI::App& bench, Action& action) {
  CLI::App* dense = bench.add_subcommand("dense", "sweeps over a dense matrix, a BLAS beside them");
  auto o = std::make_shared<DenseBench>();
  dense->add_option("--n", o->n, "rows, as in 64,4096")
      ->delimiter(',')
      ->transform(whole())
      ->type_name("N,..")
      ->capture_default_str();
  dense->add_option("--layout", o->layouts, "row or col, or both")
      ->delimiter(',')
      ->check(one_of({"row", "col"}))
      ->capture_default_str();
  dense->add_option("--precision", o->precisions, "of matrix and vectors: double or float, or both")
      ->delimiter(',')
      ->check(one_of({"double", "float"}))
      ->capture_default_str();
  dense
      ->add_option("--solves", o->solves,
                   "also solve to 1e-12 for these n, entries stored in double, float and bf16")
      ->delimiter(',')
      ->transform(whole())
      ->type_name("N,..");
  dense->add_option("--rhs-count", o->rhs_count, "right-hand sides at once, up to 8 (16 in float)")
      ->check(CLI::Range(1, 16))
      ->transform(whole())
      ->capture_default_str();
  o->run.add_to(*dense, names_of(dense_rungs()) + ", read");
  dense->get_option("--rungs")->description(
      "rungs to measure beside rung 0, as in fused,paired; read: nothing but reading (default: all)");
  dense->footer("Example:\n  jacobi bench dense --n 256,4096 --layout row");
  dense->callback([o, &action] { action = [o] { return run_dense_bench(*o); }; });
}

}  // namespace jacobi::cli
