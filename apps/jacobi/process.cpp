#include "process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

#include "run.hpp"

namespace jacobi::cli {

namespace {

std::atomic<bool> is_inside{false}, is_mute{false};

/// One line whatever the user wrote: control characters as \n, \t, \x1b.
std::string in_one_line(const std::string& message) {
  std::string line;
  for (const char c : message)
    if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      line += fmt::format("\\x{:02x}", c);
    else
      line += c;
  return line;
}

std::string& kept_command_line() {
  static std::string line;
  return line;
}

/// As it stands where no shell sees anything in it, else in single quotes.
std::string quoted(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(harmless) == word.npos) return word;
  return in_quotes(word);
}

/// Uses of it fail as those of a closed one do, but its number is taken. Those below are open already.
void keep_closed(int stream, int flags) {
  if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", flags);
}

/// Without a word of any other code, which may be in the middle of anything.
[[noreturn]] void end_program(const char* what, const char* more = "") {
  tell("jacobi: ");
  tell(what);
  tell(more);
  tell("\n");
  std::_Exit(Exit::backend_failed);
}

[[noreturn]] void on_terminate() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    end_program("out of memory");
  } catch (const std::exception& error) {
    end_program("internal error, please report it: ", error.what());
  } catch (...) {
  }
  end_program("internal error, please report it");
}

/// Before anything of this program is made, as values of options are before main.
[[gnu::constructor(101)]] void take_terminate() { std::set_terminate(on_terminate); }

/// As libgomp does where no thread or no memory is left, with a code that would mean "not converged".
void on_exit_of_others() {
  if (is_inside)
    end_program("a library ended the program, for want of threads or memory: --threads 1 takes least");
}

}  // namespace

void mute() { is_mute = true; }

void tell(std::string_view text) noexcept {
  if (is_mute) return;
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    if (written == 0 || (written < 0 && errno != EINTR)) return;
  }
}

std::string complaint(const std::string& message) {
  return fmt::format("jacobi: {}\n", in_one_line(message));
}

void complain(const std::string& message) { tell(complaint(message)); }

void prepare_process() {
  keep_closed(STDIN_FILENO, O_WRONLY);
  keep_closed(STDOUT_FILENO, O_RDONLY);
  keep_closed(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  is_inside = true;
  std::atexit(on_exit_of_others);
}

std::string in_quotes(std::string_view word, std::string_view special) {
  std::string out = "'";
  for (const char c : word) {
    if (special.find(c) != special.npos) out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

void keep_command_line(int argc, const char* const* argv) {
  std::string& line = kept_command_line();
  line = "jacobi";
  for (int i = 1; i < argc; ++i) line += " " + quoted(argv[i]);
}

const std::string& command_line() { return kept_command_line(); }

void leave_process() { is_inside = false; }

}  // namespace jacobi::cli
