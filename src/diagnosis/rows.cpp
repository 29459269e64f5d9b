/// Proofs from the sizes of entries and the graph alone.
#include <fmt/format.h>

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
                        which, radius_in_words(q)),
            q);
  if (q < 1 && (!w.d.bound || q < w.d.bound->factor)) w.d.bound = Contraction{q, rows ? "max" : "1"};
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

/// M has an eigenvalue 1 or -1 with the eigenvector of all ones.
void prove_one(Work& w, const Sums& sums) {
  const Survey& s = w.survey;
  if (sums.equal != w.a.rows() || !(s.m_nonnegative || s.m_nonpositive)) return;
  w.d.radius_lower = std::max(w.d.radius_lower, 1.0);
  w.d.proofs.push_back(
      {"spectral radius one",
       fmt::format("{} the spectral radius is exactly 1: plain Jacobi does not converge for "
                   "every start",
                   s.m_nonnegative ? "every row sums to exactly 0, so that A is singular and"
                                   : "every row sums to exactly twice its diagonal entry, so "
                                     "that 2 D - A is singular and")});
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
  if (w.symmetry.difference > 0 && (w.effort.generous || !w.proved())) {
    const Sums columns = column_sums(w.a, w.survey.diagonal);
    if (!columns.dominance.empty()) prove(columns, "column");
  }
  prove_one(w, rows);
}

}  // namespace jacobi::diagnosis
