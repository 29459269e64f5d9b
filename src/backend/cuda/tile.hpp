/// Tiles of a 2D grid in the registers of a block: many sweeps per visit to memory, or none at all where the
/// tiles of all blocks hold the grid.
///
/// A tile is 128 x 96 unknowns: 8 warps of 12 rows, 4 columns per lane. x lies in registers, and most of g
/// too where the order of operations leaves some, else in shared memory. Neighbours along x come by shuffles,
/// along y within a warp from its own registers, between warps through shared memory, two buffers in turn and
/// one barrier per sweep. `depth` unknowns of each side are halo: after s sweeps those s from the edge are
/// wrong, so that after `depth` sweeps just the owned ones are right (tiling.hpp: overlap >= k - 1, and one
/// more for the frozen ring, which is part of the tile here). Along x the halo is of whole lanes, so that a
/// lane's columns are one or two aligned 16-byte words of memory, where ghosts and what fills up a row may
/// lie beside unknowns: these are frozen, and written as they were read.
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
  /// Where the order of operations leaves registers for g; of a tile that stays, but for these rows of each
  /// warp.
  template <Beside B, Kind K>
  static constexpr bool g_in_registers = B == Beside::g&& K == Kind::equal;
  static constexpr int rows_of_g_beside = 2;
  /// Where a halo comes in, by way of shared memory: beside all else, so many rows of each warp at once; or
  /// in place of the edges.
  template <Beside B, Kind K>
  static constexpr int rows_of_halo = B == Beside::nothing || g_in_registers<B, K> ? rows : rows / 3;

  template <Beside B, Kind K, bool Stays>
  static constexpr Index beside_points() {
    if (g_in_registers<B, K>) return Stays ? rows_of_g_beside * columns * threads : 0;
    return arrays_of(B) * wide * high;
  }
  /// The first and last row of every warp, twice.
  static constexpr Index edge_points = 2 * 2 * warps * wide;
  /// What lies beside x but not in registers, the edges, and of a tile that stays the halo where it lies
  /// beside these.
  template <class T, bool Stays, Beside B = Beside::g, Kind K = Kind::equal>
  static constexpr Index shared_bytes() {
    constexpr Index halo = Stays && rows_of_halo<B, K> == rows ? Index{wide} * high : 0;
    return (beside_points<B, K, Stays>() + edge_points + halo) * Index{sizeof(T)};
  }
};

/// Where a tile lies: its corner, halo included, in the grid.
struct TilePlace {
  int x, y, depth;

  /// A bit for each of `count` places from `first` on that is one of 0 to n - 1, or of so many beside these.
  JACOBI_DEVICE static unsigned bits(int first, int count, Index n, int beside) {
    const auto within = [&](int at) { return at < 0 ? 0 : at > count ? count : at; };
    const int low = within(-beside - first), high = within(static_cast<int>(n) + beside - first);
    return high > low ? (1U << high) - (1U << low) : 0;
  }
  JACOBI_HOST_DEVICE static constexpr int halo_wide(int depth) {
    return (depth + TileShape::columns - 1) / TileShape::columns * TileShape::columns;
  }
  JACOBI_HOST_DEVICE static int owned_wide(int depth) { return TileShape::wide - 2 * halo_wide(depth); }
  JACOBI_HOST_DEVICE static int owned_high(int depth) { return TileShape::high - 2 * depth; }
};

/// A thread's share of a tile. Stays: its halo is renewed.
template <class T, Beside B, Kind K, bool Stays>
class TileShare {
 public:
  static constexpr int R = TileShape::rows, C = TileShape::columns;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former,
                        InRegisters = TileShape::g_in_registers<B, K>;
  static constexpr int rows_of_g = InRegisters ? R - (Stays ? TileShape::rows_of_g_beside : 0) : 0;

  JACOBI_DEVICE TileShare(const DeviceGrid<T, 2>& w, const TilePlace& place)
      : w_(w),
        place_(place),
        beside_(shared_memory<T>()),
        edges_(beside_ + TileShape::beside_points<B, K, Stays>()),
        one_g_(OneG ? w.g[0] : T(0)),
        in_(where()) {}

  /// All that lies in the grid or beside it, and zeros.
  JACOBI_DEVICE void load(const Iterates<T>& u) {
    const bool inside = place_.x >= 0 && place_.y >= 0 && place_.x + TileShape::wide <= w_.n[0] &&
                        place_.y + TileShape::high <= w_.n[1];
    inside ? load<true>(u) : load<false>(u);
  }
  /// The unknowns that it owns, or of those the strip that lies in the halo of other tiles.
  JACOBI_DEVICE void store(const Iterates<T>& out, bool just_strip) const {
    const int depth = place_.depth, halo = TilePlace::halo_wide(depth), to_x = columns_to_edge();
    const bool in_strip = !just_strip || to_x < 2 * halo;
    const unsigned mine =
        to_x < halo ? 0
                    : rows_where([&](int to_y) { return to_y >= depth && (in_strip || to_y < 2 * depth); });
    for_each_row([&](int r, Index at) {
      if (!(mine >> r & 1)) return;
      write(out.newest + at, [&](int c) { return x_[r][c]; });
      if constexpr (Three) write(out.before + at, [&](int c) { return former(r, c); });
    });
  }
  /// The halo, as other blocks have stored it.
  JACOBI_DEVICE void load_halo(const Iterates<T>& u) {
    const bool beside = columns_to_edge() < TilePlace::halo_wide(place_.depth);
    const unsigned mine = rows_where([&](int to_y) { return beside || to_y < place_.depth; });
    read_far(u.newest, mine, [&](int r, int c) -> T& { return x_[r][c]; });
    if constexpr (Three) read_far(u.before, mine, [&](int r, int c) -> T& { return former(r, c); });
  }

