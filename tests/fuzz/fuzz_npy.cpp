// libFuzzer target: whatever the bytes, read_npy either returns as many values as its shape says or throws
// InputError; it never crashes, overflows or allocates more than the bytes can hold.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "io/input_file.hpp"
#include "io/npy.hpp"
#include "jacobi/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const jacobi::io::InputFile file({reinterpret_cast<const char*>(data), size}, "fuzz.npy");
    const auto array = jacobi::io::read_npy(file);
    std::size_t count = 1;
    for (const std::size_t points : array.shape) count *= points;
    if (count != array.values.size() || count > size) std::abort();
  } catch (const jacobi::InputError&) {
  }
  return 0;
}
