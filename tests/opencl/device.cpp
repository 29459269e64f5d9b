#include "backend/opencl/device.hpp"

#include <cstdlib>

#include "backend/opencl/opencl.hpp"
#include "jacobi/error.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {

std::shared_ptr<const Backend> device() { return opencl::open("opencl:0", "0"); }

std::string why_no_device() {
  try {
    device();
    return {};
  } catch (const BackendError& error) {
    return error.what();
  }
}

bool compiles_at_once() {
  return is_emulated() || says(first_device().properties().platform, "Oclgrind") ||
         std::getenv("JACOBI_LONG_TESTS") != nullptr;
}

void reset_device() {
  ::unsetenv("JACOBI_EMULATED_SEED");
  ::unsetenv("JACOBI_EMULATED_CHANGE");
}
void order_threads(unsigned seed) { ::setenv("JACOBI_EMULATED_SEED", std::to_string(seed).c_str(), 1); }

}  // namespace jacobi::test
