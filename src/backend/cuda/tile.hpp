/// Tiles of a 2D grid in the registers of a block: many sweeps per visit to memory, or none at all where the
/// tiles of all blocks hold the grid.
///
/// A tile is 128 x 96 unknowns: 8 warps of 12 rows, 4 columns per lane. x and g lie in registers. Neighbours
/// along x come by shuffles, along y within a warp from its own registers, between warps through shared
/// memory, two buffers in turn and one barrier per sweep. `depth` unknowns of each side are halo: after s
/// sweeps those s from the edge are wrong, so that after `depth` sweeps just the owned ones are right
/// (tiling.hpp: overlap >= k - 1, and one more for the frozen ring, which is part of the tile here). Along x
/// the halo is of whole lanes, so that a lane's columns are one or two aligned 16-byte words of memory. What
/// lies outside the grid is frozen.
#pragma once
#include "backend/cuda/grid.hpp"

namespace jacobi::cuda {

#ifndef JACOBI_TILE_WARPS
#define JACOBI_TILE_WARPS 8
#endif

struct TileShape {
  static constexpr int warps = JACOBI_TILE_WARPS, rows = 96 / JACOBI_TILE_WARPS, columns = 4;
  static constexpr int threads = warps * lanes_of_warp;
  static constexpr int wide = columns * lanes_of_warp, high = warps * rows;
  /// Blocks that a multiprocessor has registers for.
  template <class T>
  static constexpr int resident = sizeof(T) == 8 ? 1 : 2;
  /// g and the iterate before x, where that is kept, and the first and last row of every warp, twice.
  template <class T, Beside B = Beside::g>
  static constexpr Index shared_bytes() {
    return ((B == Beside::g_and_former ? 2 * wide * high : 0) + 2 * 2 * warps * wide) * Index{sizeof(T)};
  }
};

/// Where a tile lies: its corner, halo included, in the grid.
struct TilePlace {
  int x, y, depth;

  JACOBI_HOST_DEVICE static constexpr int halo_wide(int depth) {
    return (depth + TileShape::columns - 1) / TileShape::columns * TileShape::columns;
  }
  JACOBI_HOST_DEVICE static int owned_wide(int depth) { return TileShape::wide - 2 * halo_wide(depth); }
  JACOBI_HOST_DEVICE static int owned_high(int depth) { return TileShape::high - 2 * depth; }
};

/// A thread's share of a tile.
template <class T, Beside B>
class Tile {
 public:
  static constexpr int R = TileShape::rows, C = TileShape::columns,
                       points = TileShape::wide * TileShape::high;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former;

  JACOBI_DEVICE Tile(const DeviceGrid<T, 2>& w, const TilePlace& place)
      : w_(w),
        place_(place),
        warp_(shuffle(static_cast<int>(thread().x) / lanes_of_warp, 0)),
        beside_(shared_memory<T>()),
        edges_(beside_ + (Three ? 2 * points : 0)),
        one_g_(OneG ? w.g[0] : T(0)),
        inner_(place.x >= 0 && place.y >= 0 && place.x + TileShape::wide <= w.n[0] &&
               place.y + TileShape::high <= w.n[1]),
        inside_(columns_in_grid(0)) {
    for (int r = 0; r < R; ++r)
      if (row_in_grid(warp() * R + r, 0)) rows_inside_ |= 1U << r;
  }

  JACOBI_DEVICE void load(const Iterates<T>& u) {
    in_words_or_one_by_one([&](auto inner) {
      const unsigned exist = columns_in_grid(1);
      for_each_row([&](int r, Index at, int row) {
        const unsigned inside = row_in_grid(row, 0) ? inside_ : 0;
        read<inner()>(u.newest + at, row_in_grid(row, 1) ? exist : 0, [&](int c) -> T& { return x_[r][c]; });
        if constexpr (!OneG) read<inner()>(w_.g + at, inside, [&](int c) -> T& { return g(r, c); });
        if constexpr (Three) read<inner()>(u.before + at, inside, [&](int c) -> T& { return former(r, c); });
      });
    });
  }
  /// The unknowns that it owns, or of those the strip that lies in the halo of other tiles.
  JACOBI_DEVICE void store(const Iterates<T>& out, bool just_strip) const {
    const int halo = TilePlace::halo_wide(place_.depth), to_x = to_edge(column(), TileShape::wide - C);
    in_words_or_one_by_one([&](auto inner) {
      for_each_row([&](int r, Index at, int row) {
        const int to_y = to_edge(row, TileShape::high - 1);
        const bool in_strip = to_x < 2 * halo || to_y < 2 * place_.depth;
        if (to_x < halo || to_y < place_.depth || (just_strip && !in_strip) || !row_in_grid(row, 0)) return;
        write<inner()>(out.newest + at, [&](int c) { return x_[r][c]; });
        if constexpr (Three) write<inner()>(out.before + at, [&](int c) { return former(r, c); });
      });
    });
  }
  /// The halo, as other blocks have stored it.
  JACOBI_DEVICE void load_halo(const Iterates<T>& u) {
    const bool beside = to_edge(column(), TileShape::wide - C) < TilePlace::halo_wide(place_.depth);
    in_words_or_one_by_one([&](auto inner) {
      for_each_row([&](int r, Index at, int row) {
        if (!beside && to_edge(row, TileShape::high - 1) >= place_.depth) return;
        if (!row_in_grid(row, 0)) return;
        read_far<inner()>(u.newest + at, [&](int c) -> T& { return x_[r][c]; });
        if constexpr (Three) read_far<inner()>(u.before + at, [&](int c) -> T& { return former(r, c); });
      });
    });
  }

