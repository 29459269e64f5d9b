/// A plan's tiling as the device takes it.
#pragma once
#include <string>

#include "jacobi/plan.hpp"
#include "sweep/stencil/order/sources.hpp"

namespace jacobi::device {

struct CyclePlan {
  Tiling tiling;  ///< no tile larger than the grid
  int arrays;     ///< small ones of a tile
  bool exact;
  std::string in_words;
  double redundant_work, words_per_cycle;
};

/// Throws: UsageError for a tiling that cannot be, as on the host.
template <class T, int D>
CyclePlan plan_cycles(const Grid<T, D>& grid, const Plan& plan, sweep::Kind kind);

}  // namespace jacobi::device
