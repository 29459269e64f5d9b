#include "io/matrix_market_text.hpp"

#include <algorithm>

namespace jacobi::io::market {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a number that T cannot hold is too small rather than too large: with its exponent, its first digit
/// other than 0 stands behind the decimal point. number: without sign.
bool is_tiny(std::string_view number) {
  Index places = 0;
  bool behind = false, leading = true;
  std::size_t at = 0;
  for (; at < number.size() && (is_digit(number[at]) || number[at] == '.'); ++at) {
    if (number[at] == '.') {
      behind = true;
      continue;
    }
    leading = leading && number[at] == '0';
    if (leading == behind) places += leading ? -1 : 1;
  }
  at += 1;  // the letter e
  if (at < number.size() && number[at] == '+') ++at;
  Index exponent = 0;
  if (at < number.size()) {
    const auto read = std::from_chars(number.data() + at, number.data() + number.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) return number[at] == '-';
  }
  return places + exponent < 0;
}

}  // namespace

Pieces::Pieces(std::span<const char> text, std::size_t size) : bytes_(static_cast<Index>(text.size())) {
  const auto last = std::find(text.rbegin(), text.rend(), '\n');
  const std::span<const char> whole = text.first(static_cast<std::size_t>(text.rend() - last));
  for (std::size_t at = 0; at < whole.size();) {
    const std::size_t least = std::min(whole.size(), at + std::max<std::size_t>(size, 1)) - 1;
    const std::size_t end =
        static_cast<std::size_t>(next_line(&whole[least], whole.data() + whole.size()) - whole.data());
    pieces_.push_back(whole.subspan(at, end - at));
    at = end;
  }
  if (whole.size() == text.size()) return;
  last_line_.assign(text.begin() + static_cast<Index>(whole.size()), text.end());
  last_line_ += '\n';
  pieces_.push_back(last_line_);
}

template <class T>
Number parse_number(std::string_view word, T& value) {
  char copy[512];  // longer words are taken as they are
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  if (word.size() <= sizeof(copy)) {
    std::transform(word.begin(), word.end(), copy, [](char c) { return c == 'D' || c == 'd' ? 'e' : c; });
    word = {copy, word.size()};
  }
  const std::string_view unsigned_part = word.substr(word.starts_with('-') ? 1 : 0);
  if (unsigned_part.empty() || !(is_digit(unsigned_part[0]) || unsigned_part[0] == '.')) return Number::none;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return Number::none;
  if (error == std::errc()) return std::isfinite(value) ? Number::finite : Number::too_large;
  if (!is_tiny(unsigned_part)) return Number::too_large;
  value = word.starts_with('-') ? -T{0} : T{0};
  return Number::finite;
}

template Number parse_number<float>(std::string_view, float&);
template Number parse_number<double>(std::string_view, double&);

}  // namespace jacobi::io::market
