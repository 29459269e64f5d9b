/// Norms of which each rank has parts.
#pragma once
#include <cmath>
#include <span>

#include "core/over_ranks.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

/// The bits of sum_of() the parts of all ranks.
inline Norms sum_over(Ranks& ranks, std::span<const Partial> mine) {
  LongSum squares;
  double max = 0;
  for (const Partial& part : mine) {
    squares.add(part.squares);
    if (!(part.max <= max)) max = part.max;
  }
  add_over(ranks, {&squares});
  const double square = squares.value();
  return {std::sqrt(square), std::isnan(square) ? square : max_over(ranks, max)};
}

}  // namespace jacobi::sweep
