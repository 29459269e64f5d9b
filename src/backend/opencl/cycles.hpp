/// Cycles of tiles: a group gathers a tile into local memory, sweeps it and scatters what it owns.
#pragma once
#include <vector>

#include "backend/device/cycle_plan.hpp"
#include "backend/opencl/grid.hpp"

namespace jacobi::opencl {

/// Of kernels/cycle.cl.
struct TileWords {
  std::int64_t extent[3] = {1, 1, 1}, overlap[3] = {0, 0, 0}, tiles[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 0, 0}, leading = 0, entries = 1;
};

template <class T, int D>
class TileCycles {
 public:
  /// items: of a group; zeros: chosen. Throws: BackendError where a tile is larger than the local memory.
  TileCycles(BoundGrid<T, D>& grid, const device::CyclePlan& plan, const std::array<Index, 3>& items);

  /// Plain and weighted steps, as many at a time as a cycle has, then what is left.
  void make(std::span<const Step> steps);
  /// Of the last sweep inside each tile, of the last cycle.
  Norms update();

 private:
  void cycle(Index first, Index count);

  BoundGrid<T, D>& grid_;
  Index sweeps_;
  Range range_;
  Index local_;
  Buffer<TileWords> tiles_;
  std::vector<T> there_;  ///< weights, as the device has them
  Buffer<T> omegas_;
  NormSum norms_;
  Kernel cycle_;
  Index last_first_ = 0, last_count_ = 0;
};

/// The largest tiles of which a group's 32 KiB hold the arrays, and the sweeps of a visit: exact. blocking:
/// another extent, or number of sweeps.
template <class T, int D>
Tiling exact_tiling(const BoundGrid<T, D>& grid, const Blocking& blocking);

}  // namespace jacobi::opencl
