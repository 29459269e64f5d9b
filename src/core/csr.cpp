#include "jacobi/csr.hpp"
#include "core/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/blocks.hpp"
#include "core/divides.hpp"
#include "core/entry_rows.hpp"
#include "core/lengths.hpp"
#include "core/teams.hpp"
#include "core/twofold.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

/// Arrays that an operator keeps for itself.
template <class T, class I>
struct Arrays {
  std::vector<I> offsets, columns;
  std::vector<T> values;
};

template <class I>
void require_offsets(std::span<const I> offsets, std::size_t columns, std::size_t values) {
  if (columns != values) throw InputError(fmt::format("{} columns are given for {} values", columns, values));
  if (offsets.empty() || offsets[0] != 0)
    throw InputError(offsets.empty() ? "the offsets of the rows are missing: give rows + 1 of them"
                                     : fmt::format("offsets[0] is {}: it must be 0", offsets[0]));
  if (offsets.size() == 1) throw InputError("a matrix of 0 rows: at least 1");
  for (std::size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      throw InputError(fmt::format("offsets[{}] = {} is less than offsets[{}] = {}", i, offsets[i], i - 1,
                                   offsets[i - 1]));
  if (static_cast<std::size_t>(offsets.back()) != values)
    throw InputError(fmt::format("the offsets end at {} and there are {} values", offsets.back(), values));
}

/// True where every row is ascending without repetition. Throws: InputError naming the entry.
template <class T, class I>
bool require_entries(std::span<const I> offsets, std::span<const I> columns, std::span<const T> values) {
  const Index rows = static_cast<Index>(offsets.size()) - 1;
  std::atomic<bool> ascending = true;
  std::atomic<Index> bad = rows;  // the first row with a fault
  for_blocks(rows, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      for (I k = offsets[i]; k < offsets[i + 1]; ++k) {
        const bool sound = columns[k] >= 0 && columns[k] < rows && std::isfinite(values[k]);
        if (!sound) keep_least(bad, i);
        if (k > offsets[i] && columns[k] <= columns[k - 1]) ascending = false;
      }
  });
  if (bad < rows)
    for (I k = offsets[bad]; k < offsets[bad + 1]; ++k) {
      if (columns[k] < 0 || columns[k] >= rows)
        throw InputError(
            fmt::format("row {}: column {} is not in 0 ... {}", bad.load(), columns[k], rows - 1));
      if (!std::isfinite(values[k]))
        throw EntryError([i = bad.load(), j = Index{columns[k]}, value = values[k]](Index first) {
          return fmt::format("entry ({}, {}) is {}: every entry must be finite", i + first, j + first, value);
        });
    }
  return ascending;
}

/// Sorts one row by column, then by size, and adds up what has the same column, in place: however the entries
/// came, the sum has the same bits. Returns how many are left.
template <class T, class I>
I make_canonical(std::span<I> columns, std::span<T> values, std::vector<std::pair<I, T>>& row) {
  row.clear();
  for (std::size_t k = 0; k < columns.size(); ++k) row.emplace_back(columns[k], values[k]);
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const T p = std::abs(a.second), q = std::abs(b.second);
    return p != q ? p < q : a.second < b.second;
  });
  I left = 0;
  for (const auto& [column, value] : row) {
    if (left > 0 && columns[left - 1] == column) {
      values[left - 1] += value;
    } else {
      columns[left] = column;
      values[left++] = value;
    }
  }
  return left;
}

template <class T, class I>
void make_canonical(Arrays<T, I>& a) {
  const Index rows = static_cast<Index>(a.offsets.size()) - 1;
  std::vector<I> left(static_cast<std::size_t>(rows));
  parallel_chunks(whole_team(), rows, 1024, [&](Index from, Index to) {
    std::vector<std::pair<I, T>> row;
    for (Index i = from; i < to; ++i) {
      const std::size_t first = static_cast<std::size_t>(a.offsets[i]);
      const std::size_t count = static_cast<std::size_t>(a.offsets[i + 1]) - first;
      left[i] = make_canonical(std::span(a.columns).subspan(first, count),
                               std::span(a.values).subspan(first, count), row);
    }
  });
  I to = 0;
  for (Index i = 0; i < rows; ++i) {
    const I from = a.offsets[i];
    a.offsets[i] = to;
    if (to != from) {
      std::copy_n(a.columns.begin() + from, left[i], a.columns.begin() + to);
      std::copy_n(a.values.begin() + from, left[i], a.values.begin() + to);
    }
    to += left[i];
  }
  a.offsets[rows] = to;
  a.columns.resize(static_cast<std::size_t>(to));
  a.values.resize(static_cast<std::size_t>(to));
}

}  // namespace

template <class T>
template <CsrIndex I>
Csr<T> Csr<T>::own(std::vector<I> offsets, std::vector<I> columns, std::vector<T> values) {
  auto arrays =
      std::make_shared<Arrays<T, I>>(Arrays<T, I>{std::move(offsets), std::move(columns), std::move(values)});
  require_offsets<I>(arrays->offsets, arrays->columns.size(), arrays->values.size());
  if (!require_entries<T, I>(arrays->offsets, arrays->columns, arrays->values)) {
    make_canonical(*arrays);
    require_entries<T, I>(arrays->offsets, arrays->columns, arrays->values);  // a sum may overflow
  }
  Csr a;
  a.rows_ = static_cast<Index>(arrays->offsets.size()) - 1;
  a.pattern_ = CsrPattern<I>{arrays->offsets, arrays->columns};
  a.values_ = arrays->values;
  a.owned_ = std::move(arrays);
  return a;
}

