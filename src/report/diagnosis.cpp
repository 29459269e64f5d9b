/// A diagnosis for people and for programs.
#include "jacobi/diagnosis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "core/words.hpp"
#include "report/json.hpp"

namespace jacobi {

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

std::string plain_sweeps_in_words(const Diagnosis& d, std::optional<double> seconds) {
  std::string text = fmt::format("plain Jacobi from norm {:.4e} to {:.4e}: ", d.norm_initial, d.tolerance);
  if (!d.predicted_sweeps) return text + "no number of sweeps can be predicted";
  const char* side = d.radius_resolved || is_bound(d) ? "about"
                     : d.eigenvalues                  ? "at least about"
                                                      : "roughly";
  text += fmt::format("{} {} sweep{}", side, sweeps_in_words(*d.predicted_sweeps),
                      *d.predicted_sweeps == 1 ? "" : "s");
  if (seconds) text += ", " + in_time(*d.predicted_sweeps * *seconds);
  return text;
}

}  // namespace

std::string to_text(const Diagnosis& d, std::optional<double> seconds_per_sweep) {
  std::string text = fmt::format("plain Jacobi: {}\n", name(d.verdict));
  const auto line = [&](const std::string& what) { text += "  " + what + "\n"; };
  if (d.zero_diagonal_count > 0) {
    line(zeros_in_words(d));
    if (!d.matrix_free) line(hint_on_rows(d));
  }
  if (d.matrix_free)
    line(fmt::format(
        "unproved: only products are known, which prove nothing; for two of them A is {}symmetric",
        d.symmetric ? "" : "not "));
  if (d.claimed)
    line(fmt::format("claimed by the caller: eigenvalues of D^-1 A from {:.4g} to {:.4g}", d.claimed->low,
                     d.claimed->high));
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
  if (d.verdict != Verdict::unusable) line(plain_sweeps_in_words(d, seconds_per_sweep));
  line("advice: " + d.advice);
  for (const std::string& warning : d.warnings) line("warning: " + warning);
  line(fmt::format("diagnosed in {}, {} products with the matrix", in_time(d.seconds), d.products));
  return text;
}

ordered_json as_json(const Diagnosis& d, std::optional<double> seconds_per_sweep) {
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
  json["row_order"] = or_null(d.row_order);
  json["proofs"] = ordered_json::array();
  for (const Proof& p : d.proofs) json["proofs"].push_back({{"name", p.name}, {"sentence", p.sentence}});
  json["contraction_proved"] =
      d.bound ? ordered_json({{"factor", d.bound->factor}, {"norm", name(d.bound->norm)}})
              : ordered_json(nullptr);
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
  json["method"] = name(d.method);
  json["method_sweeps"] = or_null(d.method_sweeps);
  json["advice"] = d.advice;
  json["warnings"] = d.warnings;
  json["products"] = d.products;
  json["seconds"] = d.seconds;
  if (!d.matrix_free) return json;
  json["matrix_free"] = true;
  json["eigenvalues_claimed"] =
      d.claimed ? ordered_json({d.claimed->low, d.claimed->high}) : ordered_json(nullptr);
  return json;
}

std::string to_json(const Diagnosis& d, std::optional<double> seconds_per_sweep) {
  return json_text(as_json(d, seconds_per_sweep));
}

}  // namespace jacobi
