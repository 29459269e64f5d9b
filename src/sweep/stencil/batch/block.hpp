/// How much of a column of a batch is held in registers.
#pragma once
#include "jacobi/types.hpp"

namespace jacobi::sweep {

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

}  // namespace jacobi::sweep
