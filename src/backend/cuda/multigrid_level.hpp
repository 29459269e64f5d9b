/// A grid of multigrid cycles on the device, and a pass over it, as kernels see them.
#pragma once
#include <array>

#include "backend/cuda/device.hpp"
#include "backend/cuda/norms.hpp"
#include "sweep/multigrid/schedule.hpp"

namespace jacobi::cuda {

using sweep::Start;

/// One direction to the next coarser grid: sweep::AxisWeights, table after table.
template <class T>
struct DeviceAxis {
  int coarsened, shift;
  int n;                     ///< coarse unknowns
  int pairs;                 ///< entries of one table of upper and cubic
  const T *weights, *upper;  ///< [4][n], [2][pairs]
  const T* cubic;            ///< [2][4][pairs]
};

/// Arrays without ghosts: what lies beyond a side is looked up when it is read.
template <class T, int D>
struct DeviceLevel {
  int n[D];
  bool wraps[D];
  bool has_holes;    ///< as GridLevel's
  int source[D][2];  ///< unknown that is read beyond a side, or -1: 0 is
  Index stride[D];
  T c[D];                ///< where constant: coupling over the diagonal
  T scale;               ///< where constant: this diagonal over that of the next coarser grid
  const T* arms[2 * D];  ///< where variable
  const T *diagonals, *inverses;
  T* g;
  DeviceAxis<T> axis[D];
};

/// Unknowns of a tile, sweeps that a pass makes at once, and whether the residual has a pass of its own: in
/// 3D what a tile makes twice beside its neighbours would be more than what passes save.
constexpr int tile_extent(int dimensions, int d) {
  if (dimensions == 1) return d == 0 ? 1024 : 1;
  if (dimensions == 2) return d == 0 ? 64 : d == 1 ? 32 : 1;
  return d == 0 ? 32 : 8;
}
constexpr int most_sweeps_of_pass(int dimensions) { return dimensions == 1 ? 8 : dimensions == 2 ? 3 : 1; }
constexpr bool residual_is_apart(int dimensions) { return dimensions == 3; }

/// A pass by tiles: start, sweeps, residual. Pointers are those of x where it is read and written.
template <class T, int D>
struct DevicePass {
  DeviceLevel<T, D> fine, coarse;
  Start start;
  int first, sweeps;               ///< steps
  int restricts, nested, natural;  ///< natural: the residual times the diagonal
  const T *x, *coarse_x;
  T* out;                        ///< none: x stays as it is
  Partial *updates, *residuals;  ///< one part per tile, where measured
  int tiles[3];
  int low[3], high[3];  ///< unknowns beside a tile whose residuals its coarse points take

  constexpr int has_residual() const { return restricts || residuals ? 1 : 0; }
  /// Unknowns beside a tile that stage t, after t sweeps, is made of.
  constexpr int below(int d, int t) const { return d < D ? low[d] + has_residual() + sweeps - t : 0; }
  constexpr int above(int d, int t) const { return d < D ? high[d] + has_residual() + sweeps - t : 0; }
  constexpr int width(int d) const { return tile_extent(D, d) + below(d, 0) + above(d, 0); }
  constexpr Index count_tiles() const { return static_cast<Index>(tiles[0]) * tiles[1] * tiles[2]; }
  /// Of the two arrays that stages alternate between.
  constexpr Index entries() const { return 2 * static_cast<Index>(width(0)) * width(1) * width(2); }
};

/// Room before the arrays: norms, and of the kernel that makes many passes the pass at hand.
template <class T, int D>
constexpr Index head_bytes(bool many) {
  return bytes_of_sum + (many ? (static_cast<Index>(sizeof(DevicePass<T, D>)) + 15) / 16 * 16 : 0);
}

}  // namespace jacobi::cuda
