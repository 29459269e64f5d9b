/// Proofs from the sizes of entries and the graph alone.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

namespace {

void prove_dominance(Work& w, const Sums& sums, const char* which) {
  const bool rows = std::string_view(which) == "row";
  const double q = std::min(1.0, sums.largest_ratio);
  if (sums.all_weak()) w.d.radius_upper = std::min(w.d.radius_upper, q);
  if (!sums.all_strict()) return;
  converges(w, fmt::format("strict {} dominance", which),
            fmt::format("in every {0} the diagonal entry exceeds the sum of the other magnitudes, decided "
                        "without rounding: the spectral radius is at most {1}",
                        which, radius_in_words(q, Toward::above)),
            q);
  if (q < 1 && (!w.d.bound || q < w.d.bound->factor))
    w.d.bound = Contraction{q, rows ? "max" : "sum |a_ii e_i|"};
}

std::vector<char> strict_ones(const Sums& sums) {
  std::vector<char> marked(sums.dominance.size());
  for (std::size_t i = 0; i < marked.size(); ++i) marked[i] = is_strict(sums.dominance[i]);
  return marked;
}

void prove_chain(Work& w, const Sums& sums, const std::optional<Components>& graph, const char* which) {
  const bool rows = std::string_view(which) == "row";
  const bool irreducible = graph ? graph->count == 1 : w.symmetry.pattern && w.survey.without_lower == 1;
  if (irreducible) {
    converges(
        w, "irreducible weak dominance",
        fmt::format("no {0}'s diagonal entry is less than the sum of the other magnitudes, {1} of {2} {0}s "
                    "exceed it, decided without rounding, and every unknown depends on every other",
                    which, sums.strict, w.a.rows()),
        1);
  } else if (graph && all_reach(w.a, *graph, strict_ones(sums), !rows)) {
    converges(
        w, "weakly chained dominance",
        fmt::format("no {0}'s diagonal entry is less than the sum of the other magnitudes, decided without "
                    "rounding, and from every {0} a path of nonzeros leads to one of the {1} {0}s that "
                    "exceed it",
                    which, sums.strict),
        1);
  }
}

/// M has an eigenvalue 1 or -1, with the eigenvector of all ones, or D M D^-1 has, from the left.
void prove_one(Work& w, const Sums& sums, const char* which) {
  const Survey& s = w.survey;
  if (sums.equal != w.a.rows() || !(s.m_nonnegative || s.m_nonpositive)) return;
  w.d.verdict = Verdict::not_for_every_start;
  w.d.singular = s.m_nonnegative;
  w.d.radius_lower = std::max(w.d.radius_lower, 1.0);
  w.d.proofs.push_back(
      {"spectral radius one",
       fmt::format(
           "every {} sums to exactly {} is singular and the spectral radius is exactly 1: plain Jacobi "
           "does not converge for every start",
           which, s.m_nonnegative ? "0, so that A" : "twice its diagonal entry, so that 2 D - A")});
}

/// Every column sums to exactly 0: so does A x for any x. What rounding may have made of such a b proves
/// nothing.
void prove_no_solution(Work& w) {
  const auto [sum, size] = sum_blocks<2>(w.a.rows(), [&](Index first, Index last) {
    std::array<double, 2> part{};
    for (Index i = first; i < last; ++i) {
      part[0] += w.b[i];
      part[1] += std::abs(w.b[i]);
    }
    return part;
  });
  const double rows = static_cast<double>(w.a.rows()), margin = (200 + 2 * std::sqrt(rows)) * w.unit;
  if (!(size > margin * rows * w.survey.largest) || !(std::abs(sum) > margin * size)) return;
  w.d.no_solution = fmt::format(
      "no solution exists: A is singular, every column sums to 0, so that the right-hand side must sum to 0, "
      "and its "
      "sum is {:.3g} of that of its magnitudes; subtract its mean, or give one unknown a value",
      std::abs(sum) / size);
}

void prove_acyclic(Work& w, Index sweeps) {
  const Survey& s = w.survey;
  const std::string shape = s.lower && s.upper ? "diagonal"
                            : s.lower          ? "lower triangular as stored"
                            : s.upper          ? "upper triangular as stored"
                                               : "triangular after a permutation";
  w.finite_sweeps = sweeps;
  converges(
      w, "acyclic graph",
      fmt::format("the matrix is {}: the spectral radius is exactly 0 and, without rounding, plain Jacobi "
                  "is at the solution after at most {} sweep{}",
                  shape, sweeps, sweeps == 1 ? "" : "s"),
      0);
  if (s.lower != s.upper && w.a.rows() > 1)
    w.d.warnings.push_back(
        "only one triangle holds nonzeros: if the matrix is meant to be symmetric, its other half is "
        "missing");
}

}  // namespace

void prove_by_rows(Work& w) {
  const Sums& rows = w.survey.rows;
  std::optional<Components> graph;
  const auto prove = [&](const Sums& sums, const char* which) {
    prove_dominance(w, sums, which);
    if (w.proved() || !sums.all_weak() || sums.strict == 0) return;
    if (!graph && !(w.symmetry.pattern && w.survey.without_lower == 1)) graph = components(w.a);
    prove_chain(w, sums, graph, which);
  };
  if (!w.symmetry.two_cycle) {
    graph = components(w.a);
    if (graph->longest_path) prove_acyclic(w, *graph->longest_path);
  }
  prove(rows, "row");
  bool vanish = w.symmetry.difference == 0 && rows.equal == w.a.rows();  // the sums of columns
  if (w.symmetry.difference > 0 && (w.effort.generous || !w.proved())) {
    const Sums columns = column_sums(w.a, w.survey.diagonal);
    if (!columns.dominance.empty()) prove(columns, "column");
    vanish = columns.equal == w.a.rows();
    if (vanish && rows.equal != w.a.rows() && w.survey.positive_diagonal) prove_one(w, columns, "column");
  }
  prove_one(w, rows, "row");
  if (vanish && w.survey.m_nonnegative && w.survey.positive_diagonal) prove_no_solution(w);
}

}  // namespace jacobi::diagnosis
