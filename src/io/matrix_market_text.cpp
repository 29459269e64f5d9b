#include "io/matrix_market_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "core/team.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"

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

/// The first byte behind the line that byte `at` belongs to, at most `end`.
std::size_t line_end(const InputFile& file, std::size_t at, std::size_t end, std::string& buffer) {
  constexpr std::size_t most = 1 << 12, longest = 1 << 26;
  const std::size_t begin = at;
  while (at < end) {
    const std::span<const char> text = file.read(at, std::min(most, end - at), buffer);
    const auto found = std::find(text.begin(), text.end(), '\n');
    at += static_cast<std::size_t>(found - text.begin());
    if (found != text.end()) return at + 1;
    if (at - begin > longest)
      throw InputError(
          fmt::format("{}: no line ends in 64 MiB behind byte {}: this is no text", file.name(), begin));
  }
  return end;
}

}  // namespace

Pieces::Pieces(const InputFile& file, std::size_t begin, std::size_t end, std::size_t size)
    : file_(file), starts_{begin} {
  std::string buffer;
  while (starts_.back() < end) {
    const std::size_t least = std::min(end, starts_.back() + std::max<std::size_t>(size, 1)) - 1;
    starts_.push_back(line_end(file, least, end, buffer));
  }
}

std::span<const char> Pieces::read(Index i, std::string& buffer) const {
  const std::size_t first = start(i), size = start(i + 1) - first;
  const std::span<const char> piece = file_.read(first, size, buffer);
  if (piece.back() == '\n') return piece;
  std::string whole(piece.begin(), piece.end());  // the file's last line
  whole += '\n';
  buffer = std::move(whole);
  return buffer;
}

bool for_each_piece(const Pieces& pieces, const std::function<bool(std::span<const char>, Index)>& work) {
  std::atomic<bool> sound = true;
  std::exception_ptr failure;
  std::mutex one_at_a_time;
  std::atomic<Index> next = 0;
  run_team(pieces.count() > 1 ? whole_team() : 1, [&](const Member&) {
    std::string buffer;
    for (Index i = next++; sound && i < pieces.count(); i = next++) try {
        if (!work(pieces.read(i, buffer), i)) sound = false;
      } catch (...) {  // none may leave the body of a team
        const std::lock_guard lock(one_at_a_time);
        if (!failure) failure = std::current_exception();
        sound = false;
      }
  });
  if (failure) std::rethrow_exception(failure);
  return sound;
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
  return Number::underflowed;
}

namespace {

/// A number as its digits without zeros before and after them, and a power of ten.
struct Decimal {
  std::string digits;
  Index exponent = 0;
  bool operator==(const Decimal&) const = default;
};

/// Of a number that parse_number reads.
Decimal decimal(std::string_view word) {
  Decimal number;
  std::size_t at = word.find_first_not_of("+-");
  for (bool behind = false; at < word.size() && (is_digit(word[at]) || word[at] == '.'); ++at) {
    if (word[at] == '.') {
      behind = true;
      continue;
    }
    number.digits += word[at];
    if (behind) --number.exponent;
  }
  at = word.find_first_not_of("eEdD+", at);
  if (at < word.size()) {
    Index exponent = 0;
    const auto read = std::from_chars(word.data() + at, word.data() + word.size(), exponent);
    constexpr Index vast = Index{1} << 60;
    if (read.ec == std::errc::result_out_of_range || std::abs(exponent) > vast)
      exponent = word[at] == '-' ? -vast : vast;
    number.exponent += exponent;
  }
  while (number.digits.ends_with('0')) {
    number.digits.pop_back();
    ++number.exponent;
  }
  number.digits.erase(0, number.digits.find_first_not_of('0'));
  if (number.digits.empty()) number.exponent = 0;
  return number;
}

}  // namespace

Wholeness wholeness(std::string_view word, double value) {
  const Decimal number = decimal(word);
  const bool whole = number.exponent >= 0;
  return {whole, whole && std::isfinite(value) && number == decimal(fmt::format("{:.0f}", value))};
}

template <class T>
const char* read_unusual(const char* p, const Header& header, T& value) {
  const char* const begin = p;
  while (!is_blank(*p) && *p != '\n') ++p;
  const std::string_view word(begin, p);
  const Number number = parse_number(word, value);
  if (number == Number::too_large || number == Number::none) return nullptr;
  if (header.is.field == Field::integer) {
    double wide = 0;
    parse_number(word, wide);
    return wholeness(word, wide).exact && header.rule.allows(wide) ? p : nullptr;
  }
  if (number == Number::underflowed) header.note_underflow();
  return p;
}

template Number parse_number<float>(std::string_view, float&);
template Number parse_number<double>(std::string_view, double&);
template const char* read_unusual(const char*, const Header&, float&);
template const char* read_unusual(const char*, const Header&, double&);

}  // namespace jacobi::io::market
