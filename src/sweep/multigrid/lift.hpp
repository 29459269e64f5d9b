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

/// Values given on Dirichlet sides.
template <class T, int D>
using GivenValues = std::array<std::vector<T>, 2 * D>;

template <class T, int D>
bool is_lifted(const GridLevel<T, D>& l, int d) {
  return l.sides[d][0] == BoundaryKind::dirichlet || l.sides[d][1] == BoundaryKind::dirichlet;
}

/// A straight line: value start + (i + 1) step at unknown i.
template <class T>
struct Slope {
  T start, step;
  T at(Index i) const { return start + static_cast<T>(i + 1) * step; }
};

/// Between what is missing at the two sides of the s-th line along d, of which the first and the last unknown
/// are given, and those beside them at a distance.
template <class T, int D>
Slope<T> slope_along(int d, const GridLevel<T, D>& l, const GivenValues<T, D>& given, Index s, const T* first,
                     const T* last, Index stride) {
  const bool low = l.sides[d][0] == BoundaryKind::dirichlet, high = l.sides[d][1] == BoundaryKind::dirichlet;
  const Index n = l.n[d];
  const auto missing = [&](int k, const T* end, Index inwards) {
    const T beyond = n > 1 ? 2 * end[0] - end[inwards] : end[0];
    return (given[k].empty() ? T(0) : given[k][s]) - beyond;
  };
  const T left = low ? missing(2 * d, first, stride) : T(0);
  const T right = high ? missing(2 * d + 1, last, -stride) : left;
  const T start = low ? left : right;
  return {start, (right - start) / static_cast<T>(n + 1)};
}

/// Adds to x, along direction d, the straight line between what is missing at its two sides.
template <class T, int D>
void lift_along(int d, const GridLevel<T, D>& l, const GivenValues<T, D>& given, int threads) {
  if (!is_lifted(l, d)) return;
  const Index n = l.n[d], stride = l.stride(d), lines = l.unknowns() / n;
  parallel_for(threads, lines, [&](Index s) {
    T* const x = l.x + start_along(l, d, s);
    const Slope<T> slope = slope_along(d, l, given, s, x, x + (n - 1) * stride, stride);
    for (Index i = 0; i < n; ++i) x[i * stride] += slope.at(i);
  });
}

/// Slabs first ... last - 1, one after the other, lifted along all directions but the slowest.
template <class T, int D>
std::vector<T> lifted_slabs(const GridLevel<T, D>& whole, const GivenValues<T, D>& given, Index first,
                            Index last) {
  GridLevel<T, D> l;
  l.n = whole.n;
  l.n[D - 1] = last - first;
  l.sides = whole.sides;
  l.pitch = l.n[0];
  l.slab = whole.unknowns() / whole.slabs;
  std::vector<T> x(static_cast<std::size_t>(l.unknowns()));
  l.x = x.data();
  GivenValues<T, D> part;
  for (int k = 0; k < 2 * (D - 1); ++k) {
    const Index each = std::ssize(given[k]) / whole.slabs;
    part[k].assign(given[k].begin() + first * each, given[k].begin() + last * each);
  }
  for (int d = 0; d + 1 < D; ++d) lift_along(d, l, part, 1);
  return x;
}

/// Of a grid that ranks have a part of each: this one's. All make the slabs at the ends.
template <class T, int D>
void lift_part(const GridLevel<T, D>& l, const GivenValues<T, D>& given) {
  const Index size = l.unknowns() / l.slabs, n = l.slabs;
  const std::vector<T> x = lifted_slabs(l, given, l.first, l.last);
  const std::vector<T> low = lifted_slabs(l, given, 0, 2), high = lifted_slabs(l, given, n - 2, n);
  for (Index s = 0; s < size; ++s) {
    const bool slopes = is_lifted(l, D - 1);
    const Slope<T> slope =
        slopes ? slope_along(D - 1, l, given, s, low.data() + s, high.data() + size + s, size) : Slope<T>{};
    T* const to = l.x + s / l.n[0] * l.pitch + s % l.n[0];
    for (Index y = l.first; y < l.last; ++y)
      to[l.offset_of(y)] =
          x[static_cast<std::size_t>((y - l.first) * size + s)] + (slopes ? slope.at(y) : T(0));
  }
}

/// x between the Dirichlet values given, direction after direction what the ones before leave: nested
/// iteration interpolates corrections that are 0 on these sides. False where none is given, and x stays.
/// Ghosts are left as they are.
template <class T, int D>
bool lift(const GridLevel<T, D>& l, const GivenValues<T, D>& given, int threads) {
  if (std::all_of(given.begin(), given.end(), [](const auto& side) { return side.empty(); })) return false;
  if (l.is_apart()) return lift_part(l, given), true;
  for (int d = 0; d < D; ++d) lift_along(d, l, given, threads);
  return true;
}

}  // namespace jacobi::sweep
