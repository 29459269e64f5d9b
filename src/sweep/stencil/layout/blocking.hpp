/// Which blockings can be asked for.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::sweep {

/// Throws: UsageError for sizes below zero, or wanted in some directions and not in others.
inline void require_sensible(const Blocking& b, int dimensions) {
  for (int d = 0; d < dimensions; ++d)
    if (b.tile[d] < 0 || b.sweeps < 0 || (b.tile[d] == 0) != (b.tile[0] == 0))
      throw UsageError(fmt::format(
          "a blocking of {} unknowns and {} sweeps cannot be: give each direction and the sweeps 1 "
          "or more, or 0 for all of them to have them chosen",
          fmt::join(b.tile, " x "), b.sweeps));
}

}  // namespace jacobi::sweep