  /// Sweep number t of all, by its step; `plain`: all of them are. A barrier.
  template <Kind K>
  JACOBI_DEVICE void sweep(bool plain, const Step* steps, Index t) {
    const Step step = plain ? Step{} : steps[t];
    T* const edges = edges_ + t % 2 * (2 * TileShape::warps * TileShape::wide);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      edges[edge(warp(), 0, c)] = x_[0][c];
      edges[edge(warp(), 1, c)] = x_[R - 1][c];
    }
    meet_neighbours();
    if (inner_)
      sweep_rows<K, true>(edges, plain, step);
    else
      sweep_rows<K, false>(edges, plain, step);
  }

 private:
  struct alignas(16) Word {
    T values[16 / sizeof(T)];
  };
  static constexpr int per_word = 16 / sizeof(T);

  JACOBI_DEVICE static int lane() { return static_cast<int>(thread().x) % lanes_of_warp; }
  JACOBI_DEVICE int warp() const { return warp_; }
  JACOBI_DEVICE static int column() { return lane() * C; }
  JACOBI_DEVICE static int to_edge(int i, int last) { return i < last - i ? i : last - i; }
  JACOBI_DEVICE bool row_in_grid(int row, int ghosts) const {
    return static_cast<unsigned>(place_.y + row + ghosts) < static_cast<unsigned>(w_.n[1]) + 2 * ghosts;
  }
  /// A bit for each column of this lane that lies in the grid or, with ghosts, beside it.
  JACOBI_DEVICE unsigned columns_in_grid(int ghosts) const {
    unsigned bits = 0;
    for (int c = 0; c < C; ++c)
      if (static_cast<unsigned>(place_.x + column() + c + ghosts) <
          static_cast<unsigned>(w_.n[0]) + 2 * ghosts)
        bits |= 1U << c;
    return bits;
  }

  /// visit(r, offset of the first column in memory, row of the tile). Opaque: computed anew every time, for
  /// want of registers.
  template <class Visit>
  JACOBI_DEVICE void for_each_row(Visit&& visit) const {
    const int j = opaque(warp() * R);
    Index at = place_.x + opaque(column()) + (place_.y + j) * w_.stride[1];
#pragma unroll
    for (int r = 0; r < R; ++r, at += w_.stride[1]) visit(r, at, j + r);
  }
  /// visit(std::true_type) where all of the tile lies in the grid, else std::false_type.
  template <class Visit>
  JACOBI_DEVICE void in_words_or_one_by_one(Visit&& visit) const {
    inner_ ? visit(std::true_type()) : visit(std::false_type());
  }
  /// The columns whose bits are set, and zeros.
  template <bool Inner, class To>
  JACOBI_DEVICE static void read(const T* from, unsigned bits, To&& to) {
    if constexpr (Inner)
      read_words(from, to, [](const Word* at) { return *at; });
    else
#pragma unroll
      for (int c = 0; c < C; ++c) to(c) = bits >> c & 1 ? from[c] : T(0);
  }
  /// The columns in the grid, as other blocks have just written them.
  template <bool Inner, class To>
  JACOBI_DEVICE void read_far(const T* from, To&& to) const {
    if constexpr (Inner)
      read_words(from, to, [](const Word* at) { return load_far(at); });
    else
#pragma unroll
      for (int c = 0; c < C; ++c)
        if (inside_ >> c & 1) to(c) = load_far(from + c);
  }
  template <class To, class Load>
  JACOBI_DEVICE static void read_words(const T* from, To&& to, Load&& load) {
#pragma unroll
    for (int c = 0; c < C; c += per_word) {
      const Word word = load(reinterpret_cast<const Word*>(from + c));
#pragma unroll
      for (int k = 0; k < per_word; ++k) to(c + k) = word.values[k];
    }
  }
  template <bool Inner, class From>
  JACOBI_DEVICE void write(T* to, From&& from) const {
    if constexpr (Inner) {
#pragma unroll
      for (int c = 0; c < C; c += per_word) {
        Word word;
#pragma unroll
        for (int k = 0; k < per_word; ++k) word.values[k] = from(c + k);
        *reinterpret_cast<Word*>(to + c) = word;
      }
    } else {
#pragma unroll
      for (int c = 0; c < C; ++c)
        if (inside_ >> c & 1) to[c] = from(c);
    }
  }

