#pragma once
#include <cstddef>

namespace jacobi {

/// Signed size and position: rows, sweeps, offsets.
using Index = std::ptrdiff_t;

}  // namespace jacobi
