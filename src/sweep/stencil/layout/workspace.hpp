/// What a rung sees of a bound stencil: padded arrays, coefficients divided by the diagonal, pieces of lines.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/sweeper.hpp"
#include "jacobi/types.hpp"
#include "sweep/partial.hpp"
#include "sweep/stencil/strips/layout.hpp"
#include "sweep/stencil/hierarchical/region.hpp"

namespace jacobi::sweep {

/// A contiguous run of unknowns in x: the unit of work, and of summation for norms, whatever the threads.
template <int D>
struct Piece {
  Index first;                    ///< offset of its first unknown in the padded arrays
  Index count;                    ///< its unknowns
  std::array<Index, D> position;  ///< index of its first unknown
};

/// What a pass over a column of a batch has in registers: so many rows, and two more of each level
/// (batch-inl.hpp).
struct BatchBlock {
  int rows, levels;
  /// Loads per update: of u once, of g once per row of the block and once more for every level but the first.
  constexpr double loads() const { return (2 * rows + levels - 1.0) / (rows * levels); }
};
constexpr BatchBlock batch_block(bool has_32_registers) {
  return has_32_registers ? BatchBlock{6, 8} : BatchBlock{3, 5};
}

/// Batches of shorter columns are swept in tiles: not all levels would reach row 0 before the last one comes
/// in (batch-inl.hpp).
inline constexpr Index least_rows_of_batch = 18;

/// How the tiled rung cuts space and time: unknowns of a tile in each direction, sweeps per block.
template <int D>
struct Tile {
  std::array<Index, D> size{};
  Index depth = 1;
  bool operator==(const Tile&) const = default;
};

/// One level of a plan with tilings.
template <int D>
struct Level {
  Tiling tiling;                ///< no tile larger than what it is cut from
  std::array<Index, D> n;       ///< unknowns of that: the grid, or a whole tile of the level above
  std::array<Index, D> stride;  ///< of the small padded arrays of one tile
  Index array;                  ///< entries of one of them
  Index leading;                ///< entries before its first unknown
};

/// Small arrays of a tile: both iterates, g, and the coefficients where they vary.
template <int D>
int arrays_of_tile(Kind kind) {
  return 3 + (kind == Kind::variable ? 2 * D : 0);
}

/// The arrays of a tile in memory from `at` on, which is moved behind them.
template <class T, int D>
TileMemory<T, D> tile_at(T*& at, const Level<D>& level, Kind kind) {
  const auto next = [&] { return std::exchange(at, at + level.array) + level.leading; };
  TileMemory<T, D> memory{level.stride, next(), next(), next(), {}};
  for (int k = 0; k < 2 * D && kind == Kind::variable; ++k) memory.c[k] = next();
  return memory;
}

/// Arrays are padded: one ghost on each side of every direction. Pointers lead to the first unknown; unknown
/// (x, y, z) lies at x + y stride[1] + z stride[2] in each of them.
template <class T, int D>
struct Workspace : Sources<T, D> {
  using Sources<T, D>::stride;

  std::array<Index, D> n;
  Index piece_length;
  Index pieces_per_line;
  Index pieces;
  Index padded;   ///< entries of a whole padded array
  Index leading;  ///< entries before the first unknown
  /// Of a chequerboard (red_black.hpp): entries between a place of the red points and that of the black ones.
  Index half = 0;

  T* u;  ///< x_n
  T* v;  ///< x_(n-1), then x_(n+1)
  /// Levels that there is room for in one array, each a line and a plane lower in memory than the one before
  /// (wave-inl.hpp), and by how many v lies lower than its array begins.
  Index in_place = 0, v_lower = 0;

  Kind kind;
  T diagonal;
  const T* diagonals = nullptr;  ///< where variable
  /// Unknown that the ghost at side [d][low or high] copies after each sweep; -1: a Dirichlet value stays.
  std::array<std::array<Index, 2>, D> ghost_source;
  bool has_copies = false;  ///< any ghost that copies an unknown
  bool has_one_g = false;   ///< g is the same at all unknowns, to the bit
  Tile<D> tile;

  const Piece<D>* list;  ///< all pieces, line after line
  Partial* partials;     ///< one per piece
  /// Pieces after each sweep of a block, where each is measured; columns of a batch; outer tiles.
  std::vector<Partial> level_partials;
  T* scratch = nullptr;  ///< of a batch, or for a tile of every level, so much for each thread
  Index scratch_size = 0;
  std::vector<Level<D>> levels;  ///< of a plan with tilings, the outer one first
  Index sweeps_per_cycle = 1;
  Norms last_update;  ///< of the last sweep inside the tiles
  int threads = 1;
  std::shared_ptr<void> arena;  ///< of the parallel-algorithms rung
  Executed ran;                 ///< written by the rung that ran
  LiftedGrid<T> lifted;         ///< of sweeps that may go over lines in strips, else empty
  bool may_lift = false;        ///< there is one, or a grid in place, and no other blocking was asked for

