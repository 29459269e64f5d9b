/// Passes over the entries of a dense matrix on all cores.
#pragma once
#include <algorithm>

#include "core/team.hpp"
#include "core/teams.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/dense.hpp"

namespace jacobi {

/// run(first, last) for all rows, on all cores, some rows at once: by columns as many as leave every core
/// two turns, since the longer a part of a column, the faster it is read.
template <class T, class Run>
void for_some_rows(const Dense<T>& a, Run&& run) {
  const Index rows = a.order(), share = rows / (2 * available_cores());
  const Index at_once = a.layout() == Layout::row_major ? 64 : std::clamp<Index>(share, 64, 1024);
  parallel_chunks(rows > 256 ? whole_team() : 1, rows, at_once, run);
}

/// add(i, j, a_ij) for these rows, in the order of memory.
template <class T, class Add>
void each_entry(const Dense<T>& a, Index first, Index last, Add&& add) {
  if (a.layout() == Layout::row_major) {
    for (Index i = first; i < last; ++i)
      for (Index j = 0; j < a.order(); ++j) add(i, j, a.data()[i * a.leading() + j]);
  } else {
    for (Index j = 0; j < a.order(); ++j)
      for (Index i = first; i < last; ++i) add(i, j, a.data()[i + j * a.leading()]);
  }
}

/// sums[p] += term(a_ij, x_p), both as doubles, over the entries of these rows i, p their unknowns. Of one
/// right-hand side by rows: eight sums side by side, so that no addition waits for the one before; by columns
/// a loop of its own, which the compiler turns into vectors (each_entry() takes 1.2 to 1.5 times as long).
template <class T, class Sum, class Term>
void add_products(const Dense<T>& a, const T* x, Index first, Index last, Sum* sums, Term&& term) {
  constexpr Index width = 8;  // a line of the cache, of doubles; the next row's, or column's, is asked for
  const Index n = a.order(), copies = a.copies();
  const auto product = [&](T value, T factor) {
    return term(static_cast<double>(value), static_cast<double>(factor));
  };
  if (copies > 1)
    return each_entry(a, first, last, [&](Index i, Index j, T value) {
      for (Index c = 0; c < copies; ++c) sums[i * copies + c] += product(value, x[j * copies + c]);
    });
  if (a.layout() == Layout::column_major) {
    for (Index j = 0; j < n; ++j) {
      const T* const column = a.data() + j * a.leading();
      Index i = first;
      for (; i + width <= last; i += width) {
        __builtin_prefetch(column + a.leading() + i);
        for (Index l = 0; l < width; ++l) sums[i + l] += product(column[i + l], x[j]);
      }
      for (; i < last; ++i) sums[i] += product(column[i], x[j]);
    }
    return;
  }
  for (Index i = first; i < last; ++i) {
    const T* const row = a.data() + i * a.leading();
    Sum lane[width] = {};
    Index j = 0;
    for (; j + width <= n; j += width) {
      __builtin_prefetch(row + a.leading() + j);
      for (Index l = 0; l < width; ++l) lane[l] += product(row[j + l], x[j + l]);
    }
    for (Index l = 0; j < n; ++j, ++l) lane[l] += product(row[j], x[j]);
    for (const Sum& sum : lane) sums[i] += sum;
  }
}

/// visit(i, j) for rows i = first ... last - 1 and all later j of n, by squares as wide as a line of the
/// cache: neither entry (i, j) nor (j, i) has its line fetched twice.
template <class Visit>
void each_pair(Index first, Index last, Index n, Visit&& visit) {
  constexpr Index width = 8;
  for (Index top = first; top < last; top += width)
    for (Index left = top; left < n; left += width)
      for (Index i = top; i < std::min(top + width, last); ++i)
        for (Index j = std::max(left, i + 1); j < std::min(left + width, n); ++j) visit(i, j);
}

}  // namespace jacobi
