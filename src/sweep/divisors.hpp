/// What rows are divided by.
#pragma once
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/matrix_free.hpp"
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// Of a diagonal entry that nothing can be divided by: sweeps refuse it; products take the stand-in of
/// Csr::divisor, Dense::divisors or MatrixFree::divisor.
enum class Zeros { refused, replaced };
inline Zeros zeros_for(const Method& method) {
  return accelerated(method) ? Zeros::replaced : Zeros::refused;
}

/// 1 / divisor of each row, rounded once.
/// Throws: ZeroDiagonal naming the first row that nothing can be divided by, in T.
template <class T>
std::vector<T> reciprocals(const Csr<T>& a, Divisor kind, Zeros zeros = Zeros::refused);
template <class T>
std::vector<T> reciprocals(const Dense<T>& a, Divisor kind, Zeros zeros = Zeros::refused);
template <class T>
std::vector<T> reciprocals(const MatrixFree<T>& a, Divisor kind, Zeros zeros = Zeros::refused);

}  // namespace jacobi::sweep
