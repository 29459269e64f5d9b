/// A sparse matrix as a device reads it, laid out on the host.
#pragma once
#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::sweep {

/// Rows of a chunk: a warp's.
inline constexpr Index sell_rows = 32;

/// Entry j of all rows of a chunk together (SELL-C-sigma, see layout.hpp): at start[chunk] + j sell_rows +
/// lane. What fills up is never added: it has column 0 and value 0.
template <class T>
struct Sell {
  Index chunks = 0;
  std::vector<std::int32_t> row_at;  ///< row at each place; empty: in the order of the matrix
  std::vector<Index> start;          ///< chunks + 1
  std::vector<std::int32_t> length;  ///< of the row at each place
  AlignedArray<T> values;
  AlignedArray<std::int32_t> columns;
};

/// The order and lengths of rows alone: enough to judge the layout. Of fewer than 2^31 rows.
template <class T>
Sell<T> sell_order(const Csr<T>& a);
/// Adds the entries. Throws: BackendError where memory lacks.
template <class T>
void fill(Sell<T>& m, const Csr<T>& a);

}  // namespace jacobi::sweep