  /// Brings u, and v if asked for, up to date, before they are read or swept.
  void settle(bool previous = false) {
    lifted.lower(false, u, stride[D > 1], threads);
    if (previous) lifted.lower(true, v, stride[D > 1], threads);
  }
  /// Notes that u is new.
  void changed() { lifted.is_current = lifted.is_ahead[0] = lifted.is_ahead[1] = false; }

  /// In 3D, of lines with ghosts: those that are ghosts altogether.
  bool is_ghost(Index y, Index z) const { return y < 0 || z < 0 || y == n[1 % D] || z == n[2 % D]; }
  /// How much lower in memory each level lies than the one before.
  Index drop() const { return stride[1 % D] + stride[2 % D]; }
  /// Both ghosts of a line; and all of it.
  void copy_ends(const T* from, T* to) const {
    to[-1] = from[-1];
    to[n[0]] = from[n[0]];
  }
  void copy_line(const T* from, T* to) const {
    std::memmove(to - 1, from - 1, static_cast<std::size_t>(n[0] + 2) * sizeof(T));
  }
  /// Brings v, or if nobody needs that its ghosts, back to where its array begins.
  void raise(bool previous) {
    if (v_lower == 0) return;
    const Index by = std::exchange(v_lower, 0) * drop();
    v += by;
    for (Index z = n[2 % D]; z >= -1; --z)
      for (Index y = n[1 % D]; y >= -1; --y) {
        const Index p = y * stride[1 % D] + z * stride[2 % D];
        if (previous)
          copy_line(v - by + p, v + p);
        else if (is_ghost(y, z))
          copy_line(u + p, v + p);
        else
          copy_ends(u + p, v + p);
      }
  }

  const Piece<D>& piece(Index s) const { return list[s]; }
  /// Where an unknown, or a ghost, lies in the padded arrays.
  Index offset(const std::array<Index, D>& position) const {
    Index line = 0, sum = position[0];
    for (int d = 1; d < D; ++d) {
      line += position[d] * stride[d];
      sum += position[d];
    }
    return half == 0 ? line + position[0] : line + (position[0] >> 1) + (sum & 1) * half;
  }
  Index line_number(const std::array<Index, D>& position) const {
    Index number = 0;
    for (int d = D - 1; d > 0; --d) number = number * n[d] + position[d];
    return number;
  }
  /// Number i of a piece.
  Index unknown(const Piece<D>& piece, Index i) const {
    if (half == 0) return piece.first + i;
    auto position = piece.position;
    position[0] += i;
    return offset(position);
  }
  /// Ghosts below copy the last unknowns.
  bool is_periodic(int d) const { return ghost_source[d][0] == n[d] - 1 && ghost_source[d][1] == 0; }

  /// The s-th piece by its number: divisions that a short line would feel, hence the list.
  Piece<D> make_piece(Index s) const {
    Piece<D> piece;
    Index line = s / pieces_per_line;
    const Index x = (s % pieces_per_line) * piece_length;
    piece.position[0] = x;
    piece.count = n[0] - x < piece_length ? n[0] - x : piece_length;
    for (int d = 1; d < D; ++d) {
      piece.position[d] = line % n[d];
      line /= n[d];
    }
    piece.first = offset(piece.position);
    return piece;
  }

  /// Renews the periodic and mirrored ghosts that copy this piece's unknowns.
  void renew_ghosts(const Piece<D>& piece, T* out) const {
    if (has_copies) copy_to_ghosts(piece, out);
  }
  [[gnu::noinline]] void copy_to_ghosts(const Piece<D>& piece, T* out) const {
    const Index x = piece.position[0];
    for (int e = 0; e < 2; ++e) {
      const Index from = ghost_source[0][e], ghost = e == 0 ? -1 : n[0];
      if (from >= x && from < x + piece.count) out[piece.first - x + ghost] = out[piece.first - x + from];
    }
    for (int d = 1; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        if (ghost_source[d][e] != piece.position[d]) continue;
        const Index shift = ((e == 0 ? -1 : n[d]) - piece.position[d]) * stride[d];
        std::memcpy(out + piece.first + shift, out + piece.first,
                    static_cast<std::size_t>(piece.count) * sizeof(T));
      }
  }

  /// Partials added in the order of pieces: the same sum for every number of threads.
  Norms total() const { return sum_of({partials, static_cast<std::size_t>(pieces)}); }
};

/// A rung: runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T, int D>
struct RungFunctions {
  Norms (*advance)(Workspace<T, D>& w, std::span<const Step> steps, Want want);
  Norms (*norms)(Workspace<T, D>& w, Want want);
  /// Norms of the update after every step; none: by calls of advance().
  void (*advance_measured)(Workspace<T, D>& w, std::span<const Step> steps,
                           std::span<Norms> updates) = nullptr;
  Riser riser = {};       ///< of lines in strips, where they can be swept
  bool in_place = false;  ///< grids in 3D may be swept in one array
};

/// The functions of rung `number` for the instruction set in force.
template <class T, int D>
RungFunctions<T, D> rung_functions(int number);

}  // namespace jacobi::sweep
