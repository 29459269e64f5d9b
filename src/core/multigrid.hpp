#pragma once
#include "jacobi/multigrid.hpp"

namespace jacobi {

/// Throws: UsageError for a cycle that cannot be.
void require_sensible(const Multigrid& cycle);

}  // namespace jacobi
