/// The graph of a sparse matrix: an edge for every entry, either way.
#pragma once
#include <cstdint>
#include <vector>

#include "jacobi/csr.hpp"

namespace jacobi {

struct BreadthFirst {
  std::vector<std::int32_t> order;  ///< row at each place
  Index levels = 0;                 ///< of the part with the most: its diameter is less than twice as many
};

/// Rows level after level from one at the rim, part after part: neighbours lie close.
/// a: fewer than 2^31 rows. Cost: about four passes over the pattern, on one core.
/// Source: Cuthill, McKee, "Reducing the bandwidth of sparse symmetric matrices", 1969.
template <class T>
BreadthFirst breadth_first(const Csr<T>& a);

/// Some row has more than `most` rows at the same distance from it: no order brings the matrix close to its
/// diagonal. false may mean that another row has. Cost: one pass over the pattern, less where it is true.
template <class T>
bool spreads_beyond(const Csr<T>& a, Index most);

}  // namespace jacobi
