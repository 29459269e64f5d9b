#include "core/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "jacobi/error.hpp"

namespace jacobi {

namespace {

double read_number(const char* path, double otherwise) {
  std::ifstream in(path);
  double value;
  return in >> value ? value : otherwise;  // "max" in a control group: no limit
}

}  // namespace

double available_memory() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  std::ifstream in("/proc/meminfo");
  std::string key, unit;
  double available = unlimited, kib;
  while (in >> key >> kib >> unit)
    if (key == "MemAvailable:") available = kib * 1024;
  const double limit = read_number("/sys/fs/cgroup/memory.max", unlimited);
  const double used = read_number("/sys/fs/cgroup/memory.current", 0);
  return std::min(available, std::max(0.0, limit - used));
}

std::string in_words(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int u = 0;
  for (; bytes >= 1024 && u < 6; ++u) bytes /= 1024;
  return u == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[u]);
}

void require_memory(double bytes, const std::string& what) {
  const double available = available_memory();
  if (bytes > available)
    throw BackendError(
        fmt::format("{} need {} of memory, {} are available: take fewer points or --precision float", what,
                    in_words(bytes), in_words(available)));
}

}  // namespace jacobi
