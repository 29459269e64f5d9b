/// Symmetric and skew-symmetric storage that holds entries in both triangles.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/team.hpp"
#include "core/teams.hpp"
#include "io/matrix_market_parts.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io::market {
namespace {

/// Throws InputError for a place below the diagonal whose mirror image has another value, at the later of
/// the first lines of both.
template <class T>
[[noreturn]] void refuse_difference(const Document& document, Place below, T value, T mirrored) {
  const bool skew = document.header.skew();
  Index number = 0, row = 0, column = 0;
  bool lower = false, upper = false;
  for_each_line(document, [&](const Line& line) {
    Place at;
    if (document.header.is.coordinate) {
      read_place(line.text.data(), document.header, at);
    } else {
      at = {row, column};
      if (++row == document.header.is.rows) row = 0, ++column;
    }
    const bool is_lower = at.row == below.row && at.column == below.column;
    const bool is_upper = at.row == below.column && at.column == below.row;
    if ((is_lower && !lower) || (is_upper && !upper)) number = line.number;
    lower |= is_lower;
    upper |= is_upper;
    return !(lower && upper);
  });
  throw InputError(
      fmt::format("{}:{}: entry ({}, {}) is {} and ({}, {}) {}, in a {} matrix: store one triangle, or write "
                  "'general' in "
                  "the banner",
                  document.name, number, below.row + 1, below.column + 1, value, below.column + 1,
                  below.row + 1, mirrored, skew ? "skew-symmetric" : "symmetric"));
}

void note_both(const Document& document, const std::string& what, std::vector<std::string>& notes) {
  notes.push_back(fmt::format("{}: {} stored in both triangles, alike: taken once", document.name, what));
}

/// Rows sorted by column, equal ones by value.
template <class T, class I>
void sort_rows(SparseArrays<T, I>& a) {
  const Index rows = static_cast<Index>(a.offsets.size()) - 1;
  parallel_chunks(whole_team(), rows, 1024, [&](Index from, Index to) {
    std::vector<std::pair<I, T>> row;
    for (Index i = from; i < to; ++i) {
      const auto first = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(i)]);
      const auto last = static_cast<std::size_t>(a.offsets[static_cast<std::size_t>(i) + 1]);
      row.clear();
      for (std::size_t k = first; k < last; ++k) row.emplace_back(a.columns[k], a.values[k]);
      std::sort(row.begin(), row.end());
      for (std::size_t k = first; k < last; ++k) std::tie(a.columns[k], a.values[k]) = row[k - first];
    }
  });
}

/// The entries of one place: first ... last - 1.
struct Run {
  std::size_t first = 0, last = 0;
  bool empty() const { return first == last; }
};

/// Of rows in order.
template <class T, class I>
Run run_at(const SparseArrays<T, I>& a, std::size_t row, I column) {
  const auto begin = a.columns.begin();
  const auto [first, last] = std::equal_range(begin + a.offsets[row], begin + a.offsets[row + 1], column);
  return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - begin)};
}

template <class T, class I>
T sum_of(const SparseArrays<T, I>& a, Run run) {
  return std::accumulate(a.values.begin() + static_cast<Index>(run.first),
                         a.values.begin() + static_cast<Index>(run.last), T(0));
}

/// Calls visit(row, run, its mirror image) for the entries of every place off the diagonal.
template <class T, class I, class Visit>
void for_each_place(const SparseArrays<T, I>& a, const Visit& visit) {
  for (std::size_t row = 0; row + 1 < a.offsets.size(); ++row)
    for (std::size_t k = static_cast<std::size_t>(a.offsets[row]);
         k < static_cast<std::size_t>(a.offsets[row + 1]);) {
      const Run run{k, run_at(a, row, a.columns[k]).last};
      const auto column = static_cast<std::size_t>(a.columns[k]);
      if (column != row) visit(row, run, run_at(a, column, static_cast<I>(row)));
      k = run.last;
    }
}

}  // namespace

