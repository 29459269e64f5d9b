#include "jacobi/backend.hpp"

#include <fmt/format.h>

#include <array>

#include "backend/cpu/cpu.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

struct Known {
  const char* name;
  const char* note;
  const char* cure;
};
/// All that this version knows of; backends.inc lists those compiled in.
constexpr std::array<Known, 2> known = {{
    {"serial", "one thread", ""},
    {"threads", "OpenMP and C++ parallel algorithms", "-DJACOBI_OPENMP=ON"},
}};

bool compiled(std::string_view name) {
#define JACOBI_BACKEND(word) \
  if (name == #word) return true;
#include "backends.inc"
#undef JACOBI_BACKEND
  return false;
}

int parse_threads(std::string_view text) {
  int threads = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || threads > 100000)
      throw UsageError(fmt::format("'{}' is not a number of threads", text));
    threads = 10 * threads + (c - '0');
  }
  const int most = 4 * available_cores();
  if (threads < 1 || threads > most)
    throw UsageError(fmt::format("{} threads: give 1 to {} (4 per core; this process may use {} cores)",
                                 threads, most, available_cores()));
  return threads;
}

}  // namespace

std::shared_ptr<const Backend> backend(std::string_view name) {
  if (name.empty()) name = compiled("threads") ? "threads" : "serial";
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  std::string names;
  for (const Known& one : known) {
    names += (names.empty() ? "" : ", ") + std::string(one.name);
    if (kind != one.name) continue;
    if (!compiled(kind))
      throw BackendError(fmt::format("backend '{}' is not in this build: configure with {}", kind, one.cure));
    if (kind == "serial" && colon != name.npos)
      throw UsageError(fmt::format("backend '{}': serial takes no number of threads", name));
    if (kind == "serial") return cpu::make("serial", 1, false);
    const int threads = colon == name.npos ? available_cores() : parse_threads(name.substr(colon + 1));
    return cpu::make(fmt::format("threads:{}", threads), threads, colon == name.npos);
  }
  throw UsageError(fmt::format("there is no backend '{}': this version knows {}", kind, names));
}

std::vector<BackendInfo> backends() {
  std::vector<BackendInfo> list;
  for (const Known& one : known) {
    const bool here = compiled(one.name);
    list.push_back(
        {one.name, here, here,
         here ? std::string(one.note) : fmt::format("not in this build: configure with {}", one.cure)});
  }
  return list;
}

}  // namespace jacobi
