/// Tiles of a 2D grid in the registers and the shared memory of a block: many sweeps per visit to memory, or
/// none at all where the tiles of all blocks hold the grid.
///
/// A tile is 128 x 96 unknowns: 16 warps of 6 rows, 4 columns per lane. x lies in registers, g in shared
/// memory. Neighbours along x come by shuffles, along y within a warp from its own registers, between warps
/// through shared memory, two buffers in turn and one barrier per sweep. `depth` unknowns of each side are
/// halo: after s sweeps those s from the edge are wrong, so that after `depth` sweeps just the owned ones are
/// right (tiling.hpp: overlap >= k - 1, and one more for the frozen ring, which is part of the tile here).
/// What lies outside the grid is frozen.
#pragma once
#include "backend/cuda/grid.hpp"

namespace jacobi::cuda {

struct TileShape {
  static constexpr int warps = 16, rows = 6, columns = 4;
  static constexpr int threads = warps * lanes_of_warp;
  static constexpr int wide = columns * lanes_of_warp, high = warps * rows;
  /// What lies beside x, and the first and last row of every warp, twice; with the iterate before once.
  template <class T, Beside B = Beside::g>
  static constexpr Index shared_bytes() {
    constexpr int buffers = B == Beside::g_and_former ? 1 : 2;
    return (arrays_of(B) * wide * high + buffers * 2 * warps * wide) * Index{sizeof(T)};
  }
};

/// Where a tile lies: its corner, halo included, in the grid.
struct TilePlace {
  int x, y, depth;

  JACOBI_HOST_DEVICE static Index owned_wide(int depth) { return TileShape::wide - 2 * depth; }
  JACOBI_HOST_DEVICE static Index owned_high(int depth) { return TileShape::high - 2 * depth; }
};

/// A thread's share of a tile. With the iterate before there is room for one buffer between warps only, hence
/// two barriers per sweep.
template <class T, Beside B>
class Tile {
 public:
  static constexpr int R = TileShape::rows, C = TileShape::columns,
                       points = TileShape::wide * TileShape::high;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former;

  JACOBI_DEVICE Tile(const DeviceGrid<T, 2>& w, const TilePlace& place)
      : w_(w),
        place_(place),
        g_(shared_memory<T>()),
        edges_(g_ + arrays_of(B) * points),
        one_g_(OneG ? w.g[0] : T(0)) {}

  JACOBI_DEVICE static int lane() { return static_cast<int>(thread().x) % lanes_of_warp; }
  JACOBI_DEVICE static int warp() { return static_cast<int>(thread().x) / lanes_of_warp; }
  /// Whether all of the tile lies in the grid: nothing is frozen then. The same for all threads.
  JACOBI_DEVICE bool is_inner() const {
    return place_.x >= 0 && place_.y >= 0 && place_.x + TileShape::wide <= w_.n[0] &&
           place_.y + TileShape::high <= w_.n[1];
  }

  JACOBI_DEVICE void load(const Iterates<T>& u) {
    visit([&](int r, int c, const Spot& at) {
      x_[r][c] = at.exists ? u.newest[at.offset] : T(0);
      if constexpr (!OneG) g_[slot(r, c)] = at.inside ? w_.g[at.offset] : T(0);
      if constexpr (Three) former(r, c) = at.inside ? u.before[at.offset] : T(0);
    });
  }
  /// The unknowns at least `from` and less than `to` from the edge, where they lie in the grid.
  JACOBI_DEVICE void store(const Iterates<T>& out, int from, int to) const {
    const auto is_asked_for = [&](const Spot& at) {
      return at.from_edge >= from && at.from_edge < to && at.inside;
    };
    visit([&](int r, int c, const Spot& at) {
      if (is_asked_for(at)) out.newest[at.offset] = x_[r][c];
    });
    if constexpr (Three)  // one after the other, for want of registers
      visit([&](int r, int c, const Spot& at) {
        if (is_asked_for(at)) out.before[at.offset] = former(r, c);
      });
  }
  /// The halo, as other blocks have stored it.
  JACOBI_DEVICE void load_halo(const Iterates<T>& u) {
    visit([&](int r, int c, const Spot& at) {
      if (at.from_edge < place_.depth && at.inside) x_[r][c] = load_far(u.newest + at.offset);
    });
    if constexpr (Three)
      visit([&](int r, int c, const Spot& at) {
        if (at.from_edge < place_.depth && at.inside) former(r, c) = load_far(u.before + at.offset);
      });
  }

