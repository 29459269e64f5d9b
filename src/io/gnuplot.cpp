#include "io/gnuplot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/chart.hpp"
#include "jacobi/error.hpp"

extern char** environ;

namespace jacobi::io {
namespace {

/// A file in memory, which no full disk can fail: unlike pipes, three of them between two processes cannot
/// block each other.
class Scratch {
 public:
  Scratch() : file_(::fdopen(::memfd_create("gnuplot", MFD_CLOEXEC), "w+"), std::fclose) {
    if (!file_) throw BackendError(fmt::format("pictures need a file in memory: {}", std::strerror(errno)));
  }
  int descriptor() const { return ::fileno(file_.get()); }

  void put(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    if (!written || std::fflush(file_.get()) != 0)
      throw BackendError(fmt::format("pictures need a file in memory: {}", std::strerror(errno)));
    std::rewind(file_.get());
  }
  std::string take() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 1 << 14> part{};
    while (const std::size_t got = std::fread(part.data(), 1, part.size(), file_.get()))
      text.append(part.data(), got);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// The status of `gnuplot -d -` (default settings, no user's start file) as waitpid gives it. In a group of
/// its own: a signal to ours that ends a solve, as Ctrl-C does, leaves the solve's picture.
int spawn_and_wait(const Scratch& in, const Scratch& out, const Scratch& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::array<char, 8> program{"gnuplot"};
  std::array<char, 3> defaults{"-d"};
  std::array<char, 2> standard_input{"-"};
  std::array<char*, 4> arguments{program.data(), defaults.data(), standard_input.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.data(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw BackendError(fmt::format("gnuplot cannot be started: {}", std::strerror(error)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw BackendError(fmt::format("gnuplot was lost: {}", std::strerror(errno)));
  return status;
}

/// Several lines as one, blanks trimmed.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

bool gnuplot_available() {
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const std::filesystem::path program = std::filesystem::path(folders.substr(0, end)) / "gnuplot";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
      return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

std::string run_gnuplot(std::string_view script) {
  if (!gnuplot_available())
    throw BackendError("pictures need gnuplot: install it with 'apt-get install gnuplot-nox'");
  Scratch in, out, err;
  in.put(script);
  const int status = spawn_and_wait(in, out, err);
  std::string picture = out.take();
  const std::string said = one_line(err.take());
  if (WIFSIGNALED(status))
    throw BackendError(fmt::format("gnuplot was ended by signal {}: {}", WTERMSIG(status), said));
  if (WEXITSTATUS(status) != 0)
    throw BackendError(fmt::format("gnuplot failed with exit status {}: {}", WEXITSTATUS(status), said));
  if (picture.empty()) throw BackendError(fmt::format("gnuplot drew nothing: {}", said));
  return picture;
}

// Letters, digits and UTF-8 stand for themselves, everything else is an octal escape (of four digits: after a
// leading 0 gnuplot reads up to four): quotes, backslashes, `commands` and @macros never reach its parser.
std::string gnuplot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       c == ' ' || (c & 0x80) != 0;
    const bool shown = c == '\n' || c > ' ';
    if (plain)
      quoted += c;
    else
      quoted += shown ? fmt::format("\\{:04o}", static_cast<unsigned>(c)) : " ";
  }
  return quoted + "\"";
}

}  // namespace jacobi::io
