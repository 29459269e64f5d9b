/// In place of src/backend/cpu/simd.cpp: the one target of the carried highway.h.
#include "jacobi/simd.hpp"

#include "jacobi/error.hpp"
#include "sweep/targets.hpp"

namespace jacobi::sweep {
const char* target_name(std::int64_t) { return "one lane"; }
}  // namespace jacobi::sweep

namespace jacobi::simd {
std::vector<std::string> compiled() { return {"one lane"}; }
std::vector<std::string> usable() { return compiled(); }
void force(const std::string& name) {
  if (!name.empty() && name != chosen())
    throw UsageError("this build knows no instruction set but 'one lane'");
}
std::string chosen() { return "one lane"; }
}  // namespace jacobi::simd
