/// The geometry of the hierarchy: where tiles lie, what they update, what they own. Integers only, on host
/// and device.
#pragma once
#include <array>

#include "jacobi/types.hpp"

#if defined(__CUDACC__) || defined(__HIP__)
#define JACOBI_HOST_DEVICE __host__ __device__
#else
#define JACOBI_HOST_DEVICE
#endif

namespace jacobi {

/// Unknowns first ... last - 1 of one direction.
struct Extent {
  Index first = 0, last = 0;
  JACOBI_HOST_DEVICE constexpr Index count() const { return last - first; }
};

/// One direction of a tiling. Tile j updates `extent` unknowns from j stride() on, the last one what is left;
/// neighbours share 2 overlap of them and each owns the half nearer to itself, the first and the last one up
/// to the sides. What lies beyond the updated unknowns is frozen during the sweeps of a cycle.
/// 2 overlap < extent. Source: Islam and Wang, sections 3.3, 3.5; their overlap o counts what is
/// shared: o = 2 overlap.
struct Cut {
  Index unknowns = 1, extent = 1, overlap = 0;

  JACOBI_HOST_DEVICE constexpr Index stride() const { return extent - 2 * overlap; }
  /// Equation 9 with the ceiling it lacks: ceil((N - o) / (tpb - o)).
  JACOBI_HOST_DEVICE constexpr Index tiles() const {
    return unknowns <= extent ? 1 : (unknowns - 2 * overlap + stride() - 1) / stride();
  }
  JACOBI_HOST_DEVICE constexpr Extent updated(Index j) const {
    const Index first = j * stride();
    return {first, unknowns - first < extent ? unknowns : first + extent};
  }
  JACOBI_HOST_DEVICE constexpr Extent owned(Index j) const {
    const Extent all = updated(j);
    return {j == 0 ? 0 : all.first + overlap, j + 1 == tiles() ? unknowns : all.last - overlap};
  }
  /// Unknowns updated per sweep by all tiles together; those beyond `unknowns` are redundant.
  JACOBI_HOST_DEVICE constexpr Index updates() const {
    const Index last = tiles() - 1;
    return last * extent + updated(last).count();
  }
  /// Whether `sweeps` sweeps per cycle give the owned unknowns the bits of as many plain ones: the value d
  /// unknowns inside a cut is right after t sweeps iff d >= (t - 1) radius (docs/hierarchy.md).
  JACOBI_HOST_DEVICE constexpr bool exact(Index sweeps, Index radius) const {
    return tiles() == 1 || overlap >= (sweeps - 1) * radius;
  }
};

/// A hierarchy of memories in one level: k sweeps of a tile per visit to it. The same for a tile in a cache,
/// a block of a GPU or a node of a cluster.
struct Tiling {
  Index extent[3] = {1, 1,
                     1};    ///< unknowns that a tile updates per direction, x first (the source's threads)
  Index subiterations = 1;  ///< k: sweeps per visit
  Index overlap[3] = {0, 0,
                      0};  ///< per side; two neighbours share twice as many, which is the source's number

  JACOBI_HOST_DEVICE constexpr Cut cut(int d, Index unknowns) const {
    return {unknowns, extent[d], overlap[d]};
  }

  /// Equation 16 with its ceilings.
  template <std::size_t D>
  constexpr Index tiles(const std::array<Index, D>& unknowns) const {
    Index product = 1;
    for (std::size_t d = 0; d < D; ++d) product *= cut(static_cast<int>(d), unknowns[d]).tiles();
    return product;
  }
  /// Equation 17: threads that a GPU keeps busy with them, those of truncated tiles included.
  template <std::size_t D>
  constexpr Index threads(const std::array<Index, D>& unknowns) const {
    Index product = tiles(unknowns);
    for (std::size_t d = 0; d < D; ++d) product *= extent[d];
    return product;
  }
  /// Whether a cycle equals k plain sweeps, bit for bit: in each direction a single tile covers the
  /// grid or overlap >= (k - 1) radius. Else it is the source's scheme, which converges to the same
  /// solution by other iterates.
  template <std::size_t D>
  constexpr bool exact(Index radius, const std::array<Index, D>& unknowns) const {
    for (std::size_t d = 0; d < D; ++d)
      if (!cut(static_cast<int>(d), unknowns[d]).exact(subiterations, radius)) return false;
    return true;
  }
};

/// The tiling of one 1D problem for batch(): the same along the unknowns, `problems` side by side in a tile.
/// Exact as it is for one, since problems do not meet.
constexpr Tiling batch(const Tiling& one, Index problems = 32) {
  return {{problems, one.extent[0], 1}, one.subiterations, {0, one.overlap[0], 0}};
}

}  // namespace jacobi
