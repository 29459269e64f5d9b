/// `jacobi bench stencil`: every rung on one grid, verified before it is timed.
#include <fmt/format.h>

#include "apps/jacobi/box.hpp"
#include "apps/jacobi/ceilings.hpp"
#include "apps/jacobi/last_step.hpp"
#include "apps/jacobi/machine.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/tiles.hpp"
#include "bench.hpp"
#include "contenders.hpp"
#include "jacobi/error.hpp"
#include "parallel_algorithms.hpp"

namespace jacobi::cli {

namespace {

/// One problem.
struct StencilCase {
  BoxText box;
  std::string rhs = "general", precision = "double";
  Index copies = 1;
  std::vector<std::string> rungs = {};  ///< none: all
};

struct StencilBench {
  BenchRun run;
  StencilCase one;
  bool no_tune = false, suite = false;
};

/// 1D, 2D and 3D, in L2, L3 and memory: the rows of docs/performance.md. Of the last one all rungs together
/// need more than 24 GiB.
std::vector<StencilCase> suite() {
  const auto box = [](int dim, const char* points) { return BoxText{dim, points, {}, {}, {}}; };
  return {{box(2, "512")},
          {box(2, "1024")},
          {box(2, "8192")},
          {box(2, "512"), "constant"},
          {box(2, "512"), "general", "float"},
          {box(1, "1026"), "general", "double", 1024},
          {box(3, "256")},
          {box(3, "512"), "general", "double", 1, {"simd", "threads", "tiled"}}};
}

/// The sweepers of all contenders, and what the table must say of their tiles.
template <class T, int D>
std::vector<std::unique_ptr<Sweeper<T>>> bind_all(const std::vector<Contender>& list,
                                                  const Stencil<T, D>& stencil, bool tuned,
                                                  std::string& note) {
  const double vector = static_cast<double>(stencil.rows()) * sizeof(T);
  const auto require_vectors = [&](std::size_t count) {
    require_room(fmt::format("bench stencil: {} rows of the table", list.size()),
                 static_cast<double>(count) * vector, "take fewer points, or fewer --rungs");
  };
  constexpr std::size_t for_checks = 3;  // Race::verify
  require_vectors(3 * list.size() + for_checks);
  std::vector<std::unique_ptr<Sweeper<T>>> sweepers;
  for (const Contender& c : list) {
    sweepers.push_back(backend_of(c)->bind(Operator<T>(stencil), {plain(), c.name}));
    if (tuned) note = use_known_tile(*sweepers.back(), stencil, c.threads);
  }
  require_vectors(for_checks);  // beside what tiles took
  return sweepers;
}

/// What the columns of limits mean, or how to get them.
void print_legend(const machine::Work& work, const KnownCeilings& known) {
  if (known.ceilings)
    fmt::print(
        "limit: the least of bandwidth / bytes, L1 bandwidth / a rung's loads, operations/s / {} per "
        "update\n",
        machine::in_words(work));
  else
    fmt::print("limits unknown: {}\n", advice_on_ceilings);
  if (!known.note.empty()) fmt::print("note: {}\n", known.note);
}

/// Tiles beside the best rung of no more threads that sweeps once per visit to the memory, run by run.
struct Gain {
  const Contender *tiled, *other;
  double times() const { return tiled->times(*other); }
};
std::vector<Gain> gains_of(const std::vector<Contender>& list) {
  const std::string best = stencil_rungs().back().name;
  std::vector<Gain> gains;
  for (const Contender& c : list)
    if (c.name == best) gains.push_back({&c, best_other(list, c, c.threads, {best})});
  return gains;
}

/// Measures and prints one problem; its part of the JSON.
template <class T, int D>
nlohmann::ordered_json bench(const StencilBench& o, const StencilCase& one, const Box& box,
                             const Stencil<T, D>& stencil) {
  BenchRun run = o.run;
  if (run.rungs.empty()) run.rungs = one.rungs;
  auto list = contenders(run, grid_rungs());
  std::string tile_note;
  Race<T> race(list, bind_all(list, stencil, !o.no_tune, tile_note));
  auto b = one.rhs == "general" ? general_rhs<T>(stencil.rows())
                                : std::vector<T>(static_cast<std::size_t>(stencil.rows()), T(1));
  const int verified =
      b.size() <= (1 << 22) ? 131 : 37;  // more than one block of the deepest tile, or of 2D's
  race.verify(std::move(b), verified);
  race.run(run);
  for (Contender& c : list)
    c.work = machine::work_of(stencil, c.ran.algorithm, false, c.work.bytes_per_update, c.ran.threads);
  const KnownCeilings known = read_ceilings();
  set_limits(list, known.ceilings);
  const std::vector<Index> points(box.points.begin(), box.points.begin() + box.dimensions);
  const std::string problem =
      fmt::format("{}{} points, {}", one.copies > 1 ? fmt::format("{} copies of ", one.copies) : "",
                  fmt::join(points, " x "), one.precision);
  run.charts->push_back(chart_of(list, "Sweeps of " + problem + ": roofline"));
  if (!run.chart.empty()) io::draw(run.charts->back(), run.chart);
  const std::vector<Gain> gains = gains_of(list);
  if (run.json != "-") {
    fmt::print("{}, {} right-hand side, {}; every rung verified bitwise against rung 0\n", problem, one.rhs,
               run.in_words());
    print_table(list, run.repeat);
    for (const Gain& g : gains)
      fmt::print("tiled on {}: {:.2f} times '{}', run by run\n", counted(g.tiled->threads, "thread"),
                 g.times(), g.other->name);
    print_legend(list.front().work, known);
    if (!tile_note.empty()) fmt::print("note: {}\n", tile_note);
    show_printed();
  }
  nlohmann::ordered_json json{{"dim", box.dimensions}, {"points", points}};
  if (one.copies > 1) json["copies"] = one.copies;
  json["precision"] = one.precision;
  json["rhs"] = one.rhs;
  json["unknowns"] = stencil.rows();
  json["verified"] = fmt::format("bitwise against rung 0 after {} sweeps", verified);
  json["rows"] = rows_of(list);
  for (const Gain& g : gains)
    json["tiled_run_by_run"].push_back(
        {{"threads", g.tiled->threads}, {"best_other", g.other->name}, {"over_best_other", g.times()}});
  return json;
}

template <class T, int D>
nlohmann::ordered_json bench(const StencilBench& o, const StencilCase& one, const Box& box) {
  std::array<Index, D> interior;
  for (int d = 0; d < D; ++d) interior[d] = box.points[d] - 2;
  const Stencil<T, D> a = poisson<T, D>(interior);
  if constexpr (D == 1)
    if (one.copies > 1) return bench(o, one, box, batch(a, one.copies));
  return bench(o, one, box, a);
}

template <class T>
nlohmann::ordered_json bench(const StencilBench& o, const StencilCase& one, const Box& box) {
  if (box.dimensions == 1) return bench<T, 1>(o, one, box);
  return box.dimensions == 2 ? bench<T, 2>(o, one, box) : bench<T, 3>(o, one, box);
}

nlohmann::ordered_json bench(const StencilBench& o, const StencilCase& one) {
  const Box box = read_box(one.box);
  if (one.copies > 1 && box.dimensions != 1)
    throw UsageError(fmt::format("--copies {}: a batch is of 1D problems; add --dim 1", one.copies));
  return one.precision == "float" ? bench<float>(o, one, box) : bench<double>(o, one, box);
}

/// A problem that memory does not hold is left out.
nlohmann::ordered_json bench_if_it_fits(const StencilBench& o, const StencilCase& one) {
  try {
    return bench(o, one);
  } catch (const UsageError& too_large) {
    if (o.run.json != "-") fmt::print("{} points left out: {}\n", one.box.points, too_large.what());
    const Box box = read_box(one.box);
    return {{"dim", box.dimensions},
            {"points", std::vector<Index>(box.points.begin(), box.points.begin() + box.dimensions)},
            {"left_out", too_large.what()}};
  }
}

int run_stencil_bench(StencilBench o) {
  o.run.check();
  for (const std::string& name : o.run.rungs) grid_rung(name);  // throws for an unknown one
  o.one.precision = o.run.precision;
  nlohmann::ordered_json json = describe_machine();
  json["bench"] = "stencil";
  if (o.suite)
    for (const StencilCase& one : suite()) {
      try {
        json["tables"].push_back(bench_if_it_fits(o, one));
      } catch (const Interrupted&) {  // the tables before it are kept
      }
      if (code_of_runs() != 0) break;
    }
  else
    json.update(bench(o, o.one));
  LastStep last;
  o.run.write(last, json);
  return last.code_or(code_of_runs());
}

}  // namespace

void add_bench_stencil(CLI::App& bench, Action& action) {
  CLI::App* stencil = bench.add_subcommand("stencil", "sweeps of a Poisson stencil");
  auto o = std::make_shared<StencilBench>();
  std::vector<CLI::Option*> of_a_case{
      stencil->add_option("--dim", o->one.box.dim, "dimensions")->check(CLI::Range(1, 3))->transform(whole()),
      stencil
          ->add_option("--points", o->one.box.points,
                       "grid points per side, boundary included (default 512); 512x300 sets each")
          ->type_name("N"),
      stencil
          ->add_option("--copies", o->one.copies,
                       "independent copies of a 1D problem, side by side (default 1)")
          ->check(CLI::Range(Index(1), Index(1) << 40))
          ->transform(whole(Index(1) << 40))
          ->type_name("C"),
      stencil
          ->add_option("--rhs", o->one.rhs,
                       "right-hand side: general, or constant, which tiles need not read")
          ->check(one_of({"general", "constant"}))
          ->capture_default_str(),
      o->run.add_precision_to(*stencil)};
  stencil->add_flag("--no-tune", o->no_tune,
                    "take the default tiles, not those that 'jacobi poisson' measured ('jacobi info')");
  o->run.add_to(*stencil, names_of(grid_rungs()));
  of_a_case.push_back(stencil->get_option("--chart"));
  CLI::Option* const all = stencil->add_flag("--suite", o->suite,
                                             "eight problems in 1D, 2D and 3D one after the other, in L2, in "
                                             "L3 and in memory (some 10 minutes, 23 GiB)");
  for (CLI::Option* option : of_a_case) all->excludes(option);
  stencil->footer(
      "Example:\n  jacobi bench stencil --points 512 --json result.json --chart roofline.svg\n"
      "  jacobi bench stencil --suite --no-tune --json suite.json");
  stencil->callback([o, &action] { action = [o] { return run_stencil_bench(*o); }; });
}

}  // namespace jacobi::cli
