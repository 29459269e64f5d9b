/// Norms in parts: one per piece of the unknowns, added in a fixed order.
#pragma once
#include <cmath>
#include <span>

#include "jacobi/norms.hpp"

namespace jacobi::sweep {

/// Sum of squares and largest magnitude over one piece.
struct Partial {
  double squares = 0;
  double max = 0;
  constexpr Partial& operator+=(const Partial& more) {
    squares += more.squares;
    if (!(more.max <= max)) max = more.max;
    return *this;
  }
};

/// Added in the order of pieces: the same bits for every number of threads.
inline Norms sum_of(std::span<const Partial> parts) {
  Partial sum;
  for (const Partial& part : parts) sum += part;
  const bool lost = std::isnan(sum.squares);  // a maximum may have passed over a NaN
  return {std::sqrt(sum.squares), lost ? sum.squares : sum.max};
}

}  // namespace jacobi::sweep
