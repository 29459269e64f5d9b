/// The dense rung of plans that name none.
#pragma once
#include <cstddef>

#include "jacobi/types.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

/// Paired for matrices larger than most L2 caches. By the matrix alone, whatever the machine and the threads,
/// since it decides about bits.
inline const Rung& default_dense_rung(Index rows, std::size_t entry_size, bool by_rows, Index copies) {
  const std::size_t least_bytes = by_rows ? 8 << 20 : 4 << 20;
  return dense_rung(
      copies == 1 && static_cast<std::size_t>(rows * rows) * entry_size >= least_bytes ? "paired" : "fused");
}

}  // namespace jacobi::sweep
