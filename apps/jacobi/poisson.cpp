/// `jacobi poisson`: from options to a solved problem, its report and its files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "commands.hpp"
#include "core/forecast.hpp"
#include "core/memory.hpp"
#include "core/over_ranks.hpp"
#include "dry_run.hpp"
#include "fields.hpp"
#include "help.hpp"
#include "html.hpp"
#include "io/npy.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/solver.hpp"
#include "last_step.hpp"
#include "limit.hpp"
#include "named.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "poisson_boxed.hpp"
#include "poisson_files.hpp"
#include "poisson_plan.hpp"
#include "problem.hpp"
#include "problem_options.hpp"
#include "processes.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/bind.hpp"
#include "sweep/step_kind.hpp"
#include "tiles.hpp"

namespace jacobi::cli {

namespace {

/// Writes the files of one problem and its report.
template <class T, int D>
int finish_one(const PoissonOptions& o, const Box& box, const Problem<T, D>& problem, std::vector<T>& found,
               Report& report, const std::function<machine::Work()>& work) {
  const OutputOptions& f = o.files;
  if (problem.domain) {
    problem.domain->finish(std::span<T>(found));
    problem.domain->finish(report);
    report.notes.insert(report.notes.end(), problem.notes.begin(), problem.notes.end());
  }
  const std::span<const T> x(found);
  std::optional<PointField<T>> made;  // only if it is asked for
  const auto field = [&]() -> const PointField<T>& {
    return made ? *made : made.emplace(on_all_points(problem.a, box, x, o.problem.boundary));
  };
  const auto plane = [&] {
    return plane_of(field(), box,
                    fmt::format("u, {} after {}", report.converged() ? "converged" : name(report.status),
                                counted(report.sweeps, "sweep")));
  };
  const auto draw = [&] {
    const Plane p = plane();
    io::write_heatmap(f.image, p.values, p.nx, p.ny, p.labels);
  };
  report.error = error_of<T, D>(problem, x);
  const Extent extent = extent_of<T>(inside_of<T, D>(problem, x));
  ordered_json more = problem_asked(o, box);
  extent.add_to(more, "u");
  const auto write_output = [&] {
    if (io::lower_case(f.output).ends_with(".csv"))
      write_csv(f.output, field(), box);
    else
      io::write_npy<T>(f.output, field().values, field().shape);
  };
  const auto write_report = [&] {
    const std::string page =
        page_of("jacobi poisson", report, problem_asked(o, box), extent.in_words("u"), [&](HtmlPage& to) {
          add_roofline(to, report, work);
          const Plane p = plane();
          to.heading("Solution");
          to.picture(p.labels.title, [&] { return io::drawn_heatmap(p.values, p.nx, p.ny, p.labels); });
        });
    write_text(f.report, page);
  };
  return finish(
      {{"--output", f.output, write_output},
       {"--history", f.history, [&] { write_history(f.history, report); }},
       {"--vti", f.vti, [&] { write_vti<T, D>(f.vti, field(), box, problem.a); }},
       {"--image", f.image, draw},
       {"--report", f.report, write_report}},
      report, o.run, [&] { return with(to_json(report), more, "notes"); }, extent.in_words("u"));
}

void require_room(const PoissonOptions& o, double needed) {
  jacobi::require_room(needed, "this grid needs",
                       o.copies > 1 ? "take fewer points, fewer --copies or --precision float"
                                    : "take fewer points or --precision float");
}

/// Where nothing is known but the options: of varying coefficients, and what no method goes without.
double memory_needed(const PoissonOptions& o, const Box& box, std::size_t size_of_number) {
  double points = 1;
  for (int d = 0; d < box.dimensions; ++d) points *= static_cast<double>(box.points[d]);
  Plan plan(named_method(o, [] { return Range{1, 1}; }).value_or(plain()));  // as if all were known
  if (o.multigrid.preconditions()) plan.by = PreconditionedBy{o.multigrid.make()};
  const double vectors =
      sweep::vectors_of(plan) + (plan.preconditioner() ? 3 : 0) - (plan.method.red_black ? 1 : 0);
  return static_cast<double>(o.copies) * (memory_needed(box, o.problem, size_of_number) +
                                          vectors * points * static_cast<double>(size_of_number));
}

/// bytes_to_solve() before there are vectors, less what sweeps go without where memory lacks. Coefficients
/// that vary are there by then: what more these take is refused where it is made. What sweeps on a device
/// take is not this memory.
template <class T, int D>
void require_room(const PoissonOptions& o, const Stencil<T, D>& a) {
  if (!a.is_constant() || o.run.make_backend()->has_own_memory()) return;
  const Choice choice = o.method == "scheduled"  // whose weights follow b
                            ? Choice{{weighted(default_omega), o.rung}}
                            : choose_plan(o, Problem<T, D>{a, {}, {}, {}});
  const int threads = o.run.make_backend()->threads();
  require_room(o, bytes_to_solve(a, choice, threads) + bytes_of_exact(o, static_cast<double>(a.rows())) -
                      bytes_of_the_process - sweep::bytes_if_free(a, choice.plan, threads));
}

/// Unknowns of the first copy, which stands for all.
template <class T>
std::vector<T> first_copy(const std::vector<T>& x, Index copies) {
  std::vector<T> one;
  for (std::size_t p = 0; p < x.size(); p += static_cast<std::size_t>(copies)) one.push_back(x[p]);
  return one;
}

/// Solves `problem`, which is `one` or copies of it; files and errors are of one.
template <class T, int D, int E>
int solve(PoissonOptions& o, const Box& box, const Problem<T, D>& one, const Problem<T, E>& problem) {
  Choice choice = named("--schedule", o.schedule, [&] { return choose_plan(o, one); });
  const std::string tile_note = o.tile.choose(one.a, o.copies, choice.plan);
  std::string description = describe_grid(one, box);
  if (o.copies > 1) description += fmt::format(", {} copies", o.copies);
  if (o.run.talks()) fmt::print("{}\n", description);
  std::vector<T> x = problem.x;
  Watch watch(o.run.shown());
  Method taken;  // that of the choice, or of its fallback
  // inlined: a frame less from main to a kernel (docs/architecture.md)
  const auto run = [&](const Plan& plan, const Stop& until) __attribute__((always_inline)) {
    taken = plan.method;
    Solver<T> solver(problem.a, plan, o.run.make_backend(), watch.token());
    Stop stop = until;
    const FoundTile tile =
        o.no_tune
            ? FoundTile{}
            : find_tile<T, E>(solver.sweeper(), {problem.a, problem.b, x, plan, stop, o.run.make_backend()},
                              Watch::interrupted);
    stop.progress = [&](const Progress& p) { return watch(p); };
    Report report = solver.solve(problem.b, x, stop);
    report.seconds_setup += tile.seconds;
    if (!tile.note.empty()) report.notes.emplace_back(tile.note);
    return report;
  };
  Stop whole = o.stop.make();
  o.checkpoint.apply(whole);
  Report report = solve_or_interrupted(o.run, choice, x, whole, run);
  watch.clear();
  o.checkpoint.tell(report.status, report.notes);
  if (!tile_note.empty()) report.notes.emplace_back(tile_note);
  if (o.stop.project_rhs && !one.a.singular() && one.notes.empty())
    report.notes.emplace_back("--project-rhs removed nothing: A is not singular");
  const bool has_limits = !report.work && !accelerated(taken);  // which are not known of other passes
  const auto work = [&] {
    const bool weighted = sweep::kind_of(taken.step(0, {})) != sweep::StepKind::plain;
    return machine::work_of(problem.a, report.algorithm, weighted, report.bytes_per_update, report.threads);
  };
  const std::function<machine::Work()> known_work = has_limits ? work : std::function<machine::Work()>();
  set_limit(report, *o.run.make_backend(), known_work);
  if (o.copies > 1) x = first_copy(x, o.copies);
  return finish_one<T, D>(o, box, one, x, report, known_work);
}

/// By all processes that were started together, each its part; the first one goes on with the whole.
template <class T, int D>
int solve_together(PoissonOptions& o, const Box& box, const Problem<T, D>& problem) {
  const Choice choice = choose_plan(o, problem);
  if (o.run.talks()) fmt::print("{}, {} processes\n", describe_grid(problem, box), processes()->count());
  std::vector<T> x = problem.x;
  Watch watch(o.run.shown());
  Stop stop = collectively(*processes(), [&] {
    Stop until = o.stop.make();
    o.checkpoint.apply(until);
    return until;
  });
  stop.cancel = watch.token();
  stop.progress = [&](const Progress& p) { return watch(p); };
  const auto run = [&](const Plan& plan, const Stop& until) {
    return solve_by_processes<T, D>(problem.a, plan, problem.b, x, until, o.run.make_backend());
  };
  Report report = jacobi::solve<T>(choice, x, stop, run);
  watch.clear();
  if (processes()->number() > 0) return exit_code(report.status);
  o.checkpoint.tell(report.status, report.notes);
  return finish_one<T, D>(o, box, problem, x, report, {});
}

// Inlined, as the next one: two frames less from main to a kernel (docs/architecture.md).
template <class T, int D>
[[gnu::always_inline]] inline int solve(PoissonOptions& o, const Box& box) {
  if (o.problem.is_boxed())
    return solve_boxed<T, D>(o, box, [&](const Problem<T, D>& shown, std::vector<T>& x, Report& report) {
      return finish_one<T, D>(o, box, shown, x, report, {});
    });
  if (o.dry_run) return dry_run<T, D>(o, box);
  const auto make = [&] {
    const auto look = [&](const auto& a) {
      if (o.copies == 1) require_room(o, a);
    };
    return make_problem<T, D>(box, o.problem, look, mean_of(o.stop));
  };
  const Problem<T, D> one = collectively(*processes(), make);
  if (processes()->count() > 1) return solve_together(o, box, one);
  if constexpr (D == 1)
    if (o.copies > 1) return solve(o, box, one, copies_of(one, o.copies));
  return solve(o, box, one, one);
}

template <class T>
[[gnu::always_inline]] inline int solve(PoissonOptions& o, const Box& box) {
  if (box.dimensions == 1) return solve<T, 1>(o, box);
  return box.dimensions == 2 ? solve<T, 2>(o, box) : solve<T, 3>(o, box);
}

/// Throws: UsageError for what processes do not share.
void check_shared(PoissonOptions& o) {
  const char* const what = o.copies > 1           ? "--copies"
                           : o.tile.given()       ? "--tile"
                           : o.dry_run            ? "--dry-run"
                           : o.problem.is_boxed() ? o.problem.boxed_by()
                                                  : nullptr;
  if (what) throw UsageError(fmt::format("{} is for one process: start it without mpirun", what));
  if (!o.run.threads && o.run.backend.empty()) o.run.threads = threads_of_a_process();
}

/// Throws: UsageError, InputError, BackendError for what cannot be done.
Box checked(PoissonOptions& o) {
  const Box box = read_box(o.box);
  if (processes()->count() > 1) check_shared(o);
  o.stop.make();
  o.checkpoint.check();
  o.run.make_backend();
  o.run.shown();
  o.multigrid.check(o.method);
  const bool smooths = o.method == "multigrid" && o.multigrid.smooths_by_one_weight();
  if (o.omega && o.method == "multigrid" && !smooths)
    throw UsageError(
        "--omega goes with --smoother weighted: the Chebyshev weights are fixed by their number");
  if (o.method == "multigrid" || o.multigrid.preconditions()) o.cycle = o.multigrid.make();
  if (smooths)
    o.omega = o.omega.value_or(smoothing_weight(box.dimensions));
  else
    require_fitting(o);
  if (!o.schedule.empty() && o.method != "scheduled")
    throw UsageError("--schedule goes with --method scheduled");
  if ((o.accelerated() || o.method == "multigrid") && o.tile.given())
    throw UsageError(fmt::format("--tile goes with sweeps of {}, not with --method {}",
                                 o.accelerated() ? "known weights" : "one grid", o.method));
  if (o.period && !o.schedule.empty()) throw UsageError("give --period or --schedule, not both");
  if (o.copies > 1 && box.dimensions != 1)
    throw UsageError(
        fmt::format("--copies {}: copies are solved side by side in 1D only; add --dim 1", o.copies));
  if (o.problem.is_boxed()) require_box_sweeps(o);
  if (!o.rung.empty() && !o.problem.is_boxed() && !o.run.make_backend()->has_own_memory())
    stencil_rung(o.rung);  // a device has its own
  if (o.method == "multigrid" && !o.rung.empty())
    throw UsageError(
        fmt::format("--method multigrid and --rung {}: its passes are its own, give one of them", o.rung));
  o.tile.check(o.rung, box.dimensions);
  const bool stretched = std::ranges::any_of(box.axes, [](const auto& at) { return !at.empty(); });
  if (stretched && io::lower_case(o.files.vti).ends_with(".vti"))
    throw UsageError(fmt::format(
        "--vti {}: a .vti holds points that are spaced equally, and these are not: name the file .vtr",
        o.files.vti));
  std::vector<OutputFile> files = o.files.files();
  files.push_back(json_file(o.run.json));
  std::vector<std::string> read = files_read(o.problem);
  for (const std::string& axis : o.box.axes)
    if (is_file(axis)) read.push_back(axis);
  read.push_back(o.schedule);
  o.run.stdout_is_taken = check_outputs(files, read, o.problem.initial);
  const bool single = o.run.precision == "float";
  require_room(o, memory_needed(o, box, single ? sizeof(float) : sizeof(double)));
  return box;
}

int run_poisson(PoissonOptions& o) {
  if (processes()->number() > 0) {  // the first one writes and talks
    o.files = {};
    o.run.json.clear();
    o.run.quiet = true;
    o.run.progress = "none";
  }
  const Stage stage("stopped while the problem was made, nothing was solved");
  const Box box = collectively(*processes(), [&] { return checked(o); });
  const bool single = o.run.precision == "float";
  return single ? solve<float>(o, box) : solve<double>(o, box);
}

}  // namespace

void add_poisson(CLI::App& app, Action& action) {
  CLI::App* sub =
      app.add_subcommand("poisson", "solve a Poisson or diffusion problem on a 1D, 2D or 3D grid");
  auto o = std::make_shared<PoissonOptions>();
  add_problem_options(*sub, o->box, o->problem, false);
  sub->add_option("--copies", o->copies,
                  "solve so many independent copies of a 1D problem side by side; files show one (default 1)")
      ->check(CLI::Range(Index(1), Index(1) << 40))
      ->transform(whole(Index(1) << 40))
      ->type_name("C");
  add_help_of_formulas(*sub);
  o->add_method_to(
      *sub,
      "auto takes multigrid, or cg where that fails; with --rung, --tile or --copies plain, or "
      "weighted where no side is Dirichlet. red-black is plain, cyclic-chebyshev chebyshev on one "
      "colour of a chequerboard at a time: half of the work per sweep",
      on_grids);
  o->add_period_to(
      *sub,
      "weights of method scheduled: a power of two up to 2048 (default: the most up to 512 whose "
      "rounding errors let the tolerance be reached); ");
  o->add_depth_to(*sub);
  sub->add_option("--schedule", o->schedule, "the weights of method scheduled, in the order of their use")
      ->type_name("W.npy|mtx");
  o->add_omega_to(*sub);
  sub->add_option(
         "--rung", o->rung,
         fmt::format("how to sweep: {} (default: {}, the only one of red-black and cyclic-chebyshev)",
                     names_of(stencil_rungs()), stencil_rungs().back().name))
      ->type_name(fmt::format("NAME:{{{}}}", names_of(stencil_rungs())));
  o->multigrid.add_to(*sub);
  o->tile.add_to(*sub);
  o->stop.add_to(*sub);
  o->stop.add_projection_to(*sub);
  o->checkpoint.add_to(*sub);
  o->run.add_to(*sub);
  o->run.add_progress_to(*sub);
  o->files.add_to(*sub);
  sub->add_flag("--no-tune", o->no_tune,
                "take the default tiles: neither measure nor read those measured before ('jacobi info')");
  sub->add_flag("--dry-run", o->dry_run, "print unknowns, memory, predicted sweeps and time; solve nothing");
  sub->footer("Example:\n  jacobi poisson --points 128 --rhs 'sin(2*pi*x)*sin(2*pi*y)' --image u.png");
  sub->callback([o, &action] { action = [o] { return run_poisson(*o); }; });
}

}  // namespace jacobi::cli
