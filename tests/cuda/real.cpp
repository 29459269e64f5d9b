#include "cuda/on_device.hpp"

namespace jacobi::test {

std::shared_ptr<const Backend> device() { return cuda::open("cuda:0", "0"); }
std::string why_no_device() { return {}; }
bool compiles_at_once() { return true; }
void reset_device() {}
void order_threads(unsigned) {}
bool has_multiprocessors(int count) { return cuda::properties_of(0).multiprocessors >= count; }

}  // namespace jacobi::test
