/// Norms in parts: one per piece of the unknowns, added without rounding.
#pragma once
#include <cmath>
#include <span>

#include "core/long_sum.hpp"
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

/// The same bits for every order of pieces.
inline Norms sum_of(std::span<const Partial> parts) {
  const double squares =
      sum_rounded_once(static_cast<Index>(parts.size()), [=](Index s) { return parts[s].squares; });
  double max = 0;
  for (const Partial& part : parts)
    if (!(part.max <= max)) max = part.max;
  return {std::sqrt(squares), std::isnan(squares) ? squares : max};  // a maximum may have passed over a NaN
}

}  // namespace jacobi::sweep
