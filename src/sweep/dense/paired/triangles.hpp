/// What a pass of rung paired meets, and a matrix stored in that order.
#pragma once
#include <algorithm>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// Rows of the blocks on the diagonal of rung paired: enough between two meetings of its threads, few against
/// all. The same everywhere, since they decide about bits.
inline constexpr Index paired_block = 128;

/// Rows first ... last - 1 of columns from ... to - 1.
struct MatrixBlock {
  Index first, last, from, to;
  bool on_diagonal() const { return first == from; }
};

/// visit(block) for each block of a pass down or up over rows, and columns, head ... end - 1: by halves, what
/// lies beyond one half's rows and columns when that half is done; those on the diagonal on the way.
template <class Visit>
void each_block(bool down, Index head, Index end, Visit&& visit) {
  if (end - head <= paired_block) return visit(MatrixBlock{head, end, head, end});
  const Index middle = head + ((end - head) / 2 + paired_block - 1) / paired_block * paired_block;
  if (down) {
    each_block(down, head, middle, visit);
    visit(MatrixBlock{middle, end, head, middle});
    each_block(down, middle, end, visit);
  } else {
    each_block(down, middle, end, visit);
    visit(MatrixBlock{head, middle, middle, end});
    each_block(down, head, middle, visit);
  }
}

/// A block as it is packed: four rows at a time, of each in turn sixteen columns, zeros where there are none.
/// A matrix is packed as a pass down meets it and once more as a pass up does, so that either reads one
/// stream from end to end; blocks on the diagonal are in both.
struct Packed {
  static constexpr Index rows = 4, columns = 16;
  static constexpr Index ahead = 2048;  ///< bytes that are asked for ahead
  explicit Packed(const MatrixBlock& block)
      : width((block.to - block.from + columns - 1) / columns * columns),
        size((block.last - block.first + rows - 1) / rows * rows * width) {}
  /// Of the entry in row i and column j of the block.
  Index place(Index i, Index j) const {
    return i / rows * rows * width + j / columns * columns * rows + i % rows * columns + j % columns;
  }
  Index width, size;
};

/// Entries of a matrix of n rows as one of the passes meets it.
inline Index packed_entries(Index n, bool down) {
  Index all = 0;
  each_block(down, 0, n, [&](const MatrixBlock& block) { all += Packed(block).size; });
  return all;
}

}  // namespace jacobi::sweep
