/// Instruction sets for which every rung is compiled: include before any Highway header.
#pragma once
#include <cstdint>

#ifndef HWY_DISABLED_TARGETS            // may be chosen on the compiler's command line
#define HWY_DISABLED_TARGETS HWY_SSSE3  // between baseline and SSE4.1 lies nothing that a sweep could use
#endif

namespace jacobi::sweep {

/// "avx512", "avx2", ... for one of Highway's target bits.
const char* target_name(std::int64_t target);

}  // namespace jacobi::sweep