  /// Sweep number t of all, by its step; `plain`: all of them are. A barrier.
  JACOBI_DEVICE void sweep(bool plain, const Step* steps, int t) {
    const Step step = plain ? Step{} : steps[t];
    T* const edges = edges_ + t % 2 * (TileShape::edge_points / 2);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      edges[edge(warp(), 0, c)] = x_[0][c];
      edges[edge(warp(), 1, c)] = x_[R - 1][c];
    }
    barrier();
    if (in_ == Where::inside)
      sweep_rows<Where::inside>(edges, plain, step);
    else if (in_ == Where::some_lanes)
      sweep_rows<Where::some_lanes>(edges, plain, step);
    else if (in_ == Where::anywhere)
      sweep_rows<Where::anywhere>(edges, plain, step);
  }

 private:
  /// What of a warp lies in the grid: all; all columns of some lanes, none of others; anything; nothing.
  enum class Where { inside, some_lanes, anywhere, outside };
  using Word = Sixteen<T>;
  static constexpr int words = C / Word::size;  ///< of a lane's columns

  /// Of this warp.
  JACOBI_DEVICE Where where() const {
    const int x = place_.x,
              y = place_.y + shuffle(warp(), 0) * R;  // the same in all lanes, for the compiler too
    if (y >= w_.n[1] || y + R <= 0) return Where::outside;
    if (y < 0 || y + R > w_.n[1]) return Where::anywhere;
    if (x >= 0 && x + TileShape::wide <= w_.n[0]) return Where::inside;
    return w_.n[0] % C == 0 ? Where::some_lanes : Where::anywhere;
  }

  JACOBI_DEVICE static int lane() { return static_cast<int>(thread().x) % lanes_of_warp; }
  JACOBI_DEVICE static int warp() { return static_cast<int>(thread().x) / lanes_of_warp; }
  // Opaque: computed anew every time, for want of registers.
  JACOBI_DEVICE static int column() { return opaque(lane() * C); }
  JACOBI_DEVICE static int first_row() { return opaque(warp() * R); }
  JACOBI_DEVICE static int to_edge(int i, int last) { return i < last - i ? i : last - i; }
  JACOBI_DEVICE static int columns_to_edge() { return to_edge(column(), TileShape::wide - C); }
  /// A bit for each column of this lane, and each row of this warp, in the grid or among so many ghosts
  /// beside it.
  JACOBI_DEVICE unsigned columns_in(int ghosts) const {
    return TilePlace::bits(place_.x + column(), C, w_.n[0], ghosts);
  }
  JACOBI_DEVICE unsigned rows_in(int ghosts) const {
    return TilePlace::bits(place_.y + first_row(), R, w_.n[1], ghosts);
  }
  /// Of the rows in the grid those whose distance from the tile's edge is right; none for a lane that is
  /// outside.
  template <class Right>
  JACOBI_DEVICE unsigned rows_where(Right&& right) const {
    unsigned rows = 0;
    const int first = first_row();
#pragma unroll
    for (int r = 0; r < R; ++r)
      if (right(to_edge(first + r, TileShape::high - 1))) rows |= 1U << r;
    return columns_in(0) == 0 ? 0 : rows & rows_in(0);
  }

  /// visit(r, offset of the first column in memory).
  template <class Visit>
  JACOBI_DEVICE void for_each_row(Visit&& visit) const {
    Index at = place_.x + column() + (place_.y + first_row()) * w_.stride[1];
#pragma unroll
    for (int r = 0; r < R; ++r, at += w_.stride[1]) visit(r, at);
  }
  template <bool Inside>
  JACOBI_DEVICE void load(const Iterates<T>& u) {
    const unsigned exist = Inside || columns_in(1) == 0 ? 0 : rows_in(1);
    for_each_row([&](int r, Index at) {
      const bool exists = Inside || (exist >> r & 1);
      read(exists, u.newest + at, [&](int c) -> T& { return x_[r][c]; });
      if constexpr (!OneG) read(exists, w_.g + at, [&](int c) -> T& { return g(r, c); });
      if constexpr (Three) read(exists, u.before + at, [&](int c) -> T& { return former(r, c); });
    });
  }
  template <class To>
  JACOBI_DEVICE static void read(bool exists, const T* from, To&& to) {
#pragma unroll
    for (int k = 0; k < words; ++k) {
      const Word word = exists ? reinterpret_cast<const Word*>(from)[k] : Word{};
#pragma unroll
      for (int c = 0; c < Word::size; ++c) to(k * Word::size + c) = word.at[c];
    }
  }
  template <class From>
  JACOBI_DEVICE static void write(T* to, From&& from) {
#pragma unroll
    for (int k = 0; k < words; ++k) {
      Word word;
#pragma unroll
      for (int c = 0; c < Word::size; ++c) word.at[c] = from(k * Word::size + c);
      store_together(reinterpret_cast<Word*>(to) + k, word);
    }
  }
  /// The rows whose bits are set, as other blocks have just written them: by way of shared memory, so that
  /// many words are on their way at once without registers.
  template <class To>
  JACOBI_DEVICE void read_far(const T* from, unsigned rows, To&& to) const {
    constexpr int at_once = TileShape::rows_of_halo<B, K>;
    const auto way = [&](int r, int k) {
      T* const all = edges_ + (at_once == R ? TileShape::edge_points : 0);
      return reinterpret_cast<Word*>(all) + (r % at_once * words + k) * TileShape::threads +
             opaque(thread().x);
    };
#pragma unroll
    for (int first = 0; first < R; first += at_once) {
      for_each_row([&](int r, Index at) {
        if (r >= first && r < first + at_once && rows >> r & 1)
#pragma unroll
          for (int k = 0; k < words; ++k) copy_later(way(r, k), reinterpret_cast<const Word*>(from + at) + k);
      });
      wait_for_copies();
#pragma unroll
      for (int r = first; r < first + at_once; ++r)
        if (rows >> r & 1)
#pragma unroll
          for (int c = 0; c < C; ++c) to(r, c) = way(r, c / Word::size)->at[c % Word::size];
    }
    if constexpr (at_once < R) barrier();  // before the edges are written
  }

  /// Columns of a lane lie a warp apart: lanes read side by side.
  JACOBI_DEVICE static int edge(int warp, int last, int c) {
    return ((warp * 2 + last) * C + c) * lanes_of_warp + lane();
  }
  JACOBI_DEVICE static int slot(int r, int c) { return ((warp() * R + r) * C + c) * lanes_of_warp + lane(); }
  JACOBI_DEVICE T& former(int r, int c) const {
    return beside_[TileShape::wide * TileShape::high + slot(r, c)];
  }
  JACOBI_DEVICE T& g(int r, int c) {
    if constexpr (OneG)
      return one_g_;
    else if constexpr (InRegisters)
      return r < rows_of_g ? g_[r % rows_of_g][c]
                           : beside_[((r - rows_of_g) * C + c) * TileShape::threads + opaque(thread().x)];
    else
      return beside_[slot(r, c)];
  }

  template <Where In>
  JACOBI_DEVICE void sweep_rows(const T* edges, bool plain, const Step& step) {
    if constexpr (Three)
      if (!plain && step.rho != 1) return sweep_rows<StepKind::three_term, In>(edges, step);
    if (plain || step.omega == 1)
      sweep_rows<StepKind::plain, In>(edges, step);
    else
      sweep_rows<StepKind::weighted, In>(edges, step);
  }
  template <StepKind S, Where In>
  JACOBI_DEVICE void sweep_rows(const T* edges, const Step& step) {
    const int below = warp() > 0 ? edge(warp() - 1, 1, 0) : edge(0, 0, 0);
    const int above = warp() + 1 < TileShape::warps ? edge(warp() + 1, 0, 0) : edge(warp(), 1, 0);
    const unsigned of_lane = In == Where::inside ? 0 : columns_in(0),
                   of_warp = In == Where::anywhere ? rows_in(0) : 0;
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
      const unsigned here = of_warp >> r & 1 ? of_lane : 0;
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
        if (changes<In>(c, of_lane, here)) x_[r][c] = value;
      }
      if constexpr (K == Kind::equal) {
        // north + east of an unknown are west + south of the one above and to the right
        west_south[0] = shuffle_up(north_east[C - 1], 1);
#pragma unroll
        for (int c = 1; c < C; ++c) west_south[c] = north_east[c - 1];
      }
    }
  }
  /// Whether column c takes its new value. A lane outside of the grid has a ghost in its first or last
  /// column, which unknowns see; nobody sees what becomes of the others.
  template <Where In>
  JACOBI_DEVICE static bool changes(int c, unsigned of_lane, unsigned here) {
    if constexpr (In == Where::inside) return true;
    if constexpr (In == Where::some_lanes) return (c > 0 && c < C - 1) || of_lane != 0;
    return here >> c & 1;
  }

  const DeviceGrid<T, 2>& w_;
  const TilePlace place_;
  T* const beside_;
  T* const edges_;
  T one_g_;
  const Where in_;
  T x_[R][C], g_[InRegisters ? rows_of_g : 1][InRegisters ? C : 1];
};

}  // namespace jacobi::cuda
