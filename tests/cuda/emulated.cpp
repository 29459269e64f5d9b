#include "cuda/on_device.hpp"

namespace jacobi::test {

void reset_device() { cuda::emulator::settings() = {}; }
void order_threads(unsigned seed) { cuda::emulator::settings().seed = seed; }
bool has_multiprocessors(int count) {
  cuda::emulator::settings().device.multiprocessors = count;
  return true;
}

}  // namespace jacobi::test
