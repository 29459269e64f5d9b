/// Passes over the rows of operators that list their entries: sparse matrices and box stencils.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
#include "core/lengths.hpp"
#include "core/memory.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/box_stencil.hpp"
#include "jacobi/csr.hpp"

namespace jacobi {

template <class T>
RowGroups blocks_over(const BoxStencil<T>& a) {
  return a.rows();
}

/// use(each): each(i, visit) calls visit(j, value) for the entries of row i, in their order.
template <class T, class Use>
decltype(auto) with_entries(const Csr<T>& a, Use&& use) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    return use([=](Index i, auto&& visit) {
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) visit(static_cast<Index>(columns[k]), values[k]);
    });
  });
}
template <class T, class Use>
decltype(auto) with_entries(const BoxStencil<T>& a, Use&& use) {
  return use([&](Index i, auto&& visit) { a.each_entry(i, visit); });
}

/// use(sum): sum(i) is b_i - sum of a_ij x_j, as a Sum adds it up.
template <class Sum, class A, class T, class Use>
decltype(auto) with_residuals(const A& a, std::span<const T> b, std::span<const T> x, Use&& use) {
  return with_entries(a, [&](auto&& each) {
    return use([&](Index i) {
      Sum sum(b[i]);
      each(i, [&](Index j, T value) { sum.subtract(value, x[j]); });
      return sum;
    });
  });
}

template <class Sum, class A, class T>
Norms residual_norms_by(const A& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return with_residuals<Sum>(a, b, x, [&](auto&& sum) {
    return norms_over(blocks_over(a), [&](Index i) {
      return by == Divisor::none ? sum(i).value() : sum(i).value() / a.divisor(i, by);
    });
  });
}

template <class A, class T>
double rounding_floor_by(const A& a, std::span<const T> b, std::span<const T> x, Norm norm, Divisor by) {
  const Norms sizes = with_entries(a, [&](auto&& each) {
    return norms_over(blocks_over(a), [&](Index i) {
      double sum = std::abs(static_cast<double>(b[i]));
      each(i, [&](Index j, T value) {
        sum += std::abs(static_cast<double>(value) * static_cast<double>(x[j]));
      });
      return is_scaled(norm) ? sum / a.divisor(i, by) : sum;
    });
  });
  return std::numeric_limits<T>::epsilon() * pick(sizes, norm);
}

template <class A, class T>
std::vector<T> multiply_by(const A& a, std::span<const T> x) {
  require_lengths(a.rows(), {{"x", x.size()}});
  std::vector<T> y(x.size());
  with_entries(a, [&](auto&& each) {
    for_blocks(blocks_over(a), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        double sum = 0;
        each(i, [&](Index j, T value) { sum += static_cast<double>(value) * static_cast<double>(x[j]); });
        y[i] = static_cast<T>(sum);
      }
    });
  });
  return y;
}

/// fill(begin_row, add) calls begin_row() before the entries of each row and add(column, value) for each, at
/// most per_row; those of one column are added up. Throws: Interrupted; BackendError where memory lacks for
/// what.
template <class T, class Fill>
Csr<T> csr_of_rows(Index rows, Index per_row, const char* what, Fill&& fill) {
  const Index most = rows * per_row;
  require_memory(static_cast<double>(most) * (sizeof(T) + sizeof(Index)), what);
  const auto filled = [&]<class I>(I) {
    std::vector<I> offsets, columns;
    std::vector<T> values;
    offsets.reserve(static_cast<std::size_t>(rows + 1));
    columns.reserve(static_cast<std::size_t>(most));
    values.reserve(static_cast<std::size_t>(most));
    std::size_t begin = 0, looked = 0;
    const auto begin_row = [&] {
      begin = columns.size();
      offsets.push_back(static_cast<I>(begin));
      if (begin - looked < std::size_t(1) << 18) return;
      throw_if_cancelled();
      looked = begin;
    };
    fill(begin_row, [&](Index column, T value) {
      std::size_t place = columns.size();
      while (place > begin && columns[place - 1] > column) --place;
      if (place > begin && columns[place - 1] == column) {
        values[place - 1] += value;
        return;
      }
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(place), static_cast<I>(column));
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), value);
    });
    offsets.push_back(static_cast<I>(columns.size()));
    return Csr<T>::own(std::move(offsets), std::move(columns), std::move(values));
  };
  // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
  return most < std::numeric_limits<std::int32_t>::max() ? filled(std::int32_t()) : filled(std::int64_t());
}

}  // namespace jacobi
