#pragma once

namespace jacobi {

/// "0.1.0"
const char* version();

}  // namespace jacobi
