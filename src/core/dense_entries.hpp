/// Passes over the entries of a dense matrix on all cores.
#pragma once
#include <algorithm>

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
  const Index blocks = (rows + at_once - 1) / at_once;
  if (rows > 256) prepare_teams();
#pragma omp parallel for schedule(dynamic) if (rows > 256)
  for (Index s = 0; s < blocks; ++s) run(s * at_once, std::min(rows, (s + 1) * at_once));
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
