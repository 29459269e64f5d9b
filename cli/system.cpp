#include "system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/memory.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "io/vector_file.hpp"
#include "jacobi/error.hpp"

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
  matrix.notes.push_back(fmt::format("{}: stored dense, {:.3g} % of its {} entries are not zero{}", path,
                                     100 * share, n * n, matrix.dense ? "" : "; swept as a sparse matrix"));
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
  io::NpyArray array = io::read_npy(path);
  if (array.shape.size() != 2)
    throw InputError(fmt::format("{}: {} dimensions: a matrix has 2", path, array.shape.size()));
  const Index n = static_cast<Index>(array.shape[0]);
  require_square(path, n, static_cast<Index>(array.shape[1]));
  return named(path, [&] {
    if constexpr (std::is_same_v<T, double>)
      return from_dense<T>(path, n, std::move(array.values), Layout::row_major);
    else
      return from_dense<T>(path, n, std::vector<T>(array.values.begin(), array.values.end()),
                           Layout::row_major);
  });
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

template <class T>
System<T> read_system(const std::string& matrix, const std::string& b, const std::string& initial) {
  Matrix<T> read = read_matrix<T>(matrix);
  const std::size_t n = static_cast<std::size_t>(read.a.rows());
  const auto vector = [&](const std::string& path, const char* what) {
    std::vector<T> values = io::read_vector<T>(path);
    if (values.size() != n)
      throw InputError(fmt::format("{}: {} values: {} of {} needs {}", path, values.size(), what, matrix, n));
    return values;
  };
  System<T> system{std::move(read.a),    std::move(read.dense), std::vector<T>(n), std::vector<T>(n), {},
                   std::move(read.notes)};
  if (!initial.empty()) system.x = vector(initial, "the initial iterate");
  if (!b.empty()) {
    system.b = vector(b, "the right-hand side");
    return system;
  }
  system.exact.emplace(n, 1.0);
  system.a.visit([&](auto offsets, auto, auto values) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k];
      system.b[i] = static_cast<T>(sum);
    }
  });
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
    return fmt::format("{} unknowns, {} entries, {} to {} in a row", a.rows(), a.entries(), least, most);
  });
}

#define JACOBI_INSTANTIATE(T)                                                                    \
  template Matrix<T> read_matrix<T>(const std::string&);                                         \
  template System<T> read_system<T>(const std::string&, const std::string&, const std::string&); \
  template std::string describe<T>(const Csr<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
