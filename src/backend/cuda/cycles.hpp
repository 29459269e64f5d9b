/// Cycles of a plan's tiling on a device: every block gathers a tile into its shared memory, sweeps it and
/// scatters what it owns, by the body that the host runs as well (cycle.hpp).
#pragma once
#include "backend/cuda/bound.hpp"
#include "sweep/stencil/hierarchical/cycle.hpp"

namespace jacobi::cuda {

/// The threads of a block; lines lie along x.
struct BlockTeam {
  static JACOBI_DEVICE Index line() { return static_cast<Index>(thread().y); }
  static JACOBI_DEVICE Index lines() { return static_cast<Index>(threads().y); }
  static JACOBI_DEVICE Index point() { return static_cast<Index>(thread().x); }
  static JACOBI_DEVICE Index points() { return static_cast<Index>(threads().x); }
  static JACOBI_DEVICE void wait() { barrier(); }
};

/// Small arrays of a tile, one after the other; `entries` in each.
template <int D>
struct TileLayout {
  std::array<Index, D> stride;
  Index entries, leading;

  explicit TileLayout(const Tiling& tiling) : entries(1), leading(0) {
    for (int d = 0; d < D; ++d) {
      stride[d] = entries;
      leading += entries;
      entries *= tiling.extent[d] + 2;
    }
  }
  template <Kind K, class T>
  JACOBI_DEVICE sweep::TileMemory<T, D> memory(T* at) const {
    sweep::TileMemory<T, D> tile{
        stride, at + leading, at + leading + entries, at + leading + 2 * entries, {}};
    for (int k = 0; k < 2 * D; ++k) tile.c[k] = K == Kind::variable ? tile.g + (k + 1) * entries : nullptr;
    return tile;
  }
};

/// The part of the last update's norm that the tile owns.
template <class T, int D>
JACOBI_DEVICE Partial owned_update(const sweep::Region<T, D>& tile, const sweep::Place<D>& place, const T* u,
                                   const T* v) {
  Partial sum;
  std::array<Index, D> n;
  Index first = 0;
  for (int d = 0; d < D; ++d) {
    n[d] = place.owned[d].count();
    first += (place.owned[d].first - place.updated[d].first) * tile.stride[d];
  }
  const BlockTeam team;
  const Index lines = sweep::HWY_NAMESPACE::lines_of<D>(n);
  for (Index line = team.line(); line < lines; line += team.lines()) {
    const Index p = first + sweep::HWY_NAMESPACE::line_start<D>(n, tile.stride, line);
    for (Index i = team.point(); i < n[0]; i += team.points())
      sum += part_of(static_cast<double>(u[p + i] - v[p + i]));
  }
  return sum;
}

/// One cycle of the tile whose number is the block's, x to out. shared: bytes_of_sum and the tile's arrays.
// registers <= 64
// gfx90a: registers <= 120
template <Kind K, class T, int D>
JACOBI_KERNEL_OF(1024, 1)
cycle_tiles(sweep::Region<T, D> region, Tiling tiling, TileLayout<D> layout, const T* x, T* out,
            const Step* steps, Index count, Partial* parts) {
  namespace body = sweep::HWY_NAMESPACE;
  const sweep::Place<D> place = sweep::place_of<D>(tiling, region.n, number_of_block());
  Partial* const scratch = shared_memory<Partial>();
  const sweep::TileMemory<T, D> memory = layout.template memory<K>(
      reinterpret_cast<T*>(scratch + bytes_of_sum / static_cast<Index>(sizeof(Partial))));
  const BlockTeam team;
  const sweep::Region<T, D> tile = body::gather<K>(team, region, place, x, memory);
  T *u = memory.u, *v = memory.v;
  body::sweep_steps<K, Number<T>>(team, tile, steps, count, u, v);
  body::scatter(team, tile, u, place, region, out);
  if (parts) write_part(owned_update(tile, place, u, v), scratch, parts);
}

/// Ghosts that mirror an unknown, after a cycle.
// registers <= 64
// gfx90a: registers <= 16
template <class T, int D>
JACOBI_KERNEL_OF(256, 1)
renew_all_ghosts(DeviceGrid<T, D> w, T* u) {
  for_each_point(w, [&](const Point<D>& p) { renew_ghosts(w, p, u, u[p.offset]); });
}

}  // namespace jacobi::cuda
