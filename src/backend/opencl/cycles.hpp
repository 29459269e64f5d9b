/// Cycles of tiles: a group gathers a tile into local memory, sweeps it and scatters what it owns.
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "backend/device/cycle_plan.hpp"
#include "backend/opencl/grid.hpp"

namespace jacobi::opencl {

/// Of kernels/tile.cl.
struct TileWords {
  std::int64_t extent[3] = {1, 1, 1}, overlap[3] = {0, 0, 0}, tiles[3] = {1, 1, 1};
  std::int64_t stride[3] = {1, 0, 0}, leading = 0, entries = 1;
  std::int64_t ghosts[3] = {0, 0, 0}, wrap[3] = {0, 0, 0};
};

/// A tiling of a grid, and how many unknowns of the other side the first and the last tile have in a periodic
/// direction of several tiles.
struct TilePlan : device::CyclePlan {
  std::array<Index, 3> wrap = {};
  Index tiles = 1;
};

/// Bytes that the arrays of a tile may take.
Index local_memory_of_tiles(const Device& device);

/// Where tiles lie in their small arrays.
template <class T, int D>
TileWords tile_words(const TilePlan& plan, const BoundGrid<T, D>& grid);

/// Items of a group that sweeps a tile. asked: zeros: chosen.
std::array<Index, 2> items_of_tiles(const Properties& p, int dimensions, const std::array<Index, 3>& asked);

/// Weights of a call, as the device has them: omega, and rho where there are two of each.
template <class T, int Each>
class StepList {
 public:
  void write(const Queue& queue, std::span<const Step> steps) {
    std::vector<T> weights;
    for (const Step& step : steps) {
      weights.push_back(static_cast<T>(step.omega));
      if (Each == 2) weights.push_back(static_cast<T>(step.rho));
    }
    if (weights.size() <= there_.size() && std::equal(weights.begin(), weights.end(), there_.begin())) return;
    const Index size = static_cast<Index>(weights.size());
    if (size > at_.size()) at_ = Buffer<T>(queue, std::max<Index>(256, 2 * size), "weights");
    at_.write(weights);
    there_ = std::move(weights);
  }
  const Buffer<T>& operator*() const { return at_; }

 private:
  std::vector<T> there_;
  Buffer<T> at_;
};

template <class T, int D>
class TileCycles {
 public:
  /// items: of a group; zeros: chosen. Throws: BackendError where a tile is larger than the local memory.
  TileCycles(BoundGrid<T, D>& grid, const TilePlan& plan, const std::array<Index, 3>& items);

  /// Plain and weighted steps, as many at a time as a cycle has, then what is left.
  /// measured: the last one makes the parts of its update's norm.
  void make(std::span<const Step> steps, bool measured);
  /// Of the last sweep inside each tile, of the last cycle, which is made again where it was not measured.
  Norms update();

 private:
  void cycle(Index first, Index count, bool measured);
  Index cycle_again();

  BoundGrid<T, D>& grid_;
  Index sweeps_;
  Range range_;
  Index local_;
  Buffer<TileWords> tiles_;
  StepList<T, 1> steps_;
  NormSum norms_;
  Kernel cycle_;
  Index last_first_ = 0, last_count_ = 0;
  bool measured_ = false;
};

/// The largest tiles of which a group's 32 KiB hold the arrays, and the sweeps of a visit: exact. blocking:
/// another extent, or number of sweeps. Throws: UsageError for a tiling that cannot be.
template <class T, int D>
TilePlan plan_exact_tiles(const Stencil<T, D>& a, const BoundGrid<T, D>& grid, const Blocking& blocking);

/// Of a plan with a tiling. seen: the grid, longer by twice `wrap`. Throws: as on the host.
template <class T, int D>
TilePlan plan_tiles(const Grid<T, D>& seen, const Plan& plan, sweep::Kind kind,
                    const std::array<Index, 3>& wrap = {});

/// With Dirichlet sides in their place: what tiles do about them the host's geometry does not know.
template <class T, int D>
Grid<T, D> without_periodic_sides(Grid<T, D> grid);

}  // namespace jacobi::opencl
