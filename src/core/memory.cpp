#include "core/memory.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <vector>

#include "core/clock.hpp"
#include "core/control_groups.hpp"
#include "core/memory_limits.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The number behind `key` in a file of "key number" lines; 0 where there is none.
double read_entry(const std::string& path, const std::string& key) {
  std::ifstream in(path);
  std::string name, rest;
  for (double value; in >> name >> value; std::getline(in, rest))
    if (name == key) return value;
  return 0;
}

/// What the control groups leave.
double left_in_groups(const std::string& root) {
  double left = unlimited;
  for_each_group(root, "memory", [&](const std::string& folder, int version) {
    const auto take = [&](std::initializer_list<const char*> limits, const char* usage, const char* cache) {
      double limit = unlimited;
      for (const char* file : limits) limit = std::min(limit, read_number(folder + file, unlimited));
      if (limit == unlimited) return;
      // less what the system takes back where more is asked for
      const double used = read_number(folder + usage, 0) - read_entry(folder + "memory.stat", cache);
      left = std::min(left, limit - std::max(0.0, used));
    };
    version == 2 ? take({"memory.max", "memory.high"}, "memory.current", "inactive_file")
                 : take({"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file");
  });
  return left;
}

/// What this process' own limits leave: of address space and of data, which an allocation takes both of.
double left_in_limits() {
  double size = 0, data = 0, other = 0;
  std::ifstream("/proc/self/statm") >> size >> other >> other >> other >> other >> data;
  const double page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const auto left = [&](auto resource, double pages) {
    rlimit limit{};
    const bool limited = ::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? static_cast<double>(limit.rlim_cur) - pages * page : unlimited;
  };
  return std::min(left(RLIMIT_AS, size), left(RLIMIT_DATA, data));
}

/// Bytes behind `key` in /proc/self/status; not getrusage's, whose most is that of the program before exec,
/// too.
double status_of_process(const std::string& key) {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(key)) return 1024 * std::strtod(line.c_str() + key.size(), nullptr);
  return 0;
}

}  // namespace

double memory_taken() { return status_of_process("VmRSS:"); }
double memory_taken_at_most() { return status_of_process("VmHWM:"); }

double memory_left_by_the_system(const std::string& root) {
  std::ifstream in(root + "/proc/meminfo");
  std::string key, unit;
  double available = unlimited, kib;
  while (in >> key >> kib >> unit)
    if (key == "MemAvailable:") available = kib * 1024;
  return std::max(0.0, std::min(available, left_in_groups(root)));
}

/// The least of what the system, the process' control group and all that it lies in, and its limits of
/// address space and data leave.
double available_memory() { return std::max(0.0, std::min(memory_left_by_the_system(), left_in_limits())); }

std::string in_words(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int u = 0;
  for (; bytes >= 1024 && u < 6; ++u) bytes /= 1024;
  return u == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[u]);
}

namespace {

std::mutex asking;
/// A fork waits for the thread that asks, so that the child does not wait for it for ever.
[[maybe_unused]] const int fork_waits =
    ::pthread_atfork([] { asking.lock(); }, [] { asking.unlock(); }, [] { asking.unlock(); });

void refuse_beyond(double available, double bytes, const std::string& what_needs, const std::string& cure) {
  if (bytes > available)
    throw BackendError(fmt::format("{} {} of memory, {} are available: {}", what_needs, in_words(bytes),
                                   in_words(available), cure));
}

}  // namespace

/// The files of the system and of control groups are read again where it matters, or after a while: a small
/// problem is bound faster than they are read.
void require_memory(double bytes, const std::string& what) {
  static double available = 0;
  static Clock::time_point read;
  const std::lock_guard lock(asking);
  available -= bytes;
  if (available < 15 * bytes || seconds_since(read) > 0.1) {
    available = available_memory();
    read = Clock::now();
  }
  refuse_beyond(available, bytes, what + " need", "take fewer points or --precision float");
}

void require_room(double bytes, const std::string& what_needs, const std::string& cure) {
  refuse_beyond(available_memory(), bytes, what_needs, cure);
}

}  // namespace jacobi
