/// `jacobi diagnose`: what is known of a system before it is solved.
#include "diagnose.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "commands.hpp"
#include "core/words.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "last_step.hpp"
#include "named.hpp"
#include "options.hpp"
#include "reorder.hpp"
#include "report.hpp"
#include "system.hpp"
#include "timing.hpp"

namespace jacobi::cli {

using nlohmann::ordered_json;

namespace {

/// Rows of a file are counted from 1; the library's, and those of JSON, from 0.
std::vector<Index> rows_in_file(std::span<const Index> rows) {
  std::vector<Index> told(rows.begin(), rows.end());
  for (Index& row : told) ++row;
  return told;
}

std::string zeros_in_words(const Diagnosis& d) {
  std::string text =
      fmt::format("{} zero diagonal entr{}, first in row{} {}", d.zero_diagonal_count,
                  d.zero_diagonal_count == 1 ? "y" : "ies", d.zero_diagonal.size() == 1 ? "" : "s",
                  fmt::join(rows_in_file(d.zero_diagonal), ", "));
  if (d.zero_diagonal_count > static_cast<Index>(d.zero_diagonal.size())) text += ", ...";
  return text + " (counted from 1)";
}

std::string hint_on_rows(const Diagnosis& d) {
  if (!d.row_order)
    return fmt::format("no order of the rows has a diagonal without zeros{}",
                       d.singular ? ": the matrix is singular" : ", or what is too small to be divided by");
  const std::size_t shown = std::min<std::size_t>(20, d.row_order->size());
  return fmt::format("rows in another order have a diagonal without zeros (--reorder-rows takes it): {}{}",
                     fmt::join(rows_in_file(std::span(*d.row_order).first(shown)), ", "),
                     shown < d.row_order->size() ? ", ... (all of them, counted from 0, with --json)" : "");
}

std::string prediction_in_words(const Diagnosis& d, std::optional<double> seconds) {
  std::string text = fmt::format("plain Jacobi from norm {:.4e} to {:.4e}: ", d.norm_initial, d.tolerance);
  if (!d.predicted_sweeps) return text + "no number of sweeps can be predicted";
  const char* side = d.radius_resolved || is_bound(d) ? "about"
                     : d.eigenvalues                  ? "at least about"
                                                      : "roughly";
  text += fmt::format("{} {} sweeps", side, sweeps_in_words(*d.predicted_sweeps));
  if (seconds) text += ", " + in_time(*d.predicted_sweeps * *seconds);
  return text;
}

}  // namespace

ordered_json to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep) {
  ordered_json json;
  json["schema"] = 1;
  json["unknowns"] = d.rows;
  json["entries"] = d.entries;
  json["verdict"] = name(d.verdict);
  json["no_solution"] = or_null(d.no_solution);
  json["symmetric"] = d.symmetric;
  json["asymmetry"] = or_null(d.asymmetry);
  json["pattern_symmetric"] = d.pattern_symmetric;
  json["positive_definite"] = d.positive_definite;
  json["m_matrix"] = d.m_matrix;
  json["zero_diagonal"] = d.zero_diagonal;
  json["zero_diagonal_count"] = d.zero_diagonal_count;
  json["row_order"] = d.row_order ? ordered_json(*d.row_order) : ordered_json(nullptr);
  json["proofs"] = ordered_json::array();
  for (const Proof& p : d.proofs) json["proofs"].push_back({{"name", p.name}, {"sentence", p.sentence}});
  json["contraction_proved"] =
      d.bound ? ordered_json({{"factor", d.bound->factor}, {"norm", d.bound->norm}}) : ordered_json(nullptr);
  json["spectral_radius_at_least"] = d.radius_lower;
  json["spectral_radius_at_most"] = or_null(d.radius_upper);
  json["spectral_radius"] = or_null(d.spectral_radius);
  json["spectral_radius_resolved"] = d.radius_resolved;
  json["eigenvalues"] =
      d.eigenvalues ? ordered_json({d.eigenvalues->low, d.eigenvalues->high}) : ordered_json(nullptr);
  json["far_from_normal"] = d.far_from_normal;
  json["norm_initial"] = or_null(d.norm_initial);
  json["tolerance"] = or_null(d.tolerance);
  json["predicted_sweeps"] = or_null(d.predicted_sweeps);
  json["seconds_per_sweep"] = or_null(seconds_per_sweep);
  json["predicted_seconds"] =
      d.predicted_sweeps && seconds_per_sweep ? or_null(*d.predicted_sweeps * *seconds_per_sweep) : nullptr;
  json["best_omega"] = or_null(d.best_omega);
  json["spectral_radius_at_best_omega"] = or_null(d.radius_at_best_omega);
  json["spectral_radius_l1"] = or_null(d.l1_radius);
  json["method"] = d.method;
  json["method_sweeps"] = or_null(d.method_sweeps);
  json["advice"] = d.advice;
  json["warnings"] = d.warnings;
  json["products"] = d.products;
  json["seconds"] = d.seconds;
  return json;
}

std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep) {
  std::string text = fmt::format("plain Jacobi: {}\n", name(d.verdict));
  const auto line = [&](const std::string& what) { text += "  " + what + "\n"; };
  if (d.zero_diagonal_count > 0) {
    line(zeros_in_words(d));
    line(hint_on_rows(d));
  }
  for (const Proof& p : d.proofs) line(fmt::format("proved, {}: {}", p.name, p.sentence));
  if (!d.no_solution.empty()) line("proved: " + d.no_solution);
  if (d.spectral_radius) line("estimated: spectral radius " + estimated_radius_in_words(d));
  if (d.eigenvalues)
    line(fmt::format("estimated: eigenvalues of D^-1 A from {:.4g} to {:.4g}", d.eigenvalues->low,
                     d.eigenvalues->high));
  if (d.best_omega && d.radius_at_best_omega)
    line(fmt::format("estimated: weighted with omega {:.4g}: spectral radius {}", *d.best_omega,
                     radius_in_words(*d.radius_at_best_omega)));
  if (d.l1_radius)
    line(fmt::format("estimated: l1: spectral radius {}{}", d.l1_resolved ? "" : "at least about ",
                     radius_in_words(*d.l1_radius)));
  if (d.verdict != Verdict::unusable) line(prediction_in_words(d, seconds_per_sweep));
  line("advice: " + d.advice);
  for (const std::string& warning : d.warnings) line("warning: " + warning);
  line(fmt::format("diagnosed in {}, {} products with the matrix", in_time(d.seconds), d.products));
  return text;
}

