/// `jacobi bench stencil`: every rung on one grid, verified before it is timed.
#include <fmt/format.h>

#include "bench.hpp"
#include "box.hpp"
#include "ceilings.hpp"
#include "contenders.hpp"
#include "jacobi/error.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "outputs.hpp"
#include "tiles.hpp"

namespace jacobi::cli {

namespace {

struct StencilBench {
  BenchRun run;
  BoxText box;
  std::string rhs = "general";
  Index copies = 1;
  bool no_tune = false;
};

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
  constexpr std::size_t for_checks = 6;
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
        "limit: the least of bandwidth / bytes, L1 bandwidth / {:.3g} loads, operations/s / {} per update\n",
        work.loads, machine::in_words(work));
  else
    fmt::print("limits unknown: {}\n", advice_on_ceilings);
  if (!known.note.empty()) fmt::print("note: {}\n", known.note);
}

template <class T, int D>
int bench(const StencilBench& o, const Box& box, const Stencil<T, D>& stencil) {
  auto list = contenders(o.run, stencil_rungs());
  std::string tile_note;
  Race<T> race(list, bind_all(list, stencil, !o.no_tune, tile_note));
  const auto b = o.rhs == "general" ? general_rhs<T>(stencil.rows())
                                    : std::vector<T>(static_cast<std::size_t>(stencil.rows()), T(1));
  const int verified =
      b.size() <= (1 << 22) ? 131 : 37;  // more than one block of the deepest tile, or of 2D's
  race.verify(b, verified);
  race.run(o.run);
  for (Contender& c : list) c.work = machine::work_of(stencil, false, c.work.bytes_per_update, c.ran.threads);
  const KnownCeilings known = read_ceilings();
  set_limits(list, known.ceilings);
  const std::vector<Index> points(box.points.begin(), box.points.begin() + box.dimensions);
  const std::string problem =
      fmt::format("{}{} points, {}", o.copies > 1 ? fmt::format("{} copies of ", o.copies) : "",
                  fmt::join(points, " x "), o.run.precision);
  if (!o.run.chart.empty()) draw_chart(list, "Sweeps of " + problem + ": roofline", o.run.chart);
  if (!o.run.json.empty()) {
    nlohmann::ordered_json json = describe_machine();
    json["bench"] = "stencil";
    json["dim"] = box.dimensions;
    json["points"] = points;
    if (o.copies > 1) json["copies"] = o.copies;
    json["precision"] = o.run.precision;
    json["rhs"] = o.rhs;
    json["unknowns"] = stencil.rows();
    json["verified"] = fmt::format("bitwise against rung 0 after {} sweeps", verified);
    json["rows"] = rows_of(list);
    write_text(o.run.json, json_text(json));
  }
  if (o.run.json == "-") return 0;
  fmt::print("{}, {} right-hand side, {}; every rung verified bitwise against rung 0\n", problem, o.rhs,
             o.run.in_words());
  print_table(list);
  print_legend(list.front().work, known);
  if (!tile_note.empty()) fmt::print("note: {}\n", tile_note);
  return 0;
}

template <class T, int D>
int bench(const StencilBench& o, const Box& box) {
  std::array<Index, D> interior;
  for (int d = 0; d < D; ++d) interior[d] = box.points[d] - 2;
  const Stencil<T, D> a = poisson<T, D>(interior);
  if constexpr (D == 1)
    if (o.copies > 1) return bench(o, box, batch(a, o.copies));
  return bench(o, box, a);
}

template <class T>
int bench(const StencilBench& o, const Box& box) {
  if (box.dimensions == 1) return bench<T, 1>(o, box);
  return box.dimensions == 2 ? bench<T, 2>(o, box) : bench<T, 3>(o, box);
}

int run_stencil_bench(StencilBench o) {
  o.run.check();
  for (const std::string& name : o.run.rungs) stencil_rung(name);  // throws for an unknown one
  const Box box = read_box(o.box);
  if (o.copies > 1 && box.dimensions != 1)
    throw UsageError(fmt::format("--copies {}: a batch is of 1D problems; add --dim 1", o.copies));
  return o.run.precision == "float" ? bench<float>(o, box) : bench<double>(o, box);
}

}  // namespace

void add_bench_stencil(CLI::App& bench, Action& action) {
  CLI::App* stencil = bench.add_subcommand("stencil", "sweeps of a Poisson stencil");
  auto o = std::make_shared<StencilBench>();
  stencil->add_option("--dim", o->box.dim, "dimensions")->check(CLI::Range(1, 3))->transform(whole());
  stencil
      ->add_option("--points", o->box.points,
                   "grid points per side, boundary included (default 512); 512x300 sets each")
      ->type_name("N");
  stencil->add_option("--copies", o->copies, "independent copies of a 1D problem, side by side (default 1)")
      ->check(CLI::Range(Index(1), Index(1) << 40))
      ->transform(whole(Index(1) << 40))
      ->type_name("C");
  stencil->add_option("--rhs", o->rhs, "right-hand side: general, or constant, which tiles need not read")
      ->check(CLI::IsMember({"general", "constant"}))
      ->capture_default_str();
  stencil->add_flag("--no-tune", o->no_tune,
                    "take the default tiles, not those that 'jacobi poisson' measured ('jacobi info')");
  o->run.add_precision_to(*stencil);
  o->run.add_to(*stencil);
  stencil->footer("Example:\n  jacobi bench stencil --points 512 --json result.json --chart roofline.svg");
  stencil->callback([o, &action] { action = [o] { return run_stencil_bench(*o); }; });
}

}  // namespace jacobi::cli
