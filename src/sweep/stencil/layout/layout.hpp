/// Where the unknowns of a grid lie in memory.
#pragma once
#include <algorithm>

#include "jacobi/grid.hpp"
#include "sweep/arrays.hpp"
#include "sweep/stencil/layout/spread.hpp"
#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// What is wanted of the arrays of a grid.
struct Room {
  Index piece_length = longest_piece;
  Index free_below = 0;    ///< lines, and planes, below the first one
  bool by_colour = false;  ///< the points of either colour of a chequerboard in an array of their own
};

/// Where the unknowns of a grid lie.
template <int D>
struct Layout : Sizes<D> {
  Index padded;   ///< entries of a whole padded array
  Index leading;  ///< entries before the first unknown
  std::array<Index, D> stride;
  /// By colour: entries between a place of the red points and that of the black ones.
  Index half = 0;

  /// Where an unknown, or a ghost, lies in the padded arrays.
  Index offset(const std::array<Index, D>& position) const {
    Index line = 0, sum = position[0];
    for (int d = 1; d < D; ++d) {
      line += position[d] * stride[d];
      sum += position[d];
    }
    return half == 0 ? line + position[0] : line + (position[0] >> 1) + (sum & 1) * half;
  }
  /// Number i of a piece.
  Index unknown(const Piece<D>& piece, Index i) const {
    if (half == 0) return piece.first + i;
    auto position = piece.position;
    position[0] += i;
    return offset(position);
  }

  /// The s-th piece by its number: divisions that a short line would feel, hence Workspace::list.
  Piece<D> make_piece(Index s) const {
    Piece<D> piece;
    Index line = s / this->pieces_per_line;
    const Index x = (s % this->pieces_per_line) * this->piece_length;
    piece.position[0] = x;
    piece.count = std::min(this->n[0] - x, this->piece_length);
    for (int d = 1; d < D; ++d) {
      piece.position[d] = line % this->n[d];
      line /= this->n[d];
    }
    piece.first = offset(piece.position);
    return piece;
  }
};

/// Sizes of the padded arrays: lines start aligned and spread over the caches, and a vector read past the end
/// of the last line stays inside. By colour there are two such arrays, one behind the other: lines of the red
/// points alone, then of the black ones.
template <class T, int D>
Layout<D> lay_out(const Grid<T, D>& grid, const Room& room) {
  constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  Layout<D> l;
  l.n = grid.unknowns;
  l.piece_length = room.piece_length;
  l.stride[0] = 1;
  const Index longest = room.by_colour ? l.n[0] / 2 + 1 : l.n[0];
  Index pitch = (lanes + longest + 1 + lanes - 1) / lanes * lanes;
  if (D > 1) pitch = spread<T>(pitch);
  Index size = pitch;
  for (int d = 1; d < D; ++d) {
    l.stride[d] = size;
    size *= l.n[d] + 2 + room.free_below;
    if (D == 3 && d == 1) size = spread_plane<T>(size);
  }
  l.leading = lanes;
  for (int d = 1; d < D; ++d) l.leading += (1 + room.free_below) * l.stride[d];
  l.padded = size + 2 * lanes;
  if (room.by_colour) {
    constexpr Index page = 4096 / sizeof(T);
    l.half = (l.padded + page - 1) / page * page + 17 * lanes;  // apart, as arrays are
    l.padded += l.half;
  }
  l.pieces_per_line = (l.n[0] + l.piece_length - 1) / l.piece_length;
  l.pieces = grid.rows() / l.n[0] * l.pieces_per_line;
  return l;
}

/// Bytes of one padded array.
template <class T, int D>
double bytes_of_vector(const Grid<T, D>& grid, const Room& room = {}) {
  return static_cast<double>(lay_out(grid, room).padded) * sizeof(T);
}

}  // namespace jacobi::sweep
