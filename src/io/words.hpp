/// Words in lines of text: for parsers, their messages, and what holds text of others.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jacobi::io {

/// Between words; '\r' is here for line ends CR LF.
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The first words of a line, `most` of them if it has more.
inline std::vector<std::string_view> words_of(std::string_view line, std::size_t most = 8) {
  std::vector<std::string_view> words;
  const auto end = line.end();
  for (auto at = line.begin(); words.size() < most;) {
    const auto begin = std::find_if_not(at, end, is_blank);
    if (begin == end) break;
    at = std::find_if(begin, end, is_blank);
    words.emplace_back(begin, at);
  }
  return words;
}

/// Whether a CR stands within a line, where old Macs ended one.
inline bool is_broken_by_cr(std::string_view line) {
  const std::size_t cr = line.find('\r');
  return cr != line.npos && line.find_first_not_of('\r', cr) != line.npos;
}
constexpr const char* advice_on_cr =
    "; lines end in CR alone, as on old Macs: convert them with tr '\\r' '\\n'";

/// ASCII letters in lower case.
inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Text between tags of XML and HTML, or in quotes within one.
inline std::string for_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
  return escaped;
}

/// For messages: text from a file, shortened, control characters and bytes beyond ASCII replaced.
inline std::string printable(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown(text.substr(0, longest));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return text.size() > longest ? shown + "..." : shown;
}

}  // namespace jacobi::io
