#include "system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "core/memory.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

void require_square(const std::string& path, Index rows, Index columns) {
  if (rows != columns || rows == 0)
    throw InputError(fmt::format("{}: {} x {}: as many equations as unknowns are needed, at least one", path,
                                 rows, columns));
}

constexpr double worth_dense = 0.4;  // an entry of a sparse matrix moves 12 bytes, of a dense one 8

/// n x n values in this layout; I: of the places of those that are not zero.
template <class T, class I>
Matrix<T> from_dense(const std::string& path, Index n, std::vector<T> values, Layout layout) {
  const auto count =
      static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [](T v) { return v != 0; }));
  require_memory(static_cast<double>(count) * (sizeof(T) + sizeof(I)), "the entries that are not zero");
  Dense<T> dense = Dense<T>::own(std::move(values), n, layout);
  std::vector<I> offsets{0}, columns;
  std::vector<T> nonzeros;
  columns.reserve(count);
  nonzeros.reserve(count);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j)
      if (dense.at(i, j) != 0) {
        columns.push_back(static_cast<I>(j));
        nonzeros.push_back(dense.at(i, j));
      }
    offsets.push_back(static_cast<I>(columns.size()));
  }
  const double share =
      static_cast<double>(nonzeros.size()) / (static_cast<double>(n) * static_cast<double>(n));
  Matrix<T> matrix{
      Csr<T>::template own<I>(std::move(offsets), std::move(columns), std::move(nonzeros)), {}, {}};
  if (share >= worth_dense) matrix.dense = std::move(dense);
  matrix.notes.push_back(fmt::format("{}: stored dense, {:.3g} % of its {} not zero{}", path, 100 * share,
                                     counted(n * n, "entry is", "entries are"),
                                     matrix.dense ? "" : "; swept as a sparse matrix"));
  return matrix;
}

template <class T>
Matrix<T> from_dense(const std::string& path, Index n, std::vector<T> values, Layout layout) {
  const bool fits = values.size() < std::numeric_limits<std::int32_t>::max();
  return fits ? from_dense<T, std::int32_t>(path, n, std::move(values), layout)
              : from_dense<T, std::int64_t>(path, n, std::move(values), layout);
}

template <class T>
Matrix<T> from_npy(const std::string& path) {
  io::NpyArray array = io::read_npy(path, io::NpyOrder::as_stored);
  if (array.shape.size() != 2)
    throw InputError(
        fmt::format("{}: shape ({}): a matrix has two dimensions", path, fmt::join(array.shape, ", ")));
  const Index n = static_cast<Index>(array.shape[0]);
  require_square(path, n, static_cast<Index>(array.shape[1]));
  const Layout layout = array.fortran_order ? Layout::column_major : Layout::row_major;
  std::vector<T> values = io::narrowed<T>(std::move(array.values), path);
  return named(path, [&] { return from_dense<T>(path, n, std::move(values), layout); });
}

}  // namespace

template <class T>
Matrix<T> read_matrix(const std::string& path) {
  if (path.ends_with(".npy")) return from_npy<T>(path);
  io::MatrixFile<T> file = io::read_matrix_market<T>(path);
  const Index n = file.header.rows;
  require_square(path, n, file.header.columns);
  const auto make = [&]<class Content>(Content& content) -> Matrix<T> {
    if constexpr (std::is_same_v<Content, std::vector<T>>)
      return from_dense<T>(path, n, std::move(content), Layout::column_major);
    else
      return {Csr<T>::own(std::move(content.offsets), std::move(content.columns), std::move(content.values)),
              {},
              {}};
  };
  Matrix<T> matrix = named(path, [&] { return std::visit(make, file.content); });
  matrix.notes.insert(matrix.notes.begin(), file.notes.begin(), file.notes.end());
  return matrix;
}

