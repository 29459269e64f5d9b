/// `jacobi solve`: a system from files, solved, with its report.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "core/notes.hpp"
#include "core/projection.hpp"
#include "core/recognise.hpp"
#include "diagnosis/solve_diagnosed.hpp"
#include "html.hpp"
#include "io/vector_file.hpp"
#include "jacobi/error.hpp"
#include "jacobi/predict.hpp"
#include "last_step.hpp"
#include "limit.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "reorder.hpp"
#include "report.hpp"
#include "solve_options.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/rungs.hpp"
#include "sweep/step_kind.hpp"

namespace jacobi::cli {

namespace {

std::vector<OutputFile> files_of(const SolveOptions& o) {
  return {
      {"--output", o.output, {".npy", ".mtx"}}, {"--history", o.history, {".csv"}}, report_file(o.report)};
}

/// Distance to the solutions from which b was made.
template <class T>
std::optional<ErrorNorms> error_of(const System<T>& system, const Columns<T>& x) {
  if (!system.exact) return {};
  ErrorSum sum;
  for (std::size_t c = 0; c < x.size(); ++c)
    for (std::size_t i = 0; i < x[c].size(); ++i) sum.add((*system.exact)[c][i], x[c][i]);
  return sum.norms();
}

bool is_among(std::span<const Rung> rungs, const std::string& name) {
  return std::any_of(rungs.begin(), rungs.end(), [&](const Rung& rung) { return name == rung.name; });
}

/// Whether it is swept as a dense matrix: one that is, unless a rung is asked for that only sparse ones have.
template <class T>
bool is_dense(const SolveOptions& o, const System<T>& system) {
  const bool sparse_only = is_among(sparse_rungs(), o.rung) && !is_among(dense_rungs(), o.rung);
  return system.dense && (o.rung.empty() || !sparse_only);
}

/// Why what goes with dense matrices does not go with this one.
template <class T>
std::string why_sparse(const SolveOptions& o, const System<T>& system) {
  return system.notes.empty() ? o.matrix + " is a sparse one" : system.notes.front();
}

/// What a solve would take.
template <class T>
int dry_run(const SolveOptions& o, const System<T>& system, const Operator<T>& a, const Diagnosis& d,
            const Choice& choice, bool reordered, const std::vector<Note>& notes) {
  const auto rhs_count = static_cast<Index>(system.b.size());
  Forecast f = named(o.matrix, system, [&] {
    return forecast<T>(a, d, choice, system.b[0], system.x[0], o.stop.make(), o.run.make_backend(),
                       rhs_count);
  });
  f.notes.insert(f.notes.begin(), notes.begin(), notes.end());
  for (const std::string& note : left_unwritten(files_of(o))) f.notes.emplace_back(note);
  if (!o.run.json.empty())
    write_text(o.run.json,
               with(with(to_json(f), {{"reordered", reordered}}, "method_taken"), facts_of_run(), "notes"));
  if (o.run.talks()) fmt::print("{}", to_text(f));
  return Exit::converged;
}

/// What an update of the sweeps that ended the solve takes; nothing where that is not known: of cycles, of
/// products and of a method that went on after another one.
template <class T>
std::function<machine::Work()> work_of_sweeps(const System<T>& system, bool dense, const Choice& choice,
                                              const Report& report) {
  const double bytes = report.bytes_per_update;
  const int threads = report.threads;
  if (is_among(dense ? dense_rungs() : sparse_rungs(), report.rung))
    return [&system, dense, bytes, threads] {
      return dense ? machine::work_of(*system.dense, bytes, threads)
                   : machine::work_of(system.a, bytes, threads);
    };
  const Method& method = choice.plan.method;
  const bool went_on =
      std::ranges::any_of(report.notes, [](const Note& n) { return n.kind == Note::Kind::fallback; });
  if (dense || went_on || report.work || accelerated(method) || !choice.plan.recognise_grids) return {};
  auto grid = recognise(system.a);
  if (!grid) return {};
  const bool weighted = sweep::kind_of(method.step(0, {})) != sweep::StepKind::plain;
  return [grid = std::make_shared<Recognised<T>>(std::move(*grid)), weighted, bytes, threads,
          algorithm = report.algorithm] {
    return std::visit(
        [&]<class A>(const A& a) -> machine::Work {
          if constexpr (OnGrid<A>)
            return machine::work_of(a, algorithm, weighted, bytes, threads);
          else
            throw std::logic_error("a recognised grid is a stencil");
        },
        grid->grid);
  };
}

template <class T>
std::string right_hand_sides_in_words(const SolveOptions& o, const System<T>& system) {
  const std::size_t count = system.b.size();
  const std::string from = !o.b.empty()    ? o.b
                           : !system.exact ? "the one in " + o.matrix
                           : count > 1     ? "A times cosines, ones first"
                                           : "A times ones";
  return count > 1 ? fmt::format("{}: {}", count, from) : from;
}

template <class T>
int solve(SolveOptions& o) {
  std::optional<Stage> stage(std::in_place,
                             fmt::format("stopped while {} was diagnosed, nothing was solved", o.matrix));
  System<T> system = read_system<T>(o.matrix, o.b, o.initial, o.rhs_count);
  if (o.run.talks()) fmt::print("{}: {}\n", o.matrix, describe(system.a));
  std::vector<Note> notes(system.notes.begin(), system.notes.end());
  Reordered reordered;
  if (o.reorder_rows) notes.emplace_back((reordered = reorder_rows(system, o.matrix)).note);
  const Columns<T> given = o.stop.project_rhs ? system.b : Columns<T>();
  const Projection<T> projection(system.a, given, o.stop.project_rhs);
  if (o.stop.project_rhs) system.b = projection.b();
  const Diagnosis d = diagnose(system.a, system.b, system.x, questions_before(o, o.stop.make()));
  if (!d.no_solution.empty() && !o.dry_run)
    throw InputError(fmt::format("{}: {}; --project-rhs removes the mean", o.matrix, d.no_solution));
  if (d.singular && d.verdict != Verdict::unusable) notes.push_back(note(notes::singular));
  const bool narrow = o.matrix_precision != MatrixPrecision::as_given;
  if (narrow && !is_dense(o, system))
    throw UsageError(
        fmt::format("--matrix-precision {} is for dense matrices; {}", o.entries_as, why_sparse(o, system)));
  const Choice choice = choose_asked(o, system.dense ? nullptr : &system.a, d, o.stop.make(),
                                     static_cast<Index>(system.b.size()), *o.run.make_backend());
  const bool dense = is_dense(o, system);
  if (!o.rung.empty() && !dense && is_among(dense_rungs(), o.rung) && !is_among(sparse_rungs(), o.rung))
    throw UsageError(fmt::format("rung '{}' is for dense matrices: choose one of {}; {}", o.rung,
                                 names_of(sparse_rungs()), why_sparse(o, system)));
  if (system.dense && !dense)
    notes.emplace_back(fmt::format("swept as a sparse matrix, for which rung '{}' is", o.rung));
  const Operator<T> a = operator_of(system, dense);
  if (o.dry_run) {
    const Diagnosis told =
        needs_estimates(o) ? d
                           : diagnose(system.a, system.b, system.x, DiagnoseOptions::before(o.stop.make()));
    return dry_run(o, system, a, told, choice, reordered.rows, notes);
  }
  Stop stop = o.stop.make();
  Watch watch(o.run.shown());
  stage.reset();
  stop.progress = [&](const Progress& p) { return watch(p); };
  o.checkpoint.apply(stop);
  Solutions<T> found = named(o.matrix, system, [&] {
    return solve_diagnosed<T>(a, system.a, d, choice, system.b, std::move(system.x), stop,
                              o.run.make_backend());
  });
  watch.clear();
  system.x = std::move(found.x);
  Report& report = found.report;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  o.checkpoint.tell(report.status, report.notes);
  projection.tell(report, system.x);
  const bool several = system.b.size() > 1;
  std::function<machine::Work()> known_work;
  if (!narrow && !several) known_work = work_of_sweeps(system, dense, choice, report);
  if (!narrow && system.b.size() == 1) set_limit(report, *o.run.make_backend(), known_work);
  report.error = error_of<T>(system, system.x);
  const Extent extent = extent_of(std::span<const T>(system.x[0]));
  ordered_json more = {{"matrix", o.matrix},
                       {"entries", d.entries},
                       {"verdict", name(d.verdict)},
                       {"reordered", reordered.rows},
                       {"predicted_sweeps", or_null(predicted_sweeps(d, choice, stop.norm))}};
  if (system.x.size() == 1) extent.add_to(more, "x");
  const auto write_page = [&] {
    const ordered_json problem = {
        {"matrix", o.matrix},
        {several ? "right-hand sides" : "right-hand side", right_hand_sides_in_words(o, system)},
        {"unknowns", d.rows},
        {"entries", d.entries}};
    write_text(o.report, page_of("jacobi solve " + o.matrix, report, problem,
                                 system.x.size() == 1 ? extent.in_words("x") : "", [&](HtmlPage& page) {
                                   page.heading("Diagnosis");
                                   page.lines(to_text(d, {}));
                                   add_roofline(page, report, known_work, several);
                                 }));
  };
  return finish(
      {{"--output", o.output, [&] { io::write_columns<T>(o.output, system.x); }},
       {"--history", o.history, [&] { write_history(o.history, report); }},
       {"--report", o.report, write_page}},
      report, o.run, [&] { return with(to_json(report), more, "columns"); },
      system.x.size() == 1 ? extent.in_words("x") : "");
}

int run_solve(SolveOptions& o) {
  o.stop.make();
  o.checkpoint.check();
  const bool on_host = !o.run.make_backend()->has_own_memory();  // a device has rungs of its own
  o.run.shown();
  require_fitting(o);
  o.amg = o.algebraic.make(o.method);
  o.matrix_precision = matrix_precision_named(o.entries_as);
  o.recognise_grids = !o.no_grid;
  if (o.entries_as != "double" && o.run.precision == "float")
    throw UsageError(fmt::format("--matrix-precision {} goes with --precision double", o.entries_as));
  if (!o.rung.empty() && on_host && !is_among(dense_rungs(), o.rung) && !is_among(sparse_rungs(), o.rung))
    throw UsageError(fmt::format("there is no rung '{}': a dense matrix has {}; a sparse one {}", o.rung,
                                 names_of(dense_rungs()), names_of(sparse_rungs())));
  std::vector<OutputFile> files = files_of(o);
  files.push_back(json_file(o.run.json));
  o.run.stdout_is_taken = check_outputs(files, {o.matrix, o.b, o.initial}, o.initial);
  return o.run.precision == "float" ? solve<float>(o) : solve<double>(o);
}

}  // namespace

void add_solve(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("solve", "solve A x = b read from files");
  auto o = std::make_shared<SolveOptions>();
  sub->add_option("matrix", o->matrix, "A: Matrix Market, or .npy of two dimensions (also .gz)")
      ->type_name("A.mtx")
      ->required();
  sub->add_option("b", o->b,
                  "right-hand side, or several as columns: Matrix Market or .npy (default: the "
                  "one in A's file, or A times ones; the error is told)")
      ->type_name("B.mtx");
  sub->add_option("--rhs-count", o->rhs_count,
                  "right-hand sides: columns of b, or, without b, A times so many cosines (ones first)")
      ->check(CLI::Range(Index(1), Index(1) << 20))
      ->transform(whole())
      ->type_name("R");
  sub->add_option("--initial", o->initial, "initial iterate (default 0)")->type_name("X.npy");
  o->add_method_to(*sub,
                   "auto diagnoses the matrix, chooses, and says why; red-black, cyclic-chebyshev and "
                   "multigrid are for matrices that are grids",
                   on_matrices);
  o->add_omega_to(*sub);
  o->add_period_to(*sub, "weights of method scheduled: a power of two up to 2048 (default 32); ");
  o->add_depth_to(*sub);
  o->algebraic.add_to(*sub);
  sub->add_option("--rung", o->rung,
                  fmt::format("how to sweep: {}; dense: {} (default: the best)", names_of(sparse_rungs()),
                              names_of(dense_rungs())))
      ->type_name(fmt::format("NAME:{{{}, {}}}", names_of(sparse_rungs()), names_of(dense_rungs())));
  sub->add_option("--matrix-precision", o->entries_as,
                  "store the entries of a dense matrix so while it is swept, and refine in double")
      ->check(one_of({"double", "float", "bf16"}))
      ->capture_default_str();
  sub->add_flag("--no-grid", o->no_grid, "do not sweep a matrix that is a grid as one");
  sub->add_flag("--reorder-rows", o->reorder_rows,
                "put rows, with their right-hand sides, in an order without zeros on the diagonal");
  o->stop.add_to(*sub);
  o->stop.add_projection_to(*sub);
  o->checkpoint.add_to(*sub);
  o->run.add_to(*sub);
  o->run.add_progress_to(*sub);
  sub->add_option("-o,--output", o->output, "write the solution")->type_name("X.npy|mtx");
  sub->add_option("--history", o->history, "write sweeps and norms")->type_name("H.csv");
  add_report_to(*sub, o->report);
  sub->add_flag("--dry-run", o->dry_run, "diagnose, print memory, predicted sweeps and time; solve nothing");
  sub->footer("Example:\n  jacobi solve A.mtx b.mtx -o x.npy");
  sub->callback([o, &action] { action = [o] { return run_solve(*o); }; });
}

}  // namespace jacobi::cli
