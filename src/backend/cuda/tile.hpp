/// Tiles of a 2D grid in the registers of a block: many sweeps per visit to memory, or none at all where the
/// tiles of all blocks hold the grid.
///
/// A tile is 128 x 96 unknowns: 8 warps of 12 rows, 4 columns per lane. x lies in registers, and g too where
/// the order of operations leaves some, else in shared memory. Neighbours along x come by shuffles, along y
/// within a warp from its own registers, between warps through shared memory, two buffers in turn and one
/// barrier per sweep. `depth` unknowns of each side are halo: after s sweeps those s from the edge are wrong,
/// so that after `depth` sweeps just the owned ones are right (tiling.hpp: overlap >= k - 1, and one more for
/// the frozen ring, which is part of the tile here). Along x the halo is of whole lanes, so that a lane's
/// columns are one or two aligned 16-byte words of memory. What lies outside the grid is frozen.
#pragma once
#include "backend/cuda/grid.hpp"

namespace jacobi::cuda {

struct TileShape {
  static constexpr int warps = 8, rows = 12, columns = 4;
  static constexpr int threads = warps * lanes_of_warp;
  static constexpr int wide = columns * lanes_of_warp, high = warps * rows;
  /// Blocks that a multiprocessor has registers for.
  template <class T, Beside B>
  static constexpr int resident = sizeof(T) == 8 || B == Beside::g_and_former ? 1 : 2;
  /// Where the order of operations leaves registers for g.
  template <Beside B, Kind K>
  static constexpr bool g_in_registers = B == Beside::g&& K == Kind::equal;
  /// What lies beside x but not in registers, and the first and last row of every warp, twice.
  template <class T, Beside B = Beside::g, Kind K = Kind::equal>
  static constexpr Index shared_bytes() {
    return ((g_in_registers<B, K> ? 0 : arrays_of(B) * wide * high) + 2 * 2 * warps * wide) *
           Index{sizeof(T)};
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
template <class T, Beside B, Kind K>
class Tile {
 public:
  static constexpr int R = TileShape::rows, C = TileShape::columns,
                       points = TileShape::wide * TileShape::high;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former,
                        InRegisters = TileShape::g_in_registers<B, K>;

  JACOBI_DEVICE Tile(const DeviceGrid<T, 2>& w, const TilePlace& place)
      : w_(w),
        place_(place),
        beside_(shared_memory<T>()),
        edges_(beside_ + (InRegisters ? 0 : arrays_of(B) * points)),
        one_g_(OneG ? w.g[0] : T(0)),
        inner_(place.x >= 0 && place.y >= 0 && place.x + TileShape::wide <= w.n[0] &&
               place.y + TileShape::high <= w.n[1]),
        inside_(columns_in_grid(0)) {
    for (int r = 0; r < R; ++r)
      if (row_in_grid(warp() * R + r, 0)) rows_inside_ |= 1U << r;
  }

  JACOBI_DEVICE void load(const Iterates<T>& u) { inner_ ? load<true>(u) : load<false>(u); }
  /// The unknowns that it owns, or of those the strip that lies in the halo of other tiles.
  JACOBI_DEVICE void store(const Iterates<T>& out, bool just_strip) const {
    const int halo = TilePlace::halo_wide(place_.depth), to_x = to_edge(column(), TileShape::wide - C);
    in_words_or_one_by_one([&](auto in_words) {
      for_each_row([&](int r, Index at, int row) {
        const int to_y = to_edge(row, TileShape::high - 1);
        const bool in_strip = to_x < 2 * halo || to_y < 2 * place_.depth;
        if (to_x < halo || to_y < place_.depth || (just_strip && !in_strip) || is_outside(row)) return;
        write<in_words()>(out.newest + at, [&](int c) { return x_[r][c]; });
        if constexpr (Three) write<in_words()>(out.before + at, [&](int c) { return former(r, c); });
      });
    });
  }
  /// The halo, as other blocks have stored it.
  JACOBI_DEVICE void load_halo(const Iterates<T>& u) {
    const bool beside = to_edge(column(), TileShape::wide - C) < TilePlace::halo_wide(place_.depth);
    in_words_or_one_by_one([&](auto in_words) {
      for_each_row([&](int r, Index at, int row) {
        if ((!beside && to_edge(row, TileShape::high - 1) >= place_.depth) || is_outside(row)) return;
        read_far<in_words()>(u.newest + at, [&](int c) -> T& { return x_[r][c]; });
        if constexpr (Three) read_far<in_words()>(u.before + at, [&](int c) -> T& { return former(r, c); });
      });
    });
  }

  /// Sweep number t of all, by its step; `plain`: all of them are. A barrier.
  JACOBI_DEVICE void sweep(bool plain, const Step* steps, Index t) {
    const Step step = plain ? Step{} : steps[t];
    T* const edges = edges_ + t % 2 * (2 * TileShape::warps * TileShape::wide);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      edges[edge(warp(), 0, c)] = x_[0][c];
      edges[edge(warp(), 1, c)] = x_[R - 1][c];
    }
    barrier();
    if (inner_)
      sweep_rows<true>(edges, plain, step);
    else
      sweep_rows<false>(edges, plain, step);
  }

 private:
  using Word = Sixteen<T>;

  JACOBI_DEVICE static int lane() { return static_cast<int>(thread().x) % lanes_of_warp; }
  JACOBI_DEVICE static int warp() { return static_cast<int>(thread().x) / lanes_of_warp; }
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
  template <bool Inner>
  JACOBI_DEVICE void load(const Iterates<T>& u) {
    const unsigned exist = columns_in_grid(1);
    for_each_row([&](int r, Index at, int row) {
      const unsigned inside = row_in_grid(row, 0) ? inside_ : 0;
      read<Inner>(u.newest + at, row_in_grid(row, 1) ? exist : 0, [&](int c) -> T& { return x_[r][c]; });
      if constexpr (!OneG) read<Inner>(w_.g + at, inside, [&](int c) -> T& { return g(r, c); });
      if constexpr (Three) read<Inner>(u.before + at, inside, [&](int c) -> T& { return former(r, c); });
    });
  }
  JACOBI_DEVICE bool is_outside(int row) const { return inside_ == 0 || !row_in_grid(row, 0); }
  /// visit(std::true_type) where the columns of each lane of the tile lie in the grid or outside together.
  template <class Visit>
  JACOBI_DEVICE void in_words_or_one_by_one(Visit&& visit) const {
    const bool together = w_.n[0] % C == 0 || place_.x + TileShape::wide <= w_.n[0];
    together ? visit(std::true_type()) : visit(std::false_type());
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
  template <bool InWords, class To>
  JACOBI_DEVICE void read_far(const T* from, To&& to) const {
    if constexpr (InWords)
      read_words(from, to, [](const Word* at) { return load_far(at); });
    else
#pragma unroll
      for (int c = 0; c < C; ++c)
        if (inside_ >> c & 1) to(c) = load_far(from + c);
  }
  template <class To, class Load>
  JACOBI_DEVICE static void read_words(const T* from, To&& to, Load&& load) {
#pragma unroll
    for (int c = 0; c < C; c += Word::size) {
      const Word word = load(reinterpret_cast<const Word*>(from + c));
#pragma unroll
      for (int k = 0; k < Word::size; ++k) to(c + k) = word.at[k];
    }
  }
  template <bool InWords, class From>
  JACOBI_DEVICE void write(T* to, From&& from) const {
    if constexpr (InWords) {
#pragma unroll
      for (int c = 0; c < C; c += Word::size) {
        Word word;
#pragma unroll
        for (int k = 0; k < Word::size; ++k) word.at[k] = from(c + k);
        store_together(reinterpret_cast<Word*>(to + c), word);
      }
    } else {
#pragma unroll
      for (int c = 0; c < C; ++c)
        if (inside_ >> c & 1) to[c] = from(c);
    }
  }

  /// Columns of a lane lie a warp apart: lanes read side by side.
  JACOBI_DEVICE static int edge(int warp, int last, int c) {
    return ((warp * 2 + last) * C + c) * lanes_of_warp + lane();
  }
  JACOBI_DEVICE static int slot(int r, int c) { return ((warp() * R + r) * C + c) * lanes_of_warp + lane(); }
  JACOBI_DEVICE T& former(int r, int c) const { return beside_[points + slot(r, c)]; }
  JACOBI_DEVICE T& g(int r, int c) {
    if constexpr (OneG)
      return one_g_;
    else if constexpr (InRegisters)
      return g_[r][c];
    else
      return beside_[slot(r, c)];
  }

  template <bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, bool plain, const Step& step) {
    if constexpr (Three)
      if (!plain && step.rho != 1) return sweep_rows<StepKind::three_term, Inner>(edges, step);
    if (plain || step.omega == 1)
      sweep_rows<StepKind::plain, Inner>(edges, step);
    else
      sweep_rows<StepKind::weighted, Inner>(edges, step);
  }
  template <StepKind S, bool Inner>
  JACOBI_DEVICE void sweep_rows(const T* edges, const Step& step) {
    const int below = warp() > 0 ? edge(warp() - 1, 1, 0) : edge(0, 0, 0);
    const int above = warp() + 1 < TileShape::warps ? edge(warp() + 1, 0, 0) : edge(warp(), 1, 0);
    const unsigned columns_in = opaque(inside_), rows_in = opaque(rows_inside_);
    T south[C], west_south[C];
#pragma unroll
    for (int c = 0; c < C; ++c) south[c] = edges[below + c * lanes_of_warp];
    if constexpr (K == Kind::equal) {
      const T west = shuffle_up(x_[0][C - 1], 1);
#pragma unroll
      for (int c = 0; c < C; ++c) west_south[c] = (c > 0 ? x_[0][(c + C - 1) % C] : west) + south[c];
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const unsigned inside = rows_in >> r & 1 ? columns_in : 0;
      T west = K == Kind::equal ? T(0) : shuffle_up(x_[r][C - 1], 1), north_east[C];
      const T east_of_all = shuffle_down(x_[r][0], 1);
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const T old = x_[r][c], east = c + 1 < C ? x_[r][(c + 1) % C] : east_of_all;
        const T north = r + 1 < R ? x_[(r + 1) % R][c] : edges[above + c * lanes_of_warp];
        T value;
        if constexpr (K == Kind::equal) {
          north_east[c] = north + east;
          value = fused(w_.c[0], north_east[c] + west_south[c], g(r, c));
        } else {
          const T from_south = south[c];
          const auto at = [&](int k) { return k == 0 ? west : k == 1 ? east : k == 2 ? from_south : north; };
          value = sweep::HWY_NAMESPACE::combined<K, Number<T>, 2>(
              at, [&](int k) { return w_.c[k]; }, g(r, c));
          west = south[c] = old;
        }
        value = stepped_to<S>(
            value, old, [&] { return former(r, c); }, step);
        if constexpr (Three) former(r, c) = old;
        if (Inner || (inside >> c & 1)) x_[r][c] = value;
      }
      if constexpr (K == Kind::equal) {
        // north + east of an unknown are west + south of the one above and to the right
        west_south[0] = shuffle_up(north_east[C - 1], 1);
#pragma unroll
        for (int c = 1; c < C; ++c) west_south[c] = north_east[c - 1];
      }
    }
  }

  const DeviceGrid<T, 2>& w_;
  const TilePlace place_;
  T* const beside_;
  T* const edges_;
  T one_g_;
  const bool inner_;
  const unsigned inside_;     ///< columns_in_grid
  unsigned rows_inside_ = 0;  ///< a bit for each row of this warp
  T x_[R][C], g_[InRegisters ? R : 1][InRegisters ? C : 1];
};

}  // namespace jacobi::cuda
