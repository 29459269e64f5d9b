#include "machine.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <string>

#include "core/teams.hpp"
#include "jacobi/simd.hpp"
#include "jacobi/version.hpp"
#include "machine/caches.hpp"
#include "process.hpp"

namespace jacobi::cli {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::array<double, 3> cache_sizes() {
  return {machine::cache_bytes(1), machine::cache_bytes(2), machine::cache_bytes(3)};
}

std::string date_now() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr))); }

nlohmann::ordered_json describe_machine() {
  nlohmann::ordered_json json;
  json["jacobi"] = version();
  json["command_line"] = command_line();
  json["date"] = date_now();
  json["processor"] = processor_name();
  json["cores"] = cores_of_affinity();
  json["cache_bytes"] = cache_sizes();
  json["simd"] = simd::chosen();
#if defined(__clang__)
  json["compiler"] = "Clang " __clang_version__;
#else
  json["compiler"] = "GCC " __VERSION__;
#endif
  return json;
}

}  // namespace jacobi::cli
