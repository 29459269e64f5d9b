/// The instruction sets that the sweeps are compiled for; the best usable one is chosen when they run.
#pragma once
#include <string>
#include <vector>

namespace jacobi::simd {

std::vector<std::string> compiled();  ///< best first: "avx512", "avx2", "sse4"
std::vector<std::string> usable();    ///< those that this processor has
std::string chosen();                 ///< what sweepers bound from now on will run
/// Forces one of usable(), or the best again if empty; for the whole process, sweepers bound from then on.
/// The environment variable JACOBI_SIMD does the same at start. Throws: UsageError naming the usable ones.
void force(const std::string& name);

}  // namespace jacobi::simd