template <class T>
template <CsrIndex I>
Csr<T> Csr<T>::view(std::span<const I> offsets, std::span<const I> columns, std::span<const T> values) {
  require_offsets(offsets, columns.size(), values.size());
  if (!require_entries(offsets, columns, values))
    return own(std::vector<I>(offsets.begin(), offsets.end()), std::vector<I>(columns.begin(), columns.end()),
               std::vector<T>(values.begin(), values.end()));
  Csr a;
  a.rows_ = static_cast<Index>(offsets.size()) - 1;
  a.pattern_ = CsrPattern<I>{offsets, columns};
  a.values_ = values;
  return a;
}

template <class T>
Csr<T> Csr<T>::from_entries(Index n, std::span<const Entry<T>> entries) {
  if (n < 1) throw InputError(fmt::format("a matrix of {} rows: at least 1", n));
  constexpr Index many = Index(1) << 24;  // no less is diagnosed, whatever rows are empty
  if (n > many && entries.size() < static_cast<std::size_t>(n))
    throw InputError(
        fmt::format("a matrix of {} rows and {} entries: {} rows at least are empty, so that it is "
                    "singular; is that the number of rows?",
                    n, entries.size(), n - static_cast<Index>(entries.size())));
  const auto fill = [&]<class I>(I) {
    std::vector<I> offsets(static_cast<std::size_t>(n) + 1), columns(entries.size());
    std::vector<T> values(entries.size());
    for (const Entry<T>& e : entries) {
      if (e.row < 0 || e.row >= n || e.column < 0 || e.column >= n)
        throw InputError(
            fmt::format("entry ({}, {}) lies outside of {} x {} (counted from 0)", e.row, e.column, n, n));
      ++offsets[e.row + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<I> next(offsets.begin(), offsets.end() - 1);
    for (const Entry<T>& e : entries) {
      columns[next[e.row]] = static_cast<I>(e.column);
      values[next[e.row]++] = e.value;
    }
    return own(std::move(offsets), std::move(columns), std::move(values));
  };
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const bool narrow = std::max(entries.size(), static_cast<std::size_t>(n)) < most;
  return narrow ? fill(std::int32_t()) : fill(std::int64_t());  // NOLINT(bugprone-branch-clone): two types
}

template <class T>
void Csr<T>::require_finite() const {
  visit([](auto offsets, auto columns, auto values) { require_entries(offsets, columns, values); });
}

template <class T>
T Csr<T>::diagonal(Index i) const {
  return visit([&](auto offsets, auto columns, auto values) {
    const auto first = columns.begin() + offsets[i], last = columns.begin() + offsets[i + 1];
    const auto at = std::lower_bound(first, last, i);
    return at != last && *at == i ? values[static_cast<std::size_t>(at - columns.begin())] : T(0);
  });
}

template <class T>
double Csr<T>::divisor(Index i, Divisor kind) const {
  return visit([&](auto offsets, auto columns, auto values) {
    if (kind == Divisor::none) return 1.0;
    T center = 0, largest = 0;
    double sum = 0;
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
      const T size = std::abs(values[k]);
      (columns[k] == i ? center : largest) = columns[k] == i ? values[k] : std::max(largest, size);
      sum += columns[k] == i ? 0 : size;
    }
    if (kind == Divisor::diagonal) return divides(center) ? center : stand_in(largest);
    return std::copysign(std::abs(static_cast<double>(center)) + sum, center);
  });
}

template <class T>
Norms Csr<T>::rhs_norms(std::span<const T> b, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}});
  return norms_over(rows_, [&](Index i) { return b[i] / divisor(i, by); });
}

template <class T>
Norms Csr<T>::residual_norms(std::span<const T> b, std::span<const T> x, Divisor by) const {
  return residual_norms_by<DoubleSum>(*this, b, x, by);
}
template <class T>
Norms twofold_residual_norms(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return residual_norms_by<TwofoldSum>(a, b, x, by);
}

#define JACOBI_INSTANTIATE(T, I)                                                               \
  template Csr<T> Csr<T>::view<I>(std::span<const I>, std::span<const I>, std::span<const T>); \
  template Csr<T> Csr<T>::own<I>(std::vector<I>, std::vector<I>, std::vector<T>);
template class Csr<double>;
template class Csr<float>;
template Norms twofold_residual_norms(const Csr<double>&, std::span<const double>, std::span<const double>,
                                      Divisor);
template Norms twofold_residual_norms(const Csr<float>&, std::span<const float>, std::span<const float>,
                                      Divisor);
JACOBI_INSTANTIATE(double, std::int32_t)
JACOBI_INSTANTIATE(double, std::int64_t)
JACOBI_INSTANTIATE(float, std::int32_t)
JACOBI_INSTANTIATE(float, std::int64_t)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
