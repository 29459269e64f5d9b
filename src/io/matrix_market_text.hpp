/// Lines, numbers and entries of Matrix Market text: the inner loops of reading. Internal to src/io.
#pragma once
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "io/matrix_market_header.hpp"
#include "io/words.hpp"

namespace jacobi::io::market {

/// The text after the header in pieces of whole lines; each ends in '\n', which stops every loop below, so
/// that none compares with an end.
class Pieces {
 public:
  /// Of about `size` bytes each.
  Pieces(std::span<const char> text, std::size_t size);
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  Index bytes() const { return bytes_; }
  Index count() const { return static_cast<Index>(pieces_.size()); }
  std::span<const char> operator[](Index i) const { return pieces_[static_cast<std::size_t>(i)]; }

 private:
  Index bytes_;
  std::string last_line_;  ///< a copy, where the text ends without '\n'
  std::vector<std::span<const char>> pieces_;
};

/// What reading needs of a file; its entries are read twice.
struct Document {
  const std::string& name;
  const Header& header;
  const Pieces& pieces;
};

inline const char* skip_blanks(const char* p) {
  while (is_blank(*p)) ++p;
  return p;
}

/// Past the '\n' of the line at p.
inline const char* next_line(const char* p, const char* end) {
  for (const char* const near = p + 4; p < near;)
    if (*p++ == '\n') return p;
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p))) + 1;
}

/// The first word of the next line that is neither blank nor a comment; `end` where none is left.
inline const char* next_entry(const char* p, const char* end) {
  while (p < end) {
    p = skip_blanks(p);
    if (*p != '\n' && *p != '%') return p;
    p = next_line(p, end);
  }
  return end;
}

// The functions below return the place behind what they read, or null where it is something else.

/// A number of at least 1 and at most `largest`; sets `index` to one less.
inline const char* read_index(const char* p, Index largest, Index& index) {
  p = skip_blanks(p);
  if (*p == '+') ++p;
  std::uint64_t value = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') < 10; ++p) {
    value = 10 * value + digit;
    if (value > static_cast<std::uint64_t>(largest)) return nullptr;
  }
  index = static_cast<Index>(value) - 1;
  return index >= 0 && (is_blank(*p) || *p == '\n') ? p : nullptr;
}

inline const char* read_integer(const char* p, const ValueRule& rule, std::int64_t& value) {
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  const char* const begin = p;
  std::int64_t size = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') < 10; ++p) {
    size = 10 * size + digit;
    if (size > exact) return nullptr;
  }
  value = negative ? -size : size;
  return p > begin && value >= rule.lowest && value <= rule.highest ? p : nullptr;
}

/// A number of 1 to 7 digits, with or without a point, without exponent. Both the digits and the power of ten
/// are exact in T, so that one division rounds as it must.
/// Source: W. D. Clinger, "How to Read Floating Point Numbers Accurately", PLDI 1990.
template <class T>
const char* read_short(const char* p, T& value) {
  constexpr T powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  const bool negative = *p == '-';
  if (negative) ++p;
  const char* point = nullptr;
  int digits = 0, number = 0;
  for (;; ++p) {
    if (const unsigned digit = static_cast<unsigned>(*p) - '0'; digit < 10) {
      if (++digits > 7) return nullptr;
      number = 10 * number + static_cast<int>(digit);
    } else if (*p == '.' && point == nullptr) {
      point = p;
    } else {
      break;
    }
  }
  if (digits == 0 || *p > ' ') return nullptr;
  value = static_cast<T>(number);
  if (point != nullptr) value /= powers[p - point - 1];
  if (negative) value = -value;
  return p;
}

/// Whether the word at p ends within 8 bytes; now and then also where one is not ASCII.
inline bool is_short(const char* p) {
  constexpr std::uint64_t in_all = 0x0101010101010101, top_bits = 0x80 * in_all;
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof(bytes));
  return ((bytes - '!' * in_all) & top_bits) != 0;
}

enum class Number { finite, too_large, none };

/// The whole of `word` as a number of type T, with what std::from_chars leaves out: '+', Fortran's exponents
/// (1.0D+00), and 0 for numbers too small.
template <class T>
Number parse_number(std::string_view word, T& value);

/// A finite number.
template <class T>
const char* read_finite(const char* p, const char* end, T& value) {
  if (end - p >= 8 && is_short(p))
    if (const char* const behind = read_short(p, value)) return behind;
  const auto [stop, error] = std::from_chars(p, end, value);
  if (error == std::errc() && *stop <= ' ') [[likely]]
    return std::isfinite(value) ? stop : nullptr;
  const char* const begin = p;
  while (!is_blank(*p) && *p != '\n') ++p;
  return parse_number(std::string_view(begin, p), value) == Number::finite ? p : nullptr;
}

template <class T>
const char* read_value(const char* p, const char* end, const Header& header, T& value) {
  p = skip_blanks(p);
  const ValueRule& rule = header.rule;
  if (header.is.field == Field::real) {
    p = read_finite(p, end, value);
    if (rule.whole && p != nullptr && !rule.allows(value)) return nullptr;
  } else {
    std::int64_t whole = 0;
    p = read_integer(p, rule, whole);
    value = static_cast<T>(whole);
  }
  return p;
}

inline const char* read_line_end(const char* p) {
  p = skip_blanks(p);
  return *p == '\n' ? p + 1 : nullptr;
}

/// A place of the matrix, counted from 0.
struct Place {
  Index row = 0, column = 0;
};

/// Row and column; in symmetric storage, of the lower triangle.
inline const char* read_place(const char* p, const Header& header, Place& place) {
  p = read_index(p, header.is.rows, place.row);
  if (p != nullptr) p = read_index(p, header.is.columns, place.column);
  const bool stored = !header.mirrored() || place.row >= place.column + (header.skew() ? 1 : 0);
  return stored ? p : nullptr;
}

/// A whole line of a coordinate file, from its first word; its end included.
template <class T>
const char* read_entry(const char* p, const char* end, const Header& header, Place& place, T& value) {
  p = read_place(p, header, place);
  if (header.is.field == Field::pattern)
    value = 1;
  else if (p != nullptr)
    p = read_value(p, end, header, value);
  return p != nullptr ? read_line_end(p) : nullptr;
}

/// A whole line of an array file, likewise.
template <class T>
const char* read_element(const char* p, const char* end, const Header& header, T& value) {
  p = read_value(p, end, header, value);
  return p != nullptr ? read_line_end(p) : nullptr;
}

}  // namespace jacobi::io::market
