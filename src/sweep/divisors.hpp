/// What rows are divided by.
#pragma once
#include <fmt/format.h>

#include <limits>

#include "jacobi/error.hpp"
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// Of a diagonal entry that nothing can be divided by: sweeps refuse it; products take Csr::divisor's or
/// Dense::divisors' stand-in.
enum class Zeros { refused, replaced };
inline Zeros zeros_for(const Method& method) {
  return accelerated(method) ? Zeros::replaced : Zeros::refused;
}

/// Throws: InputError for a row that nothing can be divided by, in T.
template <class T>
[[noreturn]] void refuse_divisor(Index row, double diagonal, Index rows) {
  throw InputError(fmt::format(
      "ZeroDiagonal: entry ({0}, {0}) is {1:g} (row {2} of {3}{4}): Jacobi divides by it; reorder the rows, "
      "or see 'jacobi diagnose', or take bicgstab or anderson, which need not{5}",
      row, diagonal, row + 1, rows, diagonal != 0 ? ", too small to be divided by" : "",
      sizeof(T) == sizeof(double)
          ? ""
          : fmt::format("; in float, numbers below {:.2g} become 0: where it does so, "
                        "take double",
                        std::numeric_limits<T>::denorm_min())));
}

}  // namespace jacobi::sweep
