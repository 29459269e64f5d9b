#include "backend/opencl/device.hpp"

#include <cstdlib>

#include "backend/opencl/opencl.hpp"
#include "device/on_device.hpp"
#include "jacobi/error.hpp"

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

void reset_device() {
  ::unsetenv("JACOBI_EMULATED_SEED");
  ::unsetenv("JACOBI_EMULATED_CHANGE");
}
void order_threads(unsigned seed) { ::setenv("JACOBI_EMULATED_SEED", std::to_string(seed).c_str(), 1); }

}  // namespace jacobi::test
