/// What rows are divided by.
#pragma once
#include <fmt/format.h>

#include "jacobi/error.hpp"
#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// Throws: InputError for a row that nothing can be divided by.
[[noreturn]] inline void refuse_divisor(Index row, double diagonal, Index rows) {
  throw InputError(
      fmt::format("ZeroDiagonal: entry ({0}, {0}) is {1:g} (row {2} of {3}{4}): Jacobi divides by it; "
                  "reorder the rows, or see 'jacobi diagnose'",
                  row, diagonal, row + 1, rows, diagonal != 0 ? ", too small" : ""));
}

}  // namespace jacobi::sweep