  /// Sweep number t of all; a barrier, or two.
  template <Kind K>
  JACOBI_DEVICE void sweep(const Step& step, Index t) {
    if constexpr (Three) barrier();  // the neighbours have read what is overwritten now
    T* const edges = edges_ + (Three ? 0 : t % 2 * (2 * TileShape::warps * TileShape::wide));
#pragma unroll
    for (int c = 0; c < C; ++c) {
      edges[edge(warp(), 0, c)] = x_[0][c];
      edges[edge(warp(), 1, c)] = x_[R - 1][c];
    }
    barrier();
    if (is_inner())
      sweep_rows<K, true>(edges, step);
    else
      sweep_rows<K, false>(edges, step);
  }

 private:
  JACOBI_DEVICE static int min_of(int a, int b) { return a < b ? a : b; }
  JACOBI_DEVICE bool in_grid(int x, int y, int ghosts) const {
    return static_cast<unsigned>(x + ghosts) < static_cast<unsigned>(w_.n[0]) + 2 * ghosts &&
           static_cast<unsigned>(y + ghosts) < static_cast<unsigned>(w_.n[1]) + 2 * ghosts;
  }

  /// An unknown of the tile: where it lies in memory, how far from the nearest edge, whether in the grid or,
  /// with its ghosts, beside it.
  struct Spot {
    Index offset;
    int from_edge;
    bool inside, exists;
  };
  /// visit(r, c, spot) for all of this thread. Opaque: computed anew every time, for want of registers.
  template <class Visit>
  JACOBI_DEVICE void visit(Visit&& visit) const {
    const int i = opaque(lane() * C), j = opaque(warp() * R);
    const int x = place_.x + i, y = place_.y + j;
    Index offset = x + y * w_.stride[1];
#pragma unroll
    for (int r = 0; r < R; ++r, offset += w_.stride[1]) {
      const int to_y = min_of(j + r, TileShape::high - 1 - j - r);
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const int to_x = min_of(i + c, TileShape::wide - 1 - i - c);
        visit(r, c, Spot{offset + c, min_of(to_x, to_y), in_grid(x + c, y + r, 0), in_grid(x + c, y + r, 1)});
      }
    }
  }
  /// Columns of a lane lie a warp apart: lanes read side by side.
  JACOBI_DEVICE static int slot(int r, int c) { return ((warp() * R + r) * C + c) * lanes_of_warp + lane(); }
  JACOBI_DEVICE static int edge(int warp, int last, int c) {
    return ((warp * 2 + last) * C + c) * lanes_of_warp + lane();
  }

  JACOBI_DEVICE T& former(int r, int c) const { return g_[points + slot(r, c)]; }

  template <Kind K, bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, const Step& step) {
    if constexpr (Three)
      if (step.rho != 1) return sweep_rows<K, StepKind::three_term, Inner>(edges, step);
    if (step.omega == 1)
      sweep_rows<K, StepKind::plain, Inner>(edges, step);
    else
      sweep_rows<K, StepKind::weighted, Inner>(edges, step);
  }
  template <Kind K, StepKind S, bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, const Step& step) {
    const int below = warp() > 0 ? edge(warp() - 1, 1, 0) : edge(0, 0, 0);
    const int above = warp() + 1 < TileShape::warps ? edge(warp() + 1, 0, 0) : edge(warp(), 1, 0);
    const int x = place_.x + lane() * C, y = place_.y + warp() * R;
    T south[C];
#pragma unroll
    for (int c = 0; c < C; ++c) south[c] = edges[below + c * lanes_of_warp];
#pragma unroll
    for (int r = 0; r < R; ++r) {
      T west = shuffle_up(x_[r][C - 1], 1);
      const T east_of_all = shuffle_down(x_[r][0], 1);
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const T old = x_[r][c], east = c + 1 < C ? x_[r][(c + 1) % C] : east_of_all;
        const T north = r + 1 < R ? x_[(r + 1) % R][c] : edges[above + c * lanes_of_warp];
        const T from_south = south[c];
        const auto at = [&](int k) { return k == 0 ? west : k == 1 ? east : k == 2 ? from_south : north; };
        const auto coefficient = [&](int k) { return w_.c[k]; };
        const T value = stepped<K, S, 2>(
            at, coefficient, OneG ? one_g_ : g_[slot(r, c)], old, [&] { return former(r, c); }, step);
        if constexpr (Three) former(r, c) = old;
        if (Inner || in_grid(x + c, y + r, 0)) x_[r][c] = value;
        west = south[c] = old;
      }
    }
  }

  const DeviceGrid<T, 2>& w_;
  const TilePlace place_;
  T* const g_;
  T* const edges_;
  const T one_g_;
  T x_[R][C];
};

}  // namespace jacobi::cuda