  /// The warps below and above have come here too. Warps of a pair name the same one first.
  JACOBI_DEVICE void meet_neighbours() const {
    for (int turn = 0; turn < 2; ++turn) {
      const int upper = warp() + (warp() % 2 == turn ? 1 : 0);
      if (upper > 0 && upper < TileShape::warps) barrier_of_two_warps(upper);
    }
  }
  /// Columns of a lane lie a warp apart: lanes read side by side.
  JACOBI_DEVICE static int edge(int warp, int last, int c) {
    return ((warp * 2 + last) * C + c) * lanes_of_warp + lane();
  }
  JACOBI_DEVICE int slot(int r, int c) const { return ((warp() * R + r) * C + c) * lanes_of_warp + lane(); }
  JACOBI_DEVICE T& former(int r, int c) const { return beside_[points + slot(r, c)]; }
  JACOBI_DEVICE T& g(int r, int c) {
    if constexpr (Three)
      return beside_[slot(r, c)];
    else
      return OneG ? one_g_ : g_[B == Beside::g ? r : 0][B == Beside::g ? c : 0];
  }

  template <Kind K, bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, bool plain, const Step& step) {
    if constexpr (Three)
      if (!plain && step.rho != 1) return sweep_rows<K, StepKind::three_term, Inner>(edges, step);
    if (plain || step.omega == 1)
      sweep_rows<K, StepKind::plain, Inner>(edges, step);
    else
      sweep_rows<K, StepKind::weighted, Inner>(edges, step);
  }
  template <Kind K, StepKind S, bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, const Step& step) {
    const int below = warp() > 0 ? edge(warp() - 1, 1, 0) : edge(0, 0, 0);
    const int above = warp() + 1 < TileShape::warps ? edge(warp() + 1, 0, 0) : edge(warp(), 1, 0);
    const unsigned columns_in = opaque(inside_), rows_in = opaque(rows_inside_);
    T south[C], west_south[C];
#pragma unroll
    for (int c = 0; c < C; ++c) {
      south[c] = edges[below + c * lanes_of_warp];
    }
    if constexpr (K == Kind::equal) {
      const T west = shuffle_up(x_[0][C - 1], 1);
#pragma unroll
      for (int c = 0; c < C; ++c) west_south[c] = (c > 0 ? x_[0][(c + C - 1) % C] : west) + south[c];
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const unsigned inside = rows_in >> r & 1 ? columns_in : 0;
      const T east_of_all = shuffle_down(x_[r][0], 1);
      const auto east = [&](int c) { return c + 1 < C ? x_[r][(c + 1) % C] : east_of_all; };
      const auto north = [&](int c) {
        return r + 1 < R ? x_[(r + 1) % R][c] : edges[above + c * lanes_of_warp];
      };
      const auto update = [&](int c, T value) {
        const T old = x_[r][c];
        value = stepped_to<S>(
            value, old, [&] { return former(r, c); }, step);
        if constexpr (Three) former(r, c) = old;
        if (Inner || (inside >> c & 1)) x_[r][c] = value;
      };
      if constexpr (K == Kind::equal) {
        T north_east[C];
#pragma unroll
        for (int c = 0; c < C; ++c) north_east[c] = north(c) + east(c);
#pragma unroll
        for (int c = 0; c < C; ++c) update(c, fused(w_.c[0], north_east[c] + west_south[c], g(r, c)));
        // these are west + south of the unknowns above and to the right
        west_south[0] = shuffle_up(north_east[C - 1], 1);
#pragma unroll
        for (int c = 1; c < C; ++c) west_south[c] = north_east[c - 1];
      } else {
        T west = shuffle_up(x_[r][C - 1], 1);
#pragma unroll
        for (int c = 0; c < C; ++c) {
          const T at[4] = {west, east(c), south[c], north(c)};
          west = south[c] = x_[r][c];
          update(c, sweep::HWY_NAMESPACE::combined<K, Number<T>, 2>([&](int k) { return at[k]; },
                                                                    [&](int k) { return w_.c[k]; }, g(r, c)));
        }
      }
    }
  }

  const DeviceGrid<T, 2>& w_;
  const TilePlace place_;
  const int warp_;  ///< by a shuffle, so that the compiler knows it to be the same in all lanes
  T* const beside_;
  T* const edges_;
  T one_g_;
  const bool inner_;
  const unsigned inside_;     ///< columns_in_grid
  unsigned rows_inside_ = 0;  ///< a bit for each row of this warp
  T x_[R][C], g_[B == Beside::g ? R : 1][B == Beside::g ? C : 1];
};

}  // namespace jacobi::cuda
