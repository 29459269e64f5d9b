#pragma once
#include "jacobi/amg.hpp"

namespace jacobi {

/// Throws: UsageError for options that cannot be.
void require_sensible(const Amg& options);

}  // namespace jacobi
