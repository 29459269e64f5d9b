/// Compiles programs by the C++ compiler that the tests are built with.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "emulated_words.hpp"
#include "objects.hpp"

namespace jacobi::opencl::emulated {

namespace {

namespace fs = std::filesystem;

/// Kept or, where nothing says where, for this process.
fs::path folder() {
  const std::string kept = setting("JACOBI_EMULATED_CACHE");
  const fs::path at = kept.empty()
                          ? fs::temp_directory_path() / ("jacobi-emulated-" + std::to_string(::getpid()))
                          : fs::path(kept);
  fs::create_directories(at);
  return at;
}

std::string content(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string changed(std::string text) {
  const std::string change = setting("JACOBI_EMULATED_CHANGE");
  const std::size_t arrow = change.find("=>");
  if (arrow == change.npos) return text;
  const std::string from = change.substr(0, arrow), to = change.substr(arrow + 2);
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Of every size: those that a program defines are those of a launch here.
std::string without_group_sizes(const std::string& text) {
  return std::regex_replace(text, std::regex("#define GROUP_[XY] [0-9]+\n"), "");
}

void* open_compiled(const std::string& text) {
  const fs::path base = folder() / std::to_string(std::hash<std::string>()(text)),
                 own = base.string() + "." + std::to_string(::getpid());
  const fs::path library = base.string() + ".so";
  if (!fs::exists(library)) {
    std::ofstream(own.string() + ".cpp") << text;
    const std::string log = own.string() + ".log";
    const std::string command = "LC_ALL=C " JACOBI_EMULATED_COMPILER
                                " -O1 -march=native -ffp-contract=off -w -fPIC -shared -o " +
                                own.string() + ".so " + own.string() + ".cpp > " + log + " 2>&1";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(content(log));
    fs::rename(own.string() + ".so", library);
    fs::remove(own.string() + ".cpp");
    fs::remove(log);
  }
  return ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

Compiled compile(std::string text) {
  text = without_group_sizes(changed(std::move(text)));
  std::smatch kernel;
  if (!std::regex_search(text, kernel, std::regex("__kernel[^(]*void (\\w+)\\(")))
    throw std::runtime_error("error: no kernel in the program");
  const std::string all = std::string(words) + text +
                          "\nextern \"C\" void jacobi_run(void** a) { jacobi_call(&" + kernel[1].str() +
                          ", a); }\n";
  void* const library = open_compiled(all);
  if (!library) throw std::runtime_error(std::string("error: ") + ::dlerror());
  return {reinterpret_cast<void (*)(void**)>(::dlsym(library, "jacobi_run")),
          reinterpret_cast<Item**>(::dlsym(library, "jacobi_item")),
          reinterpret_cast<void (**)()>(::dlsym(library, "jacobi_barrier"))};
}

}  // namespace jacobi::opencl::emulated
