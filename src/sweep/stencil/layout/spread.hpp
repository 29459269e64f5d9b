/// How long pieces of lines are, and how lines and planes are spread over the caches.
#pragma once
#include "jacobi/types.hpp"
#include "sweep/arrays.hpp"

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
/// multiples of 1 KB keeps them apart (docs/lab/2026-11-28-tried-on-grids.md), and costs less than 1 KB per
/// plane.
template <class T>
Index spread_plane(Index plane) {
  constexpr Index size = sizeof(T), lanes = alignment / size;
  while (plane * size % 1024 != 192) plane += lanes;
  return plane;
}

}  // namespace jacobi::sweep
