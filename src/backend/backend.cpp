#include "jacobi/backend.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "backend/cpu/cpu.hpp"
#include "backend/cuda/cuda.hpp"
#include "backend/opencl/opencl.hpp"
#include "core/teams.hpp"
#include "core/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

using Open = std::shared_ptr<const Backend> (*)(std::string_view name,
                                                std::optional<std::string_view> number);
struct Known {
  const char* name;
  const char* cure;
  bool on_device = false;  ///< numbers are those of devices
  Open open = nullptr;     ///< none: not compiled in
  BackendInfo (*about)() = nullptr;
};

int parse_threads(std::string_view text) {
  int threads = 0;
  if (text.empty()) throw UsageError("a number of threads is missing: for example threads:2");
  for (const char c : text) {
    if (c < '0' || c > '9' || threads > 100000)
      throw UsageError(fmt::format("'{}' is not a number of threads", text));
    threads = 10 * threads + (c - '0');
  }
  const int most = 4 * cores_of_affinity();  // a number is an order, whatever else would leave fewer
  if (threads < 1 || threads > most)
    throw UsageError(fmt::format("{} threads: give 1 to {} (4 per core; this process may use {})", threads,
                                 most, counted(cores_of_affinity(), "core")));
  return threads;
}

namespace serial {
std::shared_ptr<const Backend> open(std::string_view name, std::optional<std::string_view> number) {
  if (number) throw UsageError(fmt::format("backend '{}': serial takes no number of threads", name));
  return cpu::make("serial", 1, false);
}
BackendInfo about() { return {"serial", true, true, "one thread"}; }
}  // namespace serial

namespace threads {
std::shared_ptr<const Backend> open(std::string_view, std::optional<std::string_view> number) {
  const int count = number ? parse_threads(*number) : available_cores();
  return cpu::make(fmt::format("threads:{}", count), count, !number);
}
BackendInfo about() { return {"threads", true, true, "threads of the system"}; }
}  // namespace threads

/// All that this version knows of; backends.inc lists those compiled in.
std::array<Known, 4> known_backends() {
  std::array<Known, 4> known = {{{"serial", ""},
                                 {"threads", ""},
                                 {"cuda", "-DJACOBI_CUDA=ON", true},
                                 {"opencl", "-DJACOBI_OPENCL=ON", true}}};
  for (Known& one : known) {
#define JACOBI_BACKEND(word) \
  if (one.name == std::string_view(#word)) one.open = word::open, one.about = word::about;
#include "backends.inc"
#undef JACOBI_BACKEND
  }
  return known;
}

}  // namespace

std::shared_ptr<const Backend> backend(std::string_view name) {
  const auto known = known_backends();
  if (name.empty()) name = "threads";
  const std::size_t colon = name.find(':');
  const std::string_view kind = name.substr(0, colon);
  std::string names;
  for (const Known& one : known) {
    names += (names.empty() ? "" : ", ") + std::string(one.name);
    if (kind != one.name) continue;
    if (!one.open)
      throw BackendError(fmt::format("backend '{}' is not in this build: configure with {}", kind, one.cure));
    return one.open(name, colon == name.npos ? std::nullopt : std::optional(name.substr(colon + 1)));
  }
  throw UsageError(fmt::format("there is no backend '{}': this version knows {}", kind, names));
}

bool counts_threads(std::string_view name) {
  const std::string_view kind = name.substr(0, name.find(':'));
  for (const Known& one : known_backends())
    if (kind == one.name) return !one.on_device;
  return true;
}

std::vector<BackendInfo> backends() {
  std::vector<BackendInfo> list;
  for (const Known& one : known_backends())
    list.push_back(one.about ? one.about()
                             : BackendInfo{one.name, false, false,
                                           fmt::format("not in this build: configure with {}", one.cure)});
  return list;
}

}  // namespace jacobi
