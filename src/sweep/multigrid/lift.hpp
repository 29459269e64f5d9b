/// Where full multigrid starts: between the values given at the sides.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/team.hpp"
#include "sweep/multigrid/level.hpp"

namespace jacobi::sweep {

/// Offset of the s-th line along direction d.
template <class T, int D>
Index start_along(const GridLevel<T, D>& l, int d, Index s) {
  Index at = 0;
  for (int e = 0; e < D; ++e) {
    if (e == d) continue;
    at += s % l.n[e] * l.stride(e);
    s /= l.n[e];
  }
  return at;
}

/// Adds to x, along direction d, the straight line between what is missing at its two sides.
template <class T, int D>
void lift_along(int d, const GridLevel<T, D>& l, const std::array<std::vector<T>, 2 * D>& given,
                int threads) {
  const bool low = l.sides[d][0] == BoundaryKind::dirichlet, high = l.sides[d][1] == BoundaryKind::dirichlet;
  if (!low && !high) return;
  const Index n = l.n[d], stride = l.stride(d), lines = l.unknowns() / n;
  parallel_for(threads, lines, [&](Index s) {
    T* const x = l.x + start_along(l, d, s);
    const auto missing = [&](int k, const T* first, Index inwards) {
      const T beyond = n > 1 ? 2 * first[0] - first[inwards] : first[0];
      return (given[k].empty() ? T(0) : given[k][s]) - beyond;
    };
    const T left = low ? missing(2 * d, x, stride) : T(0);
    const T right = high ? missing(2 * d + 1, x + (n - 1) * stride, -stride) : left;
    const T start = low ? left : right, step = (right - start) / static_cast<T>(n + 1);
    for (Index i = 0; i < n; ++i) x[i * stride] += start + static_cast<T>(i + 1) * step;
  });
}

/// x between the Dirichlet values given, direction after direction what the ones before leave: nested
/// iteration interpolates corrections that are 0 on these sides. False where none is given, and x stays.
/// Ghosts are left as they are.
template <class T, int D>
bool lift(const GridLevel<T, D>& l, const std::array<std::vector<T>, 2 * D>& given, int threads) {
  if (std::all_of(given.begin(), given.end(), [](const auto& side) { return side.empty(); })) return false;
  for (int d = 0; d < D; ++d) lift_along(d, l, given, threads);
  return true;
}

}  // namespace jacobi::sweep