namespace {

/// As many columns of n values as are needed; one stands for all.
template <class T>
io::Columns<T> columns_of(const std::string& path, const char* what, const std::string& matrix, std::size_t n,
                          std::optional<std::size_t> count) {
  io::Columns<T> columns = io::read_columns<T>(path, n);
  const std::size_t size = columns.empty() ? 0 : columns[0].size();
  if (size != n)
    throw InputError(fmt::format("{}: {}{}: {} of {} needs {}", path,
                                 columns.size() > 1 ? fmt::format("{} columns of ", columns.size()) : "",
                                 counted(static_cast<Index>(size), "value"), what, matrix, n));
  if (count && columns.size() == 1) columns.resize(*count, columns[0]);
  if (count && columns.size() != *count)
    throw InputError(fmt::format("{}: {} beside {}", path,
                                 counted(static_cast<Index>(columns.size()), "column"),
                                 counted(static_cast<Index>(*count), "right-hand side")));
  return columns;
}

/// Column c: cos(c pi i / n); ones first.
io::Columns<double> cosines(std::size_t n, std::size_t count) {
  io::Columns<double> x(count, std::vector<double>(n));
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t i = 0; i < n; ++i)
      x[c][i] = std::cos(static_cast<double>(c) * std::numbers::pi * static_cast<double>(i) /
                         static_cast<double>(n));
  return x;
}

/// A x. Throws: InputError where a row of it is beyond the largest T.
template <class T>
std::vector<T> product(const std::string& matrix, const Csr<T>& a, const std::vector<double>& x) {
  std::vector<T> b(x.size());
  a.visit([&](auto offsets, auto columns, auto values) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      double sum = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
      b[i] = static_cast<T>(sum);
      if (!std::isfinite(b[i]))
        throw InputError(fmt::format(
            "{}: row {}: A times ones, the right-hand side where no file is given, is beyond the largest {}",
            matrix, i, sizeof(T) == sizeof(double) ? "double" : "float"));
    }
  });
  return b;
}

}  // namespace

template <class T>
System<T> read_system(const std::string& matrix, const std::string& b, const std::string& initial,
                      std::optional<Index> rhs_count) {
  Matrix<T> read = read_matrix<T>(matrix);
  const std::size_t n = static_cast<std::size_t>(read.a.rows());
  System<T> system{std::move(read.a), std::move(read.dense), {}, {}, {}, std::move(read.notes)};
  std::optional<std::size_t> count;
  if (rhs_count) count = static_cast<std::size_t>(*rhs_count);
  if (b.empty()) {
    system.exact = cosines(n, count.value_or(1));
    for (const auto& x : *system.exact) system.b.push_back(product(matrix, system.a, x));
  } else {
    system.b = columns_of<T>(b, "the right-hand side", matrix, n, {});
    if (count && system.b.size() != *count)
      throw InputError(fmt::format("{}: {}: --rhs-count asks for {}", b,
                                   counted(static_cast<Index>(system.b.size()), "right-hand side"), *count));
  }
  if (initial.empty())
    system.x.assign(system.b.size(), std::vector<T>(n));
  else
    system.x = columns_of<T>(initial, "the initial iterate", matrix, n, system.b.size());
  return system;
}

template <class T>
std::string describe(const Csr<T>& a) {
  return a.visit([&](auto offsets, auto, auto) {
    Index least = std::numeric_limits<Index>::max(), most = 0;
    for (Index i = 0; i < a.rows(); ++i) {
      least = std::min<Index>(least, offsets[i + 1] - offsets[i]);
      most = std::max<Index>(most, offsets[i + 1] - offsets[i]);
    }
    return fmt::format("{}, {}, {} to {} in a row", counted(a.rows(), "unknown"),
                       counted(a.entries(), "entry", "entries"), least, most);
  });
}

#define JACOBI_INSTANTIATE(T)                                                                   \
  template Matrix<T> read_matrix<T>(const std::string&);                                        \
  template System<T> read_system<T>(const std::string&, const std::string&, const std::string&, \
                                    std::optional<Index>);                                      \
  template std::string describe<T>(const Csr<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
