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

template <class T>
std::vector<T> from_npy(std::span<const char> text, const std::string& path) {
  NpyArray array = parse_npy(std::as_bytes(text), path);
  const auto& shape = array.shape;
  const bool flat = shape.size() == 1 || (shape.size() == 2 && std::min(shape[0], shape[1]) == 1);
  if (!flat)
    throw InputError(fmt::format("{}: shape ({}) is not a vector: (n), (n, 1) or (1, n) expected", path,
                                 fmt::join(shape, ", ")));
  std::vector<T> values(array.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(array.values[i]);
    if (!std::isfinite(values[i]))
      throw InputError(fmt::format("{}: value {} (element {}) {}", path, array.values[i], i,
                                   std::isfinite(array.values[i]) ? "is beyond the largest float; read it as "
                                                                    "double"
                                                                  : "is not finite"));
  }
  return values;
}

/// The entries of a matrix of one row or one column, 0 elsewhere.
template <class T, class I>
std::vector<T> spread(const SparseArrays<T, I>& from, Index size, const std::string& path) {
  std::vector<T> values(static_cast<std::size_t>(size));
  std::vector<bool> given(values.size());
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
std::vector<T> from_matrix_market(std::span<const char> text, const std::string& path) {
  MatrixFile<T> file = parse_matrix_market<T>(text, path);
  const Index rows = file.header.rows, columns = file.header.columns;
  if (std::min(rows, columns) != 1)
    throw InputError(
        fmt::format("{}: {} x {} is not a vector: n x 1 or 1 x n expected", path, rows, columns));
  const Index size = std::max(rows, columns);
  if (auto* dense = std::get_if<std::vector<T>>(&file.content)) return std::move(*dense);
  if (auto* sparse = std::get_if<SparseArrays<T, std::int32_t>>(&file.content))
    return spread(*sparse, size, path);
  return spread(std::get<SparseArrays<T, std::int64_t>>(file.content), size, path);
}

}  // namespace

template <class T>
std::vector<T> read_vector(const std::string& path) {
  const MappedFile file(path);
  const std::string_view text(file.text().data(), file.text().size());
  if (path.ends_with(".npy") || text.starts_with("\x93NUMPY")) return from_npy<T>(text, path);
  return from_matrix_market<T>(text, path);
}

template <class T>
void write_vector(const std::string& path, std::span<const T> values) {
  if (path.ends_with(".npy")) {
    const std::size_t shape[] = {values.size()};
    write_npy(path, values, shape);
  } else if (path.ends_with(".mtx")) {
    write_matrix_market_array(path, values, static_cast<Index>(values.size()), 1);
  } else {
    throw UsageError(
        fmt::format("{}: a vector is written as .npy or .mtx; name a file with one of these", path));
  }
}

template std::vector<float> read_vector(const std::string&);
template std::vector<double> read_vector(const std::string&);
template void write_vector(const std::string&, std::span<const float>);
template void write_vector(const std::string&, std::span<const double>);

}  // namespace jacobi::io
