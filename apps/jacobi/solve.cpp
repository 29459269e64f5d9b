/// `jacobi solve`: a system from files, solved, with its report.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ceilings.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "core/memory.hpp"
#include "core/tested_norm.hpp"
#include "core/words.hpp"
#include "device_limit.hpp"
#include "diagnose.hpp"
#include "dry_run.hpp"
#include "io/vector_file.hpp"
#include "jacobi/error.hpp"
#include "jacobi/error_bound.hpp"
#include "jacobi/solver.hpp"
#include "last_step.hpp"
#include "machine/limit.hpp"
#include "method_options.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "projection.hpp"
#include "reorder.hpp"
#include "report.hpp"
#include "solve_plan.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/rung_names.hpp"
#include "sweep/rungs.hpp"
#include "timing.hpp"

namespace jacobi::cli {

namespace {

std::vector<OutputFile> files_of(const SolveOptions& o) {
  return {{"--output", o.output, {".npy", ".mtx"}}, {"--history", o.history, {".csv"}}};
}

/// All that 30 sweeps can tell, or only the proofs that a few can give.
DiagnoseOptions questions(const SolveOptions& o, bool estimates) {
  DiagnoseOptions options;
  options.stop = o.stop.make();
  if (estimates) return options;
  options.cholesky = Cholesky::never;
  options.budget = 5;
  return options;
}

bool needs_estimates(const SolveOptions& o) {
  return o.method == "auto" || o.method == "chebyshev" || o.method == "cyclic-chebyshev";
}

/// What is known of the system beforehand.
template <class T>
Diagnosis look_at(const SolveOptions& o, const System<T>& system, bool estimates) {
  Diagnosis d = diagnose<T>(system.a, system.b[0], system.x[0], questions(o, estimates));
  d.no_solution = no_solution(system, d, questions(o, false));
  return d;
}

/// Of the plan's method, where eigenvalues tell: of weighted and l1-Jacobi.
std::optional<double> radius_of(const Diagnosis& d, const Plan& plan) {
  if (plan.method.name == "l1") return d.l1_radius;
  if (plan.method.name != "weighted" || !d.eigenvalues) return {};
  const double omega = plan.method.step(0, {}).omega;
  return std::max(std::abs(1 - omega * d.eigenvalues->low), std::abs(1 - omega * d.eigenvalues->high));
}

/// As far as rounding lets it be known: of a singular matrix, whose sweeps may converge all the same.
bool is_one(double radius) { return std::abs(1 - radius) < 1e-13; }

/// Sweeps that the diagnosis expects of this plan, if it has looked at its method; of a weight that was asked
/// for, and of l1, as if the error were all in the slowest mode.
std::optional<double> predicted(const SolveOptions& o, const Diagnosis& d, const Plan& plan) {
  if (plan.multigrid) return {};
  const Method& method = plan.method;
  if (method.name == "plain") return d.predicted_sweeps;
  if (o.method == "auto" && !o.omega) return method.name == d.method ? d.method_sweeps : std::nullopt;
  const std::optional<double> radius = radius_of(d, plan);
  if (!radius || is_one(*radius)) return {};
  const bool of_updates = is_update(o.stop.make().norm);
  const double weight = of_updates && method.name == "weighted" ? method.step(0, {}).omega : 1;
  return sweeps_between(weight * d.norm_initial, d.tolerance, of_updates, *radius);
}

std::string expected_in_words(double sweeps, double seconds_each, double radius) {
  if (sweeps >= 0)
    return fmt::format("about {} sweep{}, {}", sweeps_in_words(sweeps), sweeps == 1 ? "" : "s",
                       in_time(sweeps * seconds_each));
  if (is_one(radius)) return "the spectral radius is 1 as far as can be told: its sweeps are not predicted";
  if (radius > 1) return fmt::format("diverges, by an estimated spectral radius of {:.4g}", radius);
  return "its sweeps are not predicted";
}

/// Distance to the solutions from which b was made.
template <class T>
std::optional<ErrorNorms> error_of(const System<T>& system, const io::Columns<T>& x) {
  if (!system.exact) return {};
  ErrorSum sum;
  for (std::size_t c = 0; c < x.size(); ++c)
    for (std::size_t i = 0; i < x[c].size(); ++i) sum.add((*system.exact)[c][i], x[c][i]);
  return sum.norms();
}

/// Compares the rate with what the machine allows, where that was measured. A grid in disguise has its own
/// counts, which are those of `jacobi poisson`.
template <class A>
void set_limit(Report& report, const A& a, const Backend& on) {
  if (set_device_limit(report, on)) return;
  const auto ceilings = read_ceilings().ceilings;
  if (!ceilings || !(report.lups > 0) || report.rung == "tiled" || report.rung == "products") return;
  const machine::Limit limit =
      machine::limit_of(machine::work_of(a, report.bytes_per_update, report.threads), *ceilings);
  report.fraction_of_limit = report.lups / limit.lups;
  report.limit_by = limit.by;
}

bool is_among(std::span<const Rung> rungs, const std::string& name) {
  return std::any_of(rungs.begin(), rungs.end(), [&](const Rung& rung) { return name == rung.name; });
}

/// Whether it is swept as a dense matrix: one that is, unless a rung is asked for that only sparse ones have.
template <class T>
bool is_dense(const SolveOptions& o, const System<T>& system) {
  return system.dense && (o.rung.empty() || is_among(dense_rungs(), o.rung));
}

/// Why what goes with dense matrices does not go with this one.
template <class T>
std::string why_sparse(const SolveOptions& o, const System<T>& system) {
  return system.notes.empty() ? o.matrix + " is a sparse one" : system.notes.front();
}

/// What the sweeps of a plan turned out to take.
struct Tried {
  Executed ran;
  double seconds = 0, bytes = 0;  ///< per sweep
  double memory = 0;              ///< of a solve
};

/// Makes a few sweeps. What a solve takes at most is what this process has taken so far, since it has read
/// and asked what a solve does, or what it holds now and what only a solve adds: iterates and products, those
/// of several columns as the sweeps have them.
template <class T>
Tried try_sweeps(const SolveOptions& o, const System<T>& system, bool dense, const Plan& plan) {
  Solver<T> solver = named(o.matrix, system,
                           [&] { return Solver<T>(operator_of(system, dense), plan, o.run.make_backend()); });
  Tried tried;
  tried.seconds = seconds_per_sweep<T>(solver.sweeper(), system.b[0], system.x[0]);
  tried.ran = solver.sweeper().executed();
  const double rows = static_cast<double>(system.a.rows()), columns = static_cast<double>(system.b.size());
  tried.bytes = rows * solver.sweeper().bytes_per_update();
  const double vectors = 4 * columns + (dense && columns > 1 ? 11 * 64 / sizeof(T) : 0);
  tried.memory = std::max(memory_taken_at_most(), memory_taken() + vectors * rows * sizeof(T));
  return tried;
}

int dry_run(const SolveOptions& o, const Diagnosis& d, const Tried& tried, const Plan& plan, bool reordered,
            const std::vector<std::string>& notes) {
  const auto& [ran, seconds, bytes, memory] = tried;
  const bool sweeps = !accelerated(plan.method) && !plan.multigrid;  // whose time is that of plain ones
  const std::optional<double> plain_seconds = sweeps ? std::optional(seconds) : std::nullopt;
  const bool asked = (o.method != "auto" || o.omega) && plan.method.name != "plain";
  const double expected = predicted(o, d, plan).value_or(std::numeric_limits<double>::quiet_NaN());
  if (!o.run.json.empty()) {
    nlohmann::ordered_json json = to_json(d, plain_seconds);
    if (asked) {
      json["predicted_sweeps"] = or_null(expected);
      json["predicted_seconds"] = or_null(expected * seconds);
    }
    json["reordered"] = reordered;
    json["method_taken"] = plan.multigrid ? "multigrid" : plan.method.name;  // "method" is the one advised
    json["seconds_per_sweep"] = seconds;
    json["dry_run"] = true;
    json["memory_bytes"] = memory;
    json["bytes_per_sweep"] = bytes;
    json["rung"] = ran.rung;
    json["notes"] = notes;
    write_text(o.run.json, json_text(json));
  }
  if (!o.run.talks()) return Exit::converged;
  fmt::print("  memory about {}; {} moved per sweep; measured {} per sweep (rung {}, {})\n", in_words(memory),
             in_words(bytes), in_time(seconds), ran.rung, counted(ran.threads, "thread"));
  fmt::print("{}", to_text(d, plain_seconds));
  if (asked)
    fmt::print("  method {} as asked for: {}\n", plan.method.name,
               expected_in_words(expected, seconds, radius_of(d, plan).value_or(0)));
  for (const std::string& note : notes) fmt::print("  note: {}\n", note);
  return Exit::converged;
}

template <class T>
int solve(const SolveOptions& o) {
  System<T> system = read_system<T>(o.matrix, o.b, o.initial, o.rhs_count);
  if (o.run.talks()) fmt::print("{}: {}\n", o.matrix, describe(system.a));
  std::vector<std::string> notes = system.notes;
  Reordered reordered;
  if (o.reorder_rows) notes.push_back((reordered = reorder_rows(system, o.matrix)).note);
  const Projection<T> projection = o.stop.project_rhs ? project_rhs(system) : Projection<T>();
  const Diagnosis d = look_at(o, system, needs_estimates(o));
  if (!d.no_solution.empty() && !o.dry_run)
    throw InputError(fmt::format("{}: {}; --project-rhs removes the mean", o.matrix, d.no_solution));
  if (d.singular && d.verdict != Verdict::unusable)
    notes.push_back("A is singular: every row sums to 0, so that solutions differ by any constant");
  Choice choice = choose_plan(o, system, d);
  Plan& plan = choice.plan;
  plan.rung = o.rung;
  plan.recognise_grids = !o.no_grid;
  plan.matrix_precision = matrix_precision(o);
  const bool narrow = plan.matrix_precision != MatrixPrecision::as_given;
  if (narrow && !is_dense(o, system))
    throw UsageError(fmt::format("--matrix-precision {} is for dense matrices; {}", o.matrix_precision,
                                 why_sparse(o, system)));
  if (narrow || !o.rung.empty() || system.b.size() > 1) {  // which other methods do not go with
    choice.fallback.reset();
    choice.most_sweeps = std::numeric_limits<Index>::max();
  }
  const bool dense = is_dense(o, system);
  if (!o.rung.empty() && !dense && !is_among(sparse_rungs(), o.rung))
    throw UsageError(fmt::format("rung '{}' is for dense matrices: choose one of {}; {}", o.rung,
                                 names_of(sparse_rungs()), why_sparse(o, system)));
  if (system.dense && !dense)
    notes.push_back(fmt::format("swept as a sparse matrix, for which rung '{}' is", o.rung));
  if (o.dry_run) {
    const Tried tried = try_sweeps(o, system, dense, plan);
    if (!choice.reason.empty()) notes.push_back(choice.reason);
    if (system.b.size() > 1) notes.push_back("what is said is for the first right-hand side");
    for (const std::string& note : left_unwritten(files_of(o))) notes.push_back(note);
    return dry_run(o, needs_estimates(o) ? d : look_at(o, system, true), tried, plan, reordered.rows, notes);
  }
  Stop stop = o.stop.make();
  if (proved_to_converge(d, plan)) stop.growth = std::numeric_limits<double>::infinity();  // it will end
  Watch watch(!o.run.quiet);
  stop.progress = [&](const Progress& p) { return watch(p); };
  ColumnsEnd<T> end;
  Report report = jacobi::solve<T>(choice, system.x[0], stop, [&](const Plan& taken, const Stop& until) {
    end = named(o.matrix, system,
                [&] { return solve_columns(system, dense, taken, o.run.make_backend(), until); });
    for (std::size_t c = 0; c < end.x.size(); ++c) std::ranges::copy(end.x[c], system.x[c].begin());
    return end.report;
  });
  watch.clear();
  report.seconds_setup += d.seconds;
  if (end.columns.size() == 1 && report.status != Status::not_finite)
    report.error_bound = error_bound<T>(system.a, d, system.b[0], system.x[0]);
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  if (o.stop.project_rhs) report.notes.push_back(removed_in_words(projection, system));
  if (!narrow && end.columns.size() == 1)
    dense ? set_limit(report, *system.dense, *o.run.make_backend())
          : set_limit(report, system.a, *o.run.make_backend());
  const auto error = error_of<T>(system, system.x);
  const auto as_json = [&] {
    nlohmann::ordered_json json = to_json(report, error);
    json["matrix"] = o.matrix;
    json["entries"] = d.entries;
    json["verdict"] = name(d.verdict);
    json["reordered"] = reordered.rows;
    json["predicted_sweeps"] = or_null(predicted(o, d, plan));
    if (end.columns.size() > 1) json["columns"] = to_json(end.columns);
    return json;
  };
  return finish(
      {{"--output", o.output, [&] { io::write_columns<T>(o.output, system.x); }},
       {"--history", o.history, [&] { write_history(o.history, report); }}},
      report, o.run, as_json, [&] { return to_text(report, error); }, exit_code(report.status));
}

int run_solve(const SolveOptions& o) {
  o.stop.make();
  o.run.make_backend();
  if (o.omega) weighted(*o.omega);
  if (o.omega && o.method != "auto" && o.method != "weighted" && o.method != "anderson")
    throw UsageError(fmt::format("--omega goes with --method weighted or anderson, not {}", o.method));
  if (o.period && o.method != "anderson") throw UsageError("--period goes with --method anderson");
  accelerated_method(o.method, {o.depth, o.period, o.omega});
  if (o.matrix_precision != "double" && o.run.precision == "float")
    throw UsageError(fmt::format("--matrix-precision {} goes with --precision double", o.matrix_precision));
  if (!o.rung.empty() && !is_among(dense_rungs(), o.rung) && !is_among(sparse_rungs(), o.rung))
    throw UsageError(fmt::format("there is no rung '{}': a dense matrix has {}; a sparse one {}", o.rung,
                                 names_of(dense_rungs()), names_of(sparse_rungs())));
  std::vector<OutputFile> files = files_of(o);
  files.push_back(json_file(o.run.json));
  check_outputs(files, {o.matrix, o.b, o.initial}, o.initial);
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
  sub->add_option(
         "--method", o->method,
         "auto diagnoses the matrix, chooses, and says why; red-black and cyclic-chebyshev are for matrices "
         "that are grids")
      ->check(CLI::IsMember({"auto", "plain", "red-black", "weighted", "l1", "chebyshev", "cyclic-chebyshev",
                             "anderson", "cg", "bicgstab"}))
      ->capture_default_str();
  sub->add_option(
         "--omega", o->omega,
         fmt::format("weight in (0, 2) of method weighted (default 2/3) or anderson (default {}); auto "
                     "then takes weighted",
                     AndersonOptions{}.omega))
      ->check(finite())
      ->type_name("W");
  sub->add_option("--period", o->period,
                  fmt::format("sweeps between Anderson's (default {})", AndersonOptions{}.period))
      ->transform(whole())
      ->type_name("P");
  add_depth(*sub, o->depth);
  sub->add_option("--rung", o->rung,
                  fmt::format("how to sweep: {}; dense: {} (default: the best)", names_of(sparse_rungs()),
                              names_of(dense_rungs())))
      ->type_name("NAME");
  sub->add_option("--matrix-precision", o->matrix_precision,
                  "store the entries of a dense matrix so while it is swept, and refine in double")
      ->check(CLI::IsMember({"double", "float", "bf16"}))
      ->capture_default_str();
  sub->add_flag("--no-grid", o->no_grid, "do not sweep a matrix that is a grid as one");
  sub->add_flag("--reorder-rows", o->reorder_rows,
                "put rows, with their right-hand sides, in an order without zeros on the diagonal");
  o->stop.add_to(*sub);
  o->stop.add_projection_to(*sub);
  o->run.add_to(*sub);
  sub->add_option("-o,--output", o->output, "write the solution")->type_name("X.npy|mtx");
  sub->add_option("--history", o->history, "write sweeps and norms")->type_name("H.csv");
  sub->add_flag("--dry-run", o->dry_run, "diagnose, print memory, predicted sweeps and time; solve nothing");
  sub->footer("Example:\n  jacobi solve A.mtx b.mtx -o x.npy");
  sub->callback([o, &action] { action = [o] { return run_solve(*o); }; });
}

}  // namespace jacobi::cli
