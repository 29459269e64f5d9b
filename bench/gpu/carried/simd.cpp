/// In place of src/backend/cpu/simd.cpp and of src/machine/kernels.cpp: the one target of the carried
/// highway.h.
#include "jacobi/simd.hpp"

#include "jacobi/error.hpp"
#include "machine/kernels.hpp"
#include "sweep/targets.hpp"

namespace jacobi::sweep {
const char* target_name(std::int64_t) { return "one lane"; }
}  // namespace jacobi::sweep

namespace jacobi::machine {
int vector_registers() { return 16; }
}  // namespace jacobi::machine

namespace jacobi::simd {
std::vector<std::string> compiled() { return {"one lane"}; }
std::vector<std::string> usable() { return compiled(); }
void force(const std::string& name) {
  if (!name.empty() && name != chosen())
    throw UsageError("this build knows no instruction set but 'one lane'");
}
std::string chosen() { return "one lane"; }
}  // namespace jacobi::simd
