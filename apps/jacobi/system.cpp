#include "system.hpp"
#include "core/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "core/dense_entries.hpp"
#include "core/memory.hpp"
#include "core/teams.hpp"
#include "io/input_file.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace jacobi::cli {

namespace {

void require_square(const std::string& path, Index rows, Index columns) {
  if (rows != columns || rows == 0)
    throw InputError(fmt::format("{}: {} x {}: as many equations as unknowns are needed, at least one", path,
                                 rows, columns));
}

constexpr double worth_dense = 0.4;  // an entry of a sparse matrix moves 12 bytes, of a dense one 8

/// No zero among n x n values by rows: the dense matrix is a view of what the sparse one keeps.
template <class T, class I>
Matrix<T> from_full_rows(Index n, std::vector<T> values) {
  require_memory(static_cast<double>(values.size()) * sizeof(I), "the columns of its entries");
  Dense<T> dense = Dense<T>::view(values, n);
  std::vector<I> offsets(static_cast<std::size_t>(n) + 1), columns(values.size());
  parallel_for(n > 512 ? whole_team() : 1, n, [&](Index i) {
    offsets[i + 1] = static_cast<I>((i + 1) * n);
    std::iota(columns.begin() + i * n, columns.begin() + (i + 1) * n, I(0));
  });
  return {Csr<T>::template own<I>(std::move(offsets), std::move(columns), std::move(values)),
          std::move(dense),
          {},
          {},
          {}};
}

/// n x n values in this layout; I: of the places of those that are not zero.
template <class T, class I>
Matrix<T> from_dense(Index n, std::vector<T> values, Layout layout) {
  const bool has_zero = std::find(values.begin(), values.end(), T(0)) != values.end();
  if (layout == Layout::row_major && !has_zero) return from_full_rows<T, I>(n, std::move(values));
  Dense<T> dense = Dense<T>::own(std::move(values), n, layout);
  std::vector<I> offsets(static_cast<std::size_t>(n) + 1);
  constexpr Index at_once = 64 / sizeof(T);  // rows written side by side: a line of the cache of each column
  const auto each = [&](auto&& add) {        // of a row in order
    for_some_rows(dense, [&](Index first, Index last) {
      for (Index i = first; i < last; i += at_once) each_entry(dense, i, std::min(i + at_once, last), add);
    });
  };
  each([&](Index i, Index, T value) { offsets[i + 1] += value != 0; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const auto count = static_cast<std::size_t>(offsets.back());
  require_memory(static_cast<double>(count) * (sizeof(T) + sizeof(I)), "the entries that are not zero");
  std::vector<I> columns(count), next(offsets.begin(), offsets.end() - 1);
  std::vector<T> nonzeros(count);
  each([&](Index i, Index j, T value) {
    if (value == 0) return;
    columns[next[i]] = static_cast<I>(j);
    nonzeros[next[i]++] = value;
  });
  return {Csr<T>::template own<I>(std::move(offsets), std::move(columns), std::move(nonzeros)),
          std::move(dense),
          {},
          {},
          {}};
}

template <class T>
Matrix<T> from_dense(const std::string& path, Index n, std::vector<T> values, Layout layout) {
  const bool fits = values.size() < std::numeric_limits<std::int32_t>::max();
  Matrix<T> matrix = fits ? from_dense<T, std::int32_t>(n, std::move(values), layout)
                          : from_dense<T, std::int64_t>(n, std::move(values), layout);
  const double share =
      static_cast<double>(matrix.a.entries()) / (static_cast<double>(n) * static_cast<double>(n));
  if (share < worth_dense) matrix.dense.reset();
  matrix.notes.push_back(fmt::format("{}: stored dense, {:.3g} % of its {} not zero{}", path, 100 * share,
                                     counted(n * n, "entry is", "entries are"),
                                     matrix.dense ? "" : "; swept as a sparse matrix"));
  return matrix;
}

template <class T>
Matrix<T> from_npy(const io::InputFile& file) {
  const std::string& path = file.name();
  io::NpyArray array = io::read_npy(file, io::NpyOrder::as_stored);
  if (array.shape.size() != 2)
    throw InputError(
        fmt::format("{}: shape ({}): a matrix has two dimensions", path, fmt::join(array.shape, ", ")));
  const Index n = static_cast<Index>(array.shape[0]);
  require_square(path, n, static_cast<Index>(array.shape[1]));
  const Layout layout = array.fortran_order ? Layout::column_major : Layout::row_major;
  std::vector<std::string> notes;
  std::vector<T> values = io::narrowed<T>(std::move(array.values), path, &notes);
  Matrix<T> matrix = named(path, [&] { return from_dense<T>(path, n, std::move(values), layout); });
  matrix.notes.insert(matrix.notes.end(), notes.begin(), notes.end());
  return matrix;
}

/// A diagonal entry that underflowed, where nothing else was added to it; else nothing.
template <class T>
std::string lost_diagonal(const std::string& path, const Csr<T>& a, const std::vector<io::Underflow>& lost) {
  for (const io::Underflow& entry : lost)
    if (entry.row >= 0 && entry.row == entry.column && a.diagonal(entry.row) == 0)
      return fmt::format("{}:{}: the diagonal entry {} of row {} is too small for {} and taken as 0: {}",
                         path, entry.line, entry.word, entry.row + 1,
                         sizeof(T) == sizeof(double) ? "double" : "float",
                         sizeof(T) == sizeof(double) ? "scale the row" : "take --precision double");
  return {};
}

template <class T>
Matrix<T> from_matrix_market(const io::InputFile& input) {
  const std::string& path = input.name();
  io::MatrixFile<T> file = io::read_matrix_market<T>(input);
  const Index n = file.header.rows;
  require_square(path, n, file.header.columns);
  if (file.header.entries == 0)
    throw InputError(fmt::format("{}: 0 entries: a matrix needs at least one", path));
  const auto make = [&]<class Content>(Content& content) -> Matrix<T> {
    if constexpr (std::is_same_v<Content, std::vector<T>>)
      return from_dense<T>(path, n, std::move(content), Layout::column_major);
    else
      return {Csr<T>::own(std::move(content.offsets), std::move(content.columns), std::move(content.values)),
              {},
              {},
              {},
              {}};
  };
  Matrix<T> matrix = named(path, [&] { return std::visit(make, file.content); });
  matrix.notes.insert(matrix.notes.begin(), file.notes.begin(), file.notes.end());
  matrix.rhs = std::move(file.rhs);
  matrix.lost_diagonal = lost_diagonal(path, matrix.a, file.underflows);
  return matrix;
}

}  // namespace

template <class T>
Matrix<T> read_matrix(const std::string& path) {
  const Stage stage(fmt::format("stopped while reading {}, nothing was solved", path));
  const io::InputFile file(path);
  return io::is_npy(file) ? from_npy<T>(file) : from_matrix_market<T>(file);
}

namespace {

/// As many columns of n values as are needed; one stands for all.
template <class T>
Columns<T> columns_of(const std::string& path, const char* what, const std::string& matrix, std::size_t n,
                      std::optional<std::size_t> count, std::vector<std::string>& notes) {
  const Stage stage(fmt::format("stopped while reading {}, nothing was solved", path));
  Columns<T> columns = io::read_columns<T>(path, n, &notes);
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
Columns<double> cosines(std::size_t n, std::size_t count) {
  Columns<double> x(count, std::vector<double>(n));
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
            matrix, i + 1, sizeof(T) == sizeof(double) ? "double" : "float"));
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
  System<T> system{std::move(read.a),     std::move(read.dense),        {}, {}, {},
                   std::move(read.notes), std::move(read.lost_diagonal)};
  std::optional<std::size_t> count;
  if (rhs_count) count = static_cast<std::size_t>(*rhs_count);
  if (read.rhs)
    system.notes.push_back(fmt::format("{}: the right-hand side in the file is {}used{}", matrix,
                                       b.empty() ? "" : "not ", b.empty() ? "" : ": " + b + " is"));
  if (b.empty() && read.rhs) {
    if (count && *count != 1)
      throw InputError(fmt::format("{}: holds one right-hand side: --rhs-count asks for {}", matrix, *count));
    system.b.push_back(std::move(*read.rhs));
  } else if (b.empty()) {
    system.exact = cosines(n, count.value_or(1));
    for (const auto& x : *system.exact) system.b.push_back(product(matrix, system.a, x));
  } else {
    system.b = columns_of<T>(b, "the right-hand side", matrix, n, {}, system.notes);
    if (count && system.b.size() != *count)
      throw InputError(fmt::format("{}: {}: --rhs-count asks for {}", b,
                                   counted(static_cast<Index>(system.b.size()), "right-hand side"), *count));
  }
  if (initial.empty())
    system.x.assign(system.b.size(), std::vector<T>(n));
  else
    system.x = named("--initial", initial, [&] {
      return columns_of<T>(initial, "the initial iterate", matrix, n, system.b.size(), system.notes);
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
    return fmt::format("{}, {}, {} in a row", counted(a.rows(), "unknown"),
                       counted(a.entries(), "entry", "entries"),
                       least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most));
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
