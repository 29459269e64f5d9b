#include "cuda/on_device.hpp"

namespace jacobi::test {

std::shared_ptr<const Backend> device() { return cuda::open("cuda:0", "0"); }
std::string why_no_device() { return {}; }
bool compiles_at_once() { return true; }
void reset_device() { cuda::emulator::settings() = {}; }
void order_threads(unsigned seed) { cuda::emulator::settings().seed = seed; }
bool has_multiprocessors(int count) {
  cuda::emulator::settings().device.multiprocessors = count;
  return true;
}

}  // namespace jacobi::test
