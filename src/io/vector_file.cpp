#include "io/vector_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/mapped_file.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
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
Columns<T> from_npy(std::span<const char> text, const std::string& path, std::size_t wanted) {
  NpyArray array = parse_npy(std::as_bytes(text), path);
  const auto& shape = array.shape;
  if (shape.empty() || shape.size() > 2)
    throw InputError(fmt::format("{}: shape ({}) is not a vector: (n), or (n, columns) of several, expected",
                                 path, fmt::join(shape, ", ")));
  const std::vector<T> values = narrowed<T>(std::move(array.values), path);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}: value {} (element {}) is not finite", path, values[i], i));
  const std::size_t columns = shape.size() == 2 ? shape[1] : 1;
  return gather<T>(shape[0], columns, wanted,
                   [&](std::size_t i, std::size_t c) { return values[i * columns + c]; });
}

/// The entries of a sparse matrix of one row or one column, 0 elsewhere.
template <class T, class I>
std::vector<T> spread(const SparseArrays<T, I>& from, std::size_t size, const std::string& path) {
  std::vector<T> values(size);
  std::vector<bool> given(size);
  for (std::size_t row = 0; row + 1 < from.offsets.size(); ++row)
    for (I k = from.offsets[row]; k < from.offsets[row + 1]; ++k) {
      const std::size_t at = row + static_cast<std::size_t>(from.columns[static_cast<std::size_t>(k)]);
      if (given[at]) throw InputError(fmt::format("{}: entry {} of the vector is given twice", path, at + 1));
      given[at] = true;
      values[at] = from.values[static_cast<std::size_t>(k)];
    }
  return values;
}

template <class T>
Columns<T> from_matrix_market(std::span<const char> text, const std::string& path, std::size_t wanted) {
  MatrixFile<T> file = parse_matrix_market<T>(text, path);
  const auto rows = static_cast<std::size_t>(file.header.rows);
  const auto columns = static_cast<std::size_t>(file.header.columns);
  if (file.header.coordinate && std::min(rows, columns) != 1)
    throw InputError(
        fmt::format("{}: {} x {} is not a vector: n x 1 or 1 x n expected, or an array of several "
                    "columns",
                    path, rows, columns));
  const auto values = std::visit(
      [&]<class Content>(const Content& content) {
        if constexpr (std::is_same_v<Content, std::vector<T>>)
          return content;
        else
          return spread(content, std::max(rows, columns), path);
      },
      file.content);
  return gather<T>(rows, columns, wanted, [&](std::size_t i, std::size_t c) { return values[i + c * rows]; });
}

}  // namespace

template <class T>
Columns<T> read_columns(const std::string& path, std::size_t rows) {
  const MappedFile file(path);
  const std::string_view text(file.text().data(), file.text().size());
  if (path.ends_with(".npy") || text.starts_with("\x93NUMPY")) return from_npy<T>(text, path, rows);
  return from_matrix_market<T>(text, path, rows);
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
  const bool by_rows = path.ends_with(".npy");
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < rows; ++i) values[by_rows ? i * columns + c : i + c * rows] = x[c][i];
  const std::span<const T> all(values);
  if (by_rows) {
    const std::size_t shape[] = {rows, columns};
    write_npy(path, all, std::span(shape).first(columns == 1 ? 1 : 2));
  } else if (path.ends_with(".mtx")) {
    write_matrix_market_array(path, all, static_cast<Index>(rows), static_cast<Index>(columns));
  } else {
    throw UsageError(
        fmt::format("{}: a vector is written as .npy or .mtx; name a file with one of these", path));
  }
}

template <class T>
void write_vector(const std::string& path, std::span<const T> values) {
  write_columns(path, Columns<T>{std::vector<T>(values.begin(), values.end())});
}

template Columns<float> read_columns(const std::string&, std::size_t);
template Columns<double> read_columns(const std::string&, std::size_t);
template void write_columns(const std::string&, const Columns<float>&);
template void write_columns(const std::string&, const Columns<double>&);
template std::vector<float> read_vector(const std::string&);
template std::vector<double> read_vector(const std::string&);
template void write_vector(const std::string&, std::span<const float>);
template void write_vector(const std::string&, std::span<const double>);

}  // namespace jacobi::io
