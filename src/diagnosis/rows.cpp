/// Proofs from the sizes of entries and the graph alone.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "diagnosis/proofs.hpp"

namespace jacobi::diagnosis {

namespace {

/// What sums go along.
enum class Along { row, column };
const char* word_of(Along which) { return which == Along::row ? "row" : "column"; }

void prove_dominance(Proved& known, const Sums& sums, Along which) {
  const double q = std::min(1.0, sums.largest_ratio);
  if (sums.all_weak()) known.upper = std::min(known.upper, q);
  if (!sums.all_strict()) return;
  known.converges(
      fmt::format("strict {} dominance", word_of(which)),
      fmt::format("in every {0} the diagonal entry exceeds the sum of the other magnitudes, decided "
                  "without rounding: the spectral radius is at most {1}",
                  word_of(which), radius_in_words(q, Toward::above)),
      q);
  if (known.improves(q))
    known.bound = Contraction{q, which == Along::row ? ContractionNorm::max : ContractionNorm::sum};
}

/// Told without a search: all rows but one depend on one before them, and the other way round.
bool connected(const Matrix& m) { return m.symmetry.pattern && m.survey.without_lower == 1; }

void prove_chain(Proved& known, const Matrix& m, const Sums& sums, const std::optional<Components>& graph,
                 Along which) {
  const bool irreducible = graph ? graph->count == 1 : connected(m);
  if (irreducible) {
    known.converges(
        "irreducible weak dominance",
        fmt::format("no {0}'s diagonal entry is less than the sum of the other magnitudes, {1} of {2} {0}s "
                    "exceed it, decided without rounding, and every unknown depends on every other",
                    word_of(which), sums.strict, m.a.rows()),
        1);
  } else if (graph && all_reach(m.a, *graph, sums.at_least(Dominance::strict), which == Along::column)) {
    known.converges(
        "weakly chained dominance",
        fmt::format("no {0}'s diagonal entry is less than the sum of the other magnitudes, decided without "
                    "rounding, and from every {0} a path of nonzeros leads to one of the {1} {0}s that "
                    "exceed it",
                    word_of(which), sums.strict),
        1);
  }
}

/// M has an eigenvalue 1 or -1, with the eigenvector of all ones, or D M D^-1 has, from the left.
void prove_one(Proved& known, const Matrix& m, const Sums& sums, Along which) {
  const bool nonnegative = m.survey.m_nonnegative;
  if (sums.equal != m.a.rows() || !m.one_signed()) return;
  known.verdict = Verdict::not_for_every_start;
  known.singular = nonnegative;
  known.lower = std::max(known.lower, 1.0);
  known.proofs.push_back(
      {"spectral radius one",
       fmt::format(
           "every {} sums to exactly {} is singular and the spectral radius is exactly 1: plain Jacobi "
           "does not converge for every start",
           word_of(which), nonnegative ? "0, so that A" : "twice its diagonal entry, so that 2 D - A")});
}

/// Every column sums to exactly 0: so does A x for any x. What rounding may have made of such a b proves
/// nothing.
std::string why_no_solution(const Matrix& m, View b) {
  const auto [sum, size] = sum_blocks<2>(m.a.rows(), [&](Index first, Index last) {
    std::array<double, 2> part{};
    for (Index i = first; i < last; ++i) {
      part[0] += b[i];
      part[1] += std::abs(b[i]);
    }
    return part;
  });
  const double rows = static_cast<double>(m.a.rows()), margin = (200 + 2 * std::sqrt(rows)) * m.unit;
  if (!(size > margin * rows * m.survey.largest) || !(std::abs(sum) > margin * size)) return {};
  return fmt::format(
      "no solution exists: A is singular, every column sums to 0, so that the right-hand side must sum to 0, "
      "and its sum is {:.3g} of that of its magnitudes; subtract its mean, or give one unknown a value",
      std::abs(sum) / size);
}

void prove_acyclic(Proved& known, const Survey& s, Index sweeps) {
  const std::string shape = s.lower && s.upper ? "diagonal"
                            : s.lower          ? "lower triangular as stored"
                            : s.upper          ? "upper triangular as stored"
                                               : "triangular after a permutation";
  known.finite_sweeps = sweeps;
  known.converges(
      "acyclic graph",
      fmt::format("the matrix is {}: the spectral radius is exactly 0 and, without rounding, plain Jacobi "
                  "is at the solution after at most {} sweep{}",
                  shape, sweeps, sweeps == 1 ? "" : "s"),
      0);
}

}  // namespace

Proved prove_by_rows(const Matrix& m, View b) {
  const Sums& rows = m.survey.rows;
  Proved known;
  std::optional<Components> graph;
  const auto prove = [&](const Sums& sums, Along which) {
    prove_dominance(known, sums, which);
    if (known.decided() || !sums.all_weak() || sums.strict == 0) return;
    if (!graph && !connected(m)) graph = components(m.a);
    prove_chain(known, m, sums, graph, which);
  };
  if (!m.symmetry.two_cycle) {
    graph = components(m.a);
    if (graph->longest_path) prove_acyclic(known, m.survey, *graph->longest_path);
  }
  prove(rows, Along::row);
  bool vanish = m.exactly_symmetric() && rows.equal == m.a.rows();  // the sums of columns
  if (!m.exactly_symmetric() && (m.effort.generous || !known.decided())) {
    const Sums columns = column_sums(m.a, m.survey.diagonal);
    if (!columns.dominance.empty()) prove(columns, Along::column);
    vanish = columns.equal == m.a.rows();
    if (vanish && rows.equal != m.a.rows() && m.survey.positive_diagonal)
      prove_one(known, m, columns, Along::column);
  }
  prove_one(known, m, rows, Along::row);
  if (vanish && m.survey.m_nonnegative && m.survey.positive_diagonal)
    known.no_solution = why_no_solution(m, b);
  return known;
}

}  // namespace jacobi::diagnosis
