/// The graph of the nonzeros off the diagonal: an edge from row i to j for a_ij != 0.
#pragma once
#include <optional>

#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

/// Strongly connected components, numbered so that edges lead to equal or smaller numbers.
struct Components {
  std::vector<Index> of;     ///< component of each row
  std::vector<Index> order;  ///< rows by component, ascending
  Index count = 0;
  /// Rows on the longest path, where there is no cycle: M to this power is zero.
  std::optional<Index> longest_path;
};

/// Cost: one pass over the edges on one core. Source: Tarjan, SIAM J. Comput. 1 (1972) 146.
Components components(const Csr<double>& a);

/// True where from every row a path leads to a marked one (against the edges if `against`).
bool all_reach(const Csr<double>& a, const Components& c, const std::vector<char>& marked, bool against);

/// Steps from each row to the nearest marked one, where a marked one has 1; and the most of them.
struct Distances {
  std::vector<std::int32_t, Unset<std::int32_t>> steps;
  double most = 0;
};

/// Roughly; the pattern of A must be symmetric. Cost: half a pass in each direction on one core, up to three
/// times.
Distances distances(const Csr<double>& a, const std::vector<char>& marked);

/// row_order[i]: the row to put at place i so that no diagonal entry is zero; nothing where there is no such
/// order. Rows with a nonzero diagonal stay where that is possible.
/// Source: Hopcroft and Karp, SIAM J. Comput. 2 (1973) 225. Cost: sqrt(rows) passes at worst.
std::optional<std::vector<Index>> transversal(const Csr<double>& a);

}  // namespace jacobi::diagnosis
