#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace jacobi::cli {

namespace {

constexpr const char* green = "\033[32m";
constexpr const char* red = "\033[31m";
constexpr const char* yellow = "\033[33m";
constexpr const char* as_before = "\033[0m";

}  // namespace

std::size_t columns_of(int stream) {
  winsize size{};
  if (::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  std::size_t columns = 0;
  if (const char* given = std::getenv("COLUMNS")) std::from_chars(given, given + std::strlen(given), columns);
  return columns > 0 ? columns : 80;
}

bool can_renew_lines() {
  const char* kind = std::getenv("TERM");
  return kind && *kind != '\0' && std::strcmp(kind, "dumb") != 0;
}

bool has_colour(int stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (!no_colour || *no_colour == '\0') && can_renew_lines() && ::isatty(stream);
}

std::string painted(const std::string& report, bool good) {
  if (!has_colour(STDOUT_FILENO)) return report;
  std::string text;
  for (std::size_t begin = 0; begin < report.size();) {
    const std::size_t end = std::min(report.find('\n', begin), report.size());
    const std::string line = report.substr(begin, end - begin);
    const bool is_note = line.starts_with("  note: ");
    const char* colour = begin == 0 ? good ? green : red : is_note ? yellow : "";
    text += colour + line + (*colour ? as_before : "") + "\n";
    begin = end + 1;
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string out;
  std::size_t used = indent;
  const auto new_line = [&] {
    out += "\n" + std::string(indent, ' ');
    used = indent;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      new_line();
      ++at;
      continue;
    }
    const std::size_t blanks = std::min(text.find_first_not_of(' ', at), text.size()) - at;
    const std::size_t end = std::min(text.find_first_of(" \n", at + blanks), text.size());
    const std::size_t word = end - at - blanks;
    if (word > 0 && used > indent && used + blanks + word > columns) {
      new_line();
      out += text.substr(at + blanks, word);
      used += word;
    } else {
      out += text.substr(at, end - at);
      used += end - at;
    }
    at = end;
  }
  return out;
}

}  // namespace jacobi::cli