template <class T, class I>
void complete(const Document& document, const Limits& limits, SparseArrays<T, I>& a, MatrixFile<T>& file) {
  const bool skew = document.header.skew();
  const std::size_t rows = a.offsets.size() - 1;
  sort_rows(a);
  std::vector<std::size_t> more(rows + 1);  // at i + 1: entries that row i lacks
  Index pairs = 0, alone = 0;
  for_each_place(a, [&](std::size_t row, Run run, Run mirror) {
    const auto column = static_cast<std::size_t>(a.columns[run.first]);
    if (mirror.empty()) {
      more[column + 1] += run.last - run.first;
      ++alone;
    } else if (column < row) {
      ++pairs;
      const T value = sum_of(a, run), mirrored = sum_of(a, mirror);
      if (value != (skew ? -mirrored : mirrored))
        refuse_difference(document, {static_cast<Index>(row), static_cast<Index>(column)}, value, mirrored);
    }
  });
  if (pairs > 0)
    note_both(document,
              alone == 0 ? "all entries off the diagonal are"
                         : fmt::format("{} of {} entries off the diagonal are", pairs, pairs + alone),
              file.notes);
  if (alone == 0) return;
  std::partial_sum(more.begin(), more.end(), more.begin());
  const std::size_t total = a.values.size() + more.back();
  if (total > static_cast<std::size_t>(std::numeric_limits<I>::max()))
    throw InputError(fmt::format("{}: more entries than can be counted: store one triangle", document.name));
  Memory(document, limits.memory).take(static_cast<Index>(total), sizeof(T) + sizeof(I), "entries");
  SparseArrays<T, I> whole;
  whole.offsets.resize(rows + 1);
  for (std::size_t i = 0; i <= rows; ++i)
    whole.offsets[i] = static_cast<I>(static_cast<std::size_t>(a.offsets[i]) + more[i]);
  whole.columns.resize(total);
  whole.values.resize(total);
  std::vector<I> next(whole.offsets.begin(), whole.offsets.end() - 1);
  const auto put = [&](std::size_t row, std::size_t column, T value) {
    const auto at = static_cast<std::size_t>(next[row]++);
    whole.columns[at] = static_cast<I>(column);
    whole.values[at] = value;
  };
  for (std::size_t row = 0; row < rows; ++row)
    for (auto k = static_cast<std::size_t>(a.offsets[row]); k < static_cast<std::size_t>(a.offsets[row + 1]);
         ++k)
      put(row, static_cast<std::size_t>(a.columns[k]), a.values[k]);
  for_each_place(a, [&](std::size_t row, Run run, Run mirror) {
    const auto column = static_cast<std::size_t>(a.columns[run.first]);
    for (std::size_t k = run.first; mirror.empty() && k < run.last; ++k)
      put(column, row, skew ? -a.values[k] : a.values[k]);
  });
  a = std::move(whole);
}

template <class T>
void require_alike(const Document& document, const std::vector<T>& values, MatrixFile<T>& file) {
  const bool skew = document.header.skew();
  const Index rows = document.header.is.rows;
  for (Index j = 0; j < rows; ++j)
    for (Index i = skew ? j : j + 1; i < rows; ++i) {
      const T value = values[static_cast<std::size_t>(i + j * rows)];
      const T mirrored = values[static_cast<std::size_t>(j + i * rows)];
      if (value != (skew ? -mirrored : mirrored)) refuse_difference(document, {i, j}, value, mirrored);
    }
  note_both(document, "its values are", file.notes);
}

#define JACOBI_INSTANTIATE(T, I) \
  template void complete(const Document&, const Limits&, SparseArrays<T, I>&, MatrixFile<T>&);
JACOBI_INSTANTIATE(double, std::int32_t)
JACOBI_INSTANTIATE(double, std::int64_t)
JACOBI_INSTANTIATE(float, std::int32_t)
JACOBI_INSTANTIATE(float, std::int64_t)
#undef JACOBI_INSTANTIATE
template void require_alike(const Document&, const std::vector<double>&, MatrixFile<double>&);
template void require_alike(const Document&, const std::vector<float>&, MatrixFile<float>&);

}  // namespace jacobi::io::market
