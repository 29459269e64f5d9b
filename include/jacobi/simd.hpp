/// The instruction sets that the sweeps are compiled for; the best usable one is chosen when they run.
#pragma once
#include <string>
#include <vector>

#include "jacobi/export.hpp"

namespace jacobi::simd {

JACOBI_API std::vector<std::string> compiled();  ///< best first: "avx512", "avx2", "sse4"
JACOBI_API std::vector<std::string> usable();    ///< those that this processor has
JACOBI_API std::string chosen();                 ///< what sweepers bound from now on will run
/// Forces one of usable(), or the best again if empty; for the whole process, sweepers bound from then on.
/// The environment variable JACOBI_SIMD does the same at start. Throws: UsageError naming the usable ones.
JACOBI_API void force(const std::string& name);

}  // namespace jacobi::simd
