/// Vectors in files, alone or as columns of a matrix: .npy or Matrix Market.
#pragma once
#include <string>
#include <vector>

#include "jacobi/solve.hpp"

namespace jacobi::io {

/// Reads the columns of a matrix, told by the file's content: .npy of shape (n) or (n, columns), or Matrix
/// Market of n x columns; what has one row is a vector as well, unless columns of one row are wanted.
/// notes: where decisions taken in reading go, a sentence each.
/// Throws: as read_vector, but for other shapes.
template <class T>
Columns<T> read_columns(const std::string& path, std::size_t rows = 0,
                        std::vector<std::string>* notes = nullptr);

/// Reads a vector, told by the file's content: .npy of shape (n), (n, 1) or (1, n), or Matrix Market of n x 1
/// or 1 x n; of a coordinate file, what has no entry is 0, and so is an array without any value. All values
/// are finite.
/// Throws: InputError naming the file, and what npy.hpp and matrix_market.hpp name: another shape, a value
/// that is not finite (or not as T), an entry given twice.
/// Cost: as reading the file.
template <class T>
std::vector<T> read_vector(const std::string& path);

/// Writes at least one column, atomically: as .npy of shape (n, columns), (n) for one, or as .mtx, an array,
/// by the ending of `path`. Throws: UsageError for another ending; InputError when the file cannot be
/// written, and for .mtx where a value is not finite.
template <class T>
void write_columns(const std::string& path, const Columns<T>& x);

}  // namespace jacobi::io