namespace {

/// Whether b sums to more than rounding may leave of a sum of 0.
template <class T>
bool has_mean(const std::vector<T>& b) {
  double sum = 0, size = 0;
  for (const T value : b) {
    sum += value;
    size += std::abs(static_cast<double>(value));
  }
  return std::abs(sum) > 100 * std::numeric_limits<T>::epsilon() * size;
}

}  // namespace

template <class T>
std::string no_solution(const System<T>& system, const Diagnosis& of_first, const DiagnoseOptions& options) {
  const std::size_t count = system.b.size();
  std::string why = of_first.no_solution;
  std::size_t c = 0;
  while (why.empty() && of_first.singular && ++c < count)
    if (has_mean(system.b[c])) why = diagnose<T>(system.a, system.b[c], system.x[c], options).no_solution;
  return why.empty() || count == 1 ? why : fmt::format("right-hand side {} of {}: {}", c + 1, count, why);
}
template std::string no_solution<double>(const System<double>&, const Diagnosis&, const DiagnoseOptions&);
template std::string no_solution<float>(const System<float>&, const Diagnosis&, const DiagnoseOptions&);

namespace {

struct Options {
  RunOptions run;
  StopOptions stop;
  std::string matrix, b, initial;
  std::string cholesky = "cheap";
  bool reorder_rows = false;
};

template <class T>
int diagnose_file(const Options& o) {
  System<T> system = read_system<T>(o.matrix, o.b, o.initial);
  if (o.reorder_rows) system.notes.push_back(reorder_rows(system, o.matrix).note);
  DiagnoseOptions options;
  options.stop = o.stop.make();
  for (const auto& [word, value] : {std::pair{"never", Cholesky::never}, {"always", Cholesky::always}})
    if (o.cholesky == word) options.cholesky = value;
  if (o.run.talks()) fmt::print("{}: {}\n", o.matrix, describe(system.a));
  Diagnosis d = diagnose<T>(system.a, system.b[0], system.x[0], options);
  if (const std::size_t count = system.b.size(); count > 1) {
    DiagnoseOptions few = options;
    few.cholesky = Cholesky::never;
    few.budget = 5;
    d.no_solution = no_solution(system, d, few);
    d.warnings.push_back(fmt::format("of {} right-hand sides the first one's sweeps are told", count));
  }
  if (o.run.precision == "float")
    d.warnings.emplace_back("all of this is of the matrix as rounded to float, not of the file's digits");
  std::optional<double> seconds;
  if (d.verdict != Verdict::unusable) {
    try {
      Solver<T> solver(operator_of(system), plain(), o.run.make_backend());
      seconds = seconds_per_sweep<T>(solver.sweeper(), system.b[0], system.x[0]);
    } catch (const ZeroDiagonal& zero) {  // that only a larger unit would make a divisor
      d.warnings.push_back("no sweep can be made: " + in_file(zero));
    }
  }
  LastStep last;
  if (!o.run.json.empty())
    last.attempt("--json", [&] { write_text(o.run.json, json_text(to_json(d, seconds))); });
  if (o.run.talks()) {
    fmt::print("{}", to_text(d, seconds));
    for (const std::string& note : system.notes) fmt::print("  note: {}\n", note);
  }
  const bool good = d.verdict == Verdict::converges || d.verdict == Verdict::estimated_to_converge;
  return last.code_or(good ? Exit::converged : Exit::not_converged);
}

int run_diagnose(const Options& o) {
  o.stop.make();
  o.run.make_backend();
  check_outputs({json_file(o.run.json)}, {o.matrix, o.b, o.initial});
  return o.run.precision == "float" ? diagnose_file<float>(o) : diagnose_file<double>(o);
}

}  // namespace

void add_diagnose(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand(
      "diagnose", "say before any solve what is proved, what is estimated, how many sweeps, how long");
  auto o = std::make_shared<Options>();
  sub->add_option("matrix", o->matrix, "A: Matrix Market, or .npy of two dimensions (also .gz)")
      ->type_name("A.mtx")
      ->required();
  sub->add_option("b", o->b,
                  "right-hand side: Matrix Market or .npy (default: the one in A's file, or A times ones)")
      ->type_name("B.mtx");
  sub->add_option("--initial", o->initial, "initial iterate (default 0)")->type_name("X.npy");
  sub->add_option("--cholesky", o->cholesky, "proofs by Cholesky factors of A and 2 D - A")
      ->check(CLI::IsMember({"cheap", "always", "never"}))
      ->capture_default_str();
  sub->add_flag("--reorder-rows", o->reorder_rows,
                "look at the system with its rows in an order without zeros on the diagonal");
  o->stop.add_to(*sub);
  o->run.add_to(*sub);
  sub->footer(
      "Exit code 0: plain Jacobi converges, proved or estimated; 1: it does not, or nobody knows.\n"
      "Example:\n  jacobi diagnose A.mtx");
  sub->callback([o, &action] { action = [o] { return run_diagnose(*o); }; });
}

}  // namespace jacobi::cli
