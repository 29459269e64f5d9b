#include "io/vector_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/atomic_file.hpp"
#include "io/input_file.hpp"
#include "io/matrix_market_parts.hpp"
#include "io/npy.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

/// Columns from values (i, c) = at(i, c); a matrix of one row is a vector as well, unless that is `wanted`.
template <class T, class At>
Columns<T> gather(std::size_t rows, std::size_t columns, std::size_t wanted, At&& at) {
  const bool flat = rows == 1 && wanted != 1;
  Columns<T> result(flat ? 1 : columns, std::vector<T>(flat ? columns : rows));
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < rows; ++i) (flat ? result[0][c] : result[c][i]) = at(i, c);
  return result;
}

template <class T>
Columns<T> from_npy(const InputFile& file, std::size_t wanted, std::vector<std::string>& notes) {
  const std::string& path = file.name();
  NpyArray array = read_npy(file);
  const auto& shape = array.shape;
  if (shape.empty() || shape.size() > 2)
    throw InputError(fmt::format("{}: shape ({}) is not a vector: (n), or (n, columns) of several, expected",
                                 path, fmt::join(shape, ", ")));
  const std::vector<T> values = narrowed<T>(std::move(array.values), path, &notes);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}: value {} (element {}) is not finite", path, values[i], i + 1));
  const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
  return gather<T>(shape[0], columns, wanted,
                   [&](std::size_t i, std::size_t c) { return values[i * columns + c]; });
}

template <class T>
Columns<T> from_matrix_market(const InputFile& input, std::size_t wanted, std::vector<std::string>& notes) {
  const std::string& path = input.name();
  const MatrixFile<T> file = market::parse<T>(input, {.empty_is_zero = true});
  const auto rows = static_cast<std::size_t>(file.header.rows);
  const auto columns = static_cast<std::size_t>(file.header.columns);
  if (file.header.coordinate && std::min(rows, columns) != 1)
    throw InputError(
        fmt::format("{}: {} x {} is not a vector: n x 1 or 1 x n expected, or an array of several "
                    "columns",
                    path, rows, columns));
  notes.insert(notes.end(), file.notes.begin(), file.notes.end());
  const std::vector<T> values = as_vector(file, path);
  return gather<T>(rows, columns, wanted, [&](std::size_t i, std::size_t c) { return values[i + c * rows]; });
}

}  // namespace

template <class T>
Columns<T> read_columns(const std::string& path, std::size_t rows, std::vector<std::string>* notes) {
  const InputFile file(path);
  std::vector<std::string> unread;
  std::vector<std::string>& told = notes != nullptr ? *notes : unread;
  return is_npy(file) ? from_npy<T>(file, rows, told) : from_matrix_market<T>(file, rows, told);
}

template <class T>
std::vector<T> read_vector(const std::string& path) {
  Columns<T> columns = read_columns<T>(path);
  if (columns.size() != 1)
    throw InputError(fmt::format("{}: {} x {} is not a vector: n x 1 or 1 x n expected", path,
                                 columns.empty() ? 0 : columns[0].size(), columns.size()));
  return std::move(columns[0]);
}

template <class T>
void write_columns(const std::string& path, const Columns<T>& x) {
  const std::size_t rows = x.at(0).size(), columns = x.size();
  std::vector<T> values(rows * columns);
  const std::string name = lower_case(path);
  const bool by_rows = name.ends_with(".npy");
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < rows; ++i) values[by_rows ? i * columns + c : i + c * rows] = x[c][i];
  const std::span<const T> all(values);
  if (by_rows) {
    const std::size_t shape[] = {rows, columns};
    write_npy(path, all, std::span(shape).first(columns == 1 ? 1 : 2));
  } else if (name.ends_with(".mtx") || is_special(path)) {
    write_matrix_market_array(path, all, static_cast<Index>(rows), static_cast<Index>(columns));
  } else {
    throw UsageError(
        fmt::format("{}: a vector is written as .npy or .mtx; name a file with one of these", path));
  }
}

template Columns<float> read_columns(const std::string&, std::size_t, std::vector<std::string>*);
template Columns<double> read_columns(const std::string&, std::size_t, std::vector<std::string>*);
template void write_columns(const std::string&, const Columns<float>&);
template void write_columns(const std::string&, const Columns<double>&);
template std::vector<float> read_vector(const std::string&);
template std::vector<double> read_vector(const std::string&);

}  // namespace jacobi::io
