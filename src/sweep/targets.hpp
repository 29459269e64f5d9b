/// Names of the instruction sets for which every rung is compiled.
#pragma once
#include <cstdint>

namespace jacobi::sweep {

/// "avx512", "avx2", ... for one of Highway's target bits.
const char* target_name(std::int64_t target);

}  // namespace jacobi::sweep
