/// How much of a grid in strips is held in registers.
#pragma once
#include <cstddef>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// What a pass takes up at once, vectors of so many lanes: of so many lines so many levels, no more of these
/// than of lines.
struct RegisterTile {
  Index lanes;
  int lines, levels;
  /// Entries that a tile leaves of one column to the next tile, and of itself from one part of its columns to
  /// the next.
  constexpr Index record() const { return (2 * levels - 1) * lanes; }
  constexpr Index kept() const { return 2 * levels * lines * lanes; }
};
/// As much as 32 or 16 registers hold (docs/lab/2026-11-25-strips.md).
constexpr RegisterTile register_tile_of(std::size_t lanes, bool has_32_registers) {
  const Index l = static_cast<Index>(lanes);
  return has_32_registers ? RegisterTile{l, 5, 3} : RegisterTile{l, 3, 2};
}

}  // namespace jacobi::sweep
