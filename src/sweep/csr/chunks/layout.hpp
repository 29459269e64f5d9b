/// A sparse matrix as the vector rungs read it: chunks of as many rows as a cache line holds values, entry by
/// entry across the rows (SELL-C-sigma).
/// Source: Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J. Sci. Comput. 36 (2014), C401.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "sweep/csr/algorithm.hpp"

namespace jacobi::sweep {

/// Rows of a chunk: a cache line of values, whatever the instruction set.
template <class T>
inline constexpr Index chunk_rows = 64 / static_cast<Index>(sizeof(T));

/// How the entries of a chunk are kept. Entry j of its l-th row:
enum class Entries : std::uint8_t {
  plain,  ///< value and column at j chunk_rows + l
  runs,   ///< lies beside that of the row before, as on a grid: value at j chunk_rows + l, column at j, + l
  equal   ///< and all rows have the same values: value and column at j
};

/// Rows in the order in which they lie, and the matrix in that order. Values of chunk c begin at start[c],
/// columns, less base[c], at index[c]. Entries keep the order that they have in the matrix, so every row is
/// summed up with the same bits in every layout. Rows of a plain chunk that are shorter than its longest are
/// filled up with zeros, which no sweep adds.
template <class T>
struct Chunks {
  Index rows = 0;
  Index count = 0;                   ///< of chunks; the last one may have rows too many, which are empty
  std::vector<std::int32_t> row_at;  ///< row at each place; empty: in the order of the matrix
  std::vector<Index> start;          ///< first value, count + 1
  std::vector<Index> index;          ///< first column, count + 1
  std::vector<Entries> kind;
  std::vector<std::int32_t> base;     ///< least column of each chunk
  std::vector<std::int32_t> full;     ///< entries that all rows of the chunk have
  AlignedArray<std::int32_t> length;  ///< entries of each row, count * chunk_rows
  AlignedArray<T> values;
  AlignedArray<std::uint16_t> narrow;  ///< columns - base, where all of them fit
  AlignedArray<std::int32_t> wide;     ///< else
  bool squeeze = false;                ///< as lay_out() was asked
  bool squeezed = false;               ///< columns are narrow, or few for most chunks

  Index pieces() const { return (rows + piece_rows - 1) / piece_rows; }
  Index row(Index place) const { return row_at.empty() ? place : row_at[static_cast<std::size_t>(place)]; }
  /// Bytes of the entries, with what fills up.
  double bytes() const {
    return static_cast<double>(start.back()) * sizeof(T) +
           static_cast<double>(index.back()) * (narrow ? sizeof(std::uint16_t) : sizeof(std::int32_t));
  }
};

/// Entries that chunks of so many rows of these lengths hold, with what fills up.
Index filled(std::span<const std::int32_t> length, Index chunk);

/// Sorts rows by length within windows, the smallest that leave at most an eighth of the entries to fill up;
/// `length` goes along. order: row at each place; empty, also in the end: as they are.
std::vector<std::int32_t> sort_by_length(std::vector<std::int32_t> order, std::span<std::int32_t> length,
                                         Index entries, Index chunk);

/// Farthest that an entry leads from the diagonal, in places. order: row at each place; empty: as they are.
template <class T>
Index reach_of(const Csr<T>& a, const std::vector<std::int32_t>& order);

/// Lays the matrix out; rows are taken in `order` and, where that leaves more than an eighth to fill up,
/// sorted by length within windows as small as possible. `squeeze`: what the rows of a chunk share is kept
/// once, columns as 16-bit distances if they fit.
/// Throws: BackendError where memory lacks, or for 2^31 rows and more.
template <class T>
Chunks<T> lay_out(const Csr<T>& a, std::vector<std::int32_t> order, bool squeeze, int threads);

/// Copies values anew of a matrix of the same structure; where rows of a chunk share values no longer that is
/// kept once, the chunks are laid out anew, in the same order of rows. Throws: BackendError where memory
/// lacks.
template <class T>
void take_values(const Csr<T>& a, Chunks<T>& m, int threads);

}  // namespace jacobi::sweep
