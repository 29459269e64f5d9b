#include "machine/caches.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

namespace jacobi::machine {

namespace {

/// What the kernel says, "1024K". The C library takes the L3 of a Zen 5 in a virtual machine for twelve.
double from_kernel(int level) {
  for (int i = 0; i < 8; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    int its_level = 0;
    std::string type, size;
    std::ifstream(folder + "level") >> its_level;
    std::ifstream(folder + "type") >> type;
    std::ifstream(folder + "size") >> size;
    if (its_level == level && type != "Instruction" && !size.empty())
      return std::atof(size.c_str()) * (size.back() == 'M' ? 1 << 20 : size.back() == 'K' ? 1 << 10 : 1);
  }
  return 0;
}

double found(int level) {
  if (const double bytes = from_kernel(level); bytes > 0) return bytes;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const long bytes = sysconf(level == 1   ? _SC_LEVEL1_DCACHE_SIZE
                             : level == 2 ? _SC_LEVEL2_CACHE_SIZE
                                          : _SC_LEVEL3_CACHE_SIZE);
  if (bytes > 0) return static_cast<double>(bytes);
#endif
  return 0;
}

}  // namespace

double cache_bytes(int level) {
  // every sweeper asks when it is bound
  static const std::array<double, 3> bytes{found(1), found(2), found(3)};
  return bytes[static_cast<std::size_t>(level - 1)];
}

double assumed_cache_bytes(int level) {
  const double bytes = cache_bytes(level);
  return bytes > 0 ? bytes : level == 1 ? 32 << 10 : 1 << 20;
}

}  // namespace jacobi::machine
