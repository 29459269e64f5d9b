/// Where the unknowns of a grid lie in memory.
#pragma once
#include <algorithm>

#include "jacobi/grid.hpp"
#include "sweep/arrays.hpp"
#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

inline constexpr Index longest_piece = 8192;  ///< of the rungs that sweep whole lines

/// Entries from one line to the next. Lines that lie whole pages apart share few sets of the caches, and in
/// huge pages nothing else scatters them: half a page and 64 bytes more than whole pages spreads the lines of
/// a tile over all of L2. Short lines, which this would lengthen by more than an eighth, only avoid multiples
/// of 1 KB.
template <class T>
Index spread(Index pitch) {
  constexpr Index size = sizeof(T), lanes = alignment / size;
  Index wider = pitch;
  while (wider * size % 4096 != 2048 + alignment) wider += lanes;
  if (wider - pitch <= pitch / 8) return wider;
  return pitch * size % 1024 == 0 ? pitch + lanes : pitch;
}

/// Entries from one plane to the next, from their bare size: planes whole pages apart, as of 256 points per
/// side, put what a kernel reads of them at once in one set of L1, and thrash it. 192 bytes more than
/// multiples of 1 KB keeps them apart (docs/performance.md), and costs less than 1 KB per plane.
template <class T>
Index spread_plane(Index plane) {
  constexpr Index size = sizeof(T), lanes = alignment / size;
  while (plane * size % 1024 != 192) plane += lanes;
  return plane;
}

/// Sizes of the padded arrays: lines start aligned and spread over the caches, and a vector read past the end
/// of the last line stays inside. A chequerboard is two such arrays, one behind the other: lines of the red
/// points alone, then of the black ones. What is swept in place (w.in_place) has a line and a plane before it
/// for every level but the last.
template <class T, int D>
void lay_out(Workspace<T, D>& w, const Grid<T, D>& grid, bool red_black = false) {
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  w.n = grid.unknowns;
  w.stride[0] = 1;
  const Index longest = red_black ? w.n[0] / 2 + 1 : w.n[0];
  Index pitch = (lanes + longest + 1 + lanes - 1) / lanes * lanes;
  if (D > 1) pitch = spread<T>(pitch);
  Index size = pitch;
  const Index lower = std::max<Index>(0, w.in_place - 1);
  for (int d = 1; d < D; ++d) {
    w.stride[d] = size;
    size *= w.n[d] + 2 + lower;
    if (D == 3 && d == 1) size = spread_plane<T>(size);
  }
  w.leading = lanes;
  for (int d = 1; d < D; ++d) w.leading += (1 + lower) * w.stride[d];
  w.padded = size + 2 * lanes;
  if (red_black) {
    constexpr Index page = 4096 / sizeof(T);
    w.half = (w.padded + page - 1) / page * page + 17 * lanes;  // apart, as arrays are
    w.padded += w.half;
  }
  w.pieces_per_line = (w.n[0] + w.piece_length - 1) / w.piece_length;
  w.pieces = grid.rows() / w.n[0] * w.pieces_per_line;
}

}  // namespace jacobi::sweep
