/// A sparse matrix as the vector rungs read it: chunks of as many rows as a cache line holds values, entry by
/// entry across the rows (SELL-C-sigma).
/// Source: Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci. Comput. 36 (2014), C401.
#pragma once
#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::sweep {

/// Rows of a chunk: a cache line of values, whatever the instruction set.
template <class T>
inline constexpr Index chunk_rows = 64 / static_cast<Index>(sizeof(T));

/// A piece is the unit of work and of summation for norms, whatever the threads.
inline constexpr Index piece_rows = 512;

/// Rows in the order in which they lie, and the matrix in that order. Entry j of the l-th row of chunk c is
/// number start[c] + j chunk_rows + l; its column lies at base[c] + columns[...]. Entries keep the order that
/// they have in the matrix, so every row is summed up with the same bits in every layout. Rows of a chunk
/// that are shorter than its longest are filled up with zeros, which no sweep adds.
template <class T>
struct Chunks {
  Index rows = 0;
  Index count = 0;                    ///< of chunks; the last one may have rows too many, which are empty
  std::vector<std::int32_t> row_at;   ///< row at each place; empty: in the order of the matrix
  std::vector<Index> start;           ///< count + 1
  std::vector<std::int32_t> base;     ///< least column of each chunk
  std::vector<std::int32_t> full;     ///< entries that all rows of the chunk have
  AlignedArray<std::int32_t> length;  ///< entries of each row, count * chunk_rows
  AlignedArray<T> values;
  AlignedArray<std::uint16_t> narrow;  ///< columns - base, where all of them fit
  AlignedArray<std::int32_t> wide;     ///< else

  Index pieces() const { return (rows + piece_rows - 1) / piece_rows; }
  Index row(Index place) const { return row_at.empty() ? place : row_at[static_cast<std::size_t>(place)]; }
  /// Bytes of the entries, with what fills up.
  double bytes() const {
    return static_cast<double>(start.back()) *
           (sizeof(T) + (narrow ? sizeof(std::uint16_t) : sizeof(std::int32_t)));
  }
};

/// Farthest that an entry leads from the diagonal, in places. order: row at each place; empty: as they are.
template <class T>
Index reach_of(const Csr<T>& a, const std::vector<std::int32_t>& order);

/// Lays the matrix out; rows are taken in `order` and, where that leaves more than an eighth to fill up,
/// sorted by length within windows as small as possible. `squeeze`: columns as 16-bit distances if they fit.
/// Throws: BackendError where memory lacks, or for 2^31 rows and more.
template <class T>
Chunks<T> lay_out(const Csr<T>& a, std::vector<std::int32_t> order, bool squeeze, int threads);

}  // namespace jacobi::sweep
