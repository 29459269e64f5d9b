/// Matrix Market files: sparse (coordinate) and dense (array) matrices as text.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::io {

class InputFile;

/// How values are written: as decimal numbers, as whole ones, or not at all (each is 1).
enum class Field { real, integer, pattern };

/// What a file stores: everything; the lower triangle of A = A^T; the part of A = -A^T below the diagonal.
enum class Symmetry { general, symmetric, skew_symmetric };

/// What banner and size line say. coordinate: sparse, else dense (array). rows, columns: of the whole matrix.
/// entries: lines of entries announced; for an array, those that its sizes ask for.
struct MatrixMarketHeader {
  bool coordinate = true;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0, columns = 0, entries = 0;
};

/// Entries by rows, counted from 0: row i holds entries offsets[i] ... offsets[i + 1] - 1. offsets: rows + 1
/// values; columns, values: one per entry, mirrored entries of symmetric storage included. Within a row the
/// order is any, and may differ from run to run; entries of one place are all there, not added up.
template <class T, class I>
struct SparseArrays {
  std::vector<I> offsets, columns;
  std::vector<T> values;
};

/// A value that was too small for its type and is 0: its line and its place, counted from 0 (-1 in an array).
struct Underflow {
  Index line = 0, row = 0, column = 0;
  std::string word;
};

/// A matrix as read. content: sparse with 32-bit indices where rows, columns and entries (mirrored ones
/// included) fit, else with 64-bit ones; of an array, all rows * columns values, column by column.
/// notes: decisions taken in reading, one sentence each, beginning with the file's name. rhs: a right-hand
/// side that the file holds too. underflows: the first value that underflowed, and those on the diagonal, as
/// far as they are few.
template <class T>
struct MatrixFile {
  MatrixMarketHeader header;
  std::variant<SparseArrays<T, std::int32_t>, SparseArrays<T, std::int64_t>, std::vector<T>> content;
  std::vector<std::string> notes;
  std::optional<std::vector<T>> rhs;
  std::vector<Underflow> underflows;
};

/// Reads a Matrix Market file of real, integer or pattern values; general, symmetric or skew-symmetric; also
/// packed by gzip, whatever its name. Accepted beyond the format: no banner before a size line of three
/// numbers (coordinate real general) and `hermitian` with real values (symmetric), both with a note; the mark
/// of UTF-8; `vector` in the banner, with one index per entry; comments and blank lines anywhere, CRLF, '+'
/// signs, Fortran's exponents (1.0D+00), whole numbers as 1e3 or 2.0; `%%GraphBLAS type`, which overrides the
/// field; entries of symmetric storage in either triangle, or in both, where they are alike (with a note); a
/// right-hand side behind the entries, as AmgX (`%%AMGX rhs`) and lis (five numbers in the size line) write
/// it. Values that underflow are 0, with a note.
/// path: must not be changed by others meanwhile.
/// Throws: InputError `path:line: what is wrong` for the first faulty line: complex values, indices or values
/// out of bounds, values that are not finite, whole numbers that no double is equal to, entries of both
/// triangles that differ, entries missing or too many, a `%%GraphBLAS type` that is unknown or contradicts a
/// value, sizes beyond the available memory.
/// Cost: two passes over the text on all cores; the arrays and 8 bytes per row at the peak, and 1 MiB per
/// core (or the unpacked text).
/// Source: R. F. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats: Initial Design",
/// NISTIR 5935, 1996.
template <class T>
MatrixFile<T> read_matrix_market(const std::string& path);
template <class T>
MatrixFile<T> read_matrix_market(const InputFile& input);

/// The values of a matrix of one column or one row; what a sparse one does not hold is 0. `name` stands for
/// the file in errors. Throws: InputError for an entry that is given twice.
template <class T>
std::vector<T> as_vector(const MatrixFile<T>& file, const std::string& name);

/// Writes `array real general`, atomically; every value with the fewest digits that give the same bits when
/// read as T. values: rows * columns, column by column.
/// Throws: UsageError when the sizes do not fit; InputError for a value that is not finite and when the file
/// cannot be written.
template <class T>
void write_matrix_market_array(const std::string& path, std::span<const T> values, Index rows, Index columns);

}  // namespace jacobi::io
