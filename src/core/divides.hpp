/// Diagonal entries that nothing can be divided by.
#pragma once
#include <cmath>

#include "jacobi/method.hpp"

namespace jacobi {

/// Whether its reciprocal is a number of type T: of neither 0 nor the smallest ones.
template <class T>
bool divides(T diagonal) {
  return std::isfinite(static_cast<T>(1 / static_cast<double>(diagonal)));
}

/// Whether a sweep can divide by what `kind` makes of a row with this diagonal entry.
template <class T>
bool divides(T diagonal, Divisor kind) {
  return kind == Divisor::l1 ? diagonal != 0 : divides(diagonal);
}

/// Stands in for such an entry where products divide by it: the largest magnitude of its row, or 1 where
/// nothing can be divided by that either.
template <class T>
double stand_in(T largest_of_row) {
  return divides(largest_of_row) ? static_cast<double>(largest_of_row) : 1;
}

}  // namespace jacobi
