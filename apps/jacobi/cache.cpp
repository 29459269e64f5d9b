#include "cache.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "io/atomic_file.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// What nlohmann::json does with a value beside parsing it goes as deep into the stack as values are nested:
/// no file of ours nests them deeper than this.
ordered_json parse_shallow(std::istream& in) {
  constexpr int deepest = 16;
  return ordered_json::parse(in, [](int depth, ordered_json::parse_event_t, const ordered_json&) {
    if (depth > deepest) throw std::runtime_error("nested too deep");
    return true;
  });
}

}  // namespace

std::string cache_path(const std::string& name) {
  if (const std::string folder = setting("JACOBI_CACHE"); !folder.empty()) return fs::path(folder) / name;
  if (const fs::path cache = setting("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "jacobi" / name;
  if (const fs::path home = setting("HOME"); !home.empty()) return home / ".cache" / "jacobi" / name;
  return {};
}

std::string read_cached(const std::string& path, const char* what,
                        const std::function<std::string(const ordered_json&)>& take) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(fs::symlink_status(path, ignored))) return {};
  const auto ignore = [&](const std::string& why) { return fmt::format("{} is ignored: {}", path, why); };
  std::ifstream in(path);
  if (!fs::is_regular_file(path, ignored) || !in) return ignore("it cannot be read");
  try {
    const std::string why = take(parse_shallow(in));
    return why.empty() ? why : ignore(why);
  } catch (const std::exception&) {
    return ignore(fmt::format("it is not a file of {}", what));
  }
}

void prepare_cached(const std::string& path) {
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (failed)
    throw InputError(fmt::format("{}: its folder cannot be made: {}; JACOBI_CACHE=FOLDER names another one",
                                 path, failed.message()));
  io::check_writable(path);
}

void write_cached(const std::string& path, const std::function<void(std::ostream&)>& write) {
  prepare_cached(path);
  io::write_atomically(path, write);
}

}  // namespace jacobi::cli
