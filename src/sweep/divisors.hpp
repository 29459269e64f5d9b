/// What rows are divided by.
#pragma once
#include "jacobi/error.hpp"
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// Of a diagonal entry that nothing can be divided by: sweeps refuse it; products take Csr::divisor's or
/// Dense::divisors' stand-in.
enum class Zeros { refused, replaced };
inline Zeros zeros_for(const Method& method) {
  return accelerated(method) ? Zeros::replaced : Zeros::refused;
}

/// Throws: ZeroDiagonal for a row that nothing can be divided by, in T. Out of line: nvcc reads this header,
/// and cannot read fmt's.
template <class T>
[[noreturn]] void refuse_divisor(Index row, double diagonal, Index rows);

}  // namespace jacobi::sweep
