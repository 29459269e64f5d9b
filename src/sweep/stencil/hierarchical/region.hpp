/// What tiles are cut from, where they lie and what holds them, on host and device.
#pragma once
#include <array>

#include "jacobi/tiling.hpp"
#include "sweep/stencil/order/sources.hpp"

namespace jacobi::sweep {

/// The padded arrays of a grid, or of one of its tiles.
template <class T, int D>
struct Region : Sources<T, D> {
  std::array<Index, D> n;  ///< unknowns
  bool mirrored[D][2];     ///< sides whose ghosts mirror the first unknown inside (Neumann); others stay
};

/// A tile's unknowns in the region that it is cut from.
template <int D>
struct Place {
  Extent updated[D], owned[D];
};

/// Of tile number s, x fastest.
template <int D>
JACOBI_HOST_DEVICE inline Place<D> place_of(const Tiling& tiling, const std::array<Index, D>& n, Index s) {
  Place<D> place;
  for (int d = 0; d < D; ++d) {
    const Cut cut = tiling.cut(d, n[d]);
    const Index tiles = cut.tiles();
    place.updated[d] = cut.updated(s % tiles);
    place.owned[d] = cut.owned(s % tiles);
    s /= tiles;
  }
  return place;
}

/// Small arrays for one tile, padded like those of a grid; pointers lead to its first unknown.
template <class T, int D>
struct TileMemory {
  std::array<Index, D> stride;
  T *u, *v, *g;
  T* c[2 * D];  ///< where coefficients vary
};

}  // namespace jacobi::sweep
