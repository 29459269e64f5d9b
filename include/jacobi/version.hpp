#pragma once
#include "jacobi/export.hpp"

namespace jacobi {

/// "0.1.0"
JACOBI_API const char* version();

}  // namespace jacobi
