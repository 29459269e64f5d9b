/// Lines, numbers and entries of Matrix Market text: the inner loops of reading. Internal to src/io.
#pragma once
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/input_file.hpp"
#include "io/matrix_market_header.hpp"
#include "io/words.hpp"

namespace jacobi::io::market {

/// A part of the text in pieces of whole lines; each ends in '\n', which stops every loop below, so that none
/// compares with an end.
class Pieces {
 public:
  /// Bytes begin ... end - 1 of the file, in pieces of about `size` each.
  Pieces(const InputFile& file, std::size_t begin, std::size_t end, std::size_t size);
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  Index bytes() const { return static_cast<Index>(starts_.back() - starts_.front()); }
  Index count() const { return static_cast<Index>(starts_.size()) - 1; }
  /// Where piece i begins in the file.
  std::size_t start(Index i) const { return starts_[static_cast<std::size_t>(i)]; }
  /// Piece i; `buffer` is for one that is not in memory. Throws: InputError where the file cannot be read.
  std::span<const char> read(Index i, std::string& buffer) const;

 private:
  const InputFile& file_;
  std::vector<std::size_t> starts_;
};

/// Calls work(piece, its number), which returns whether it is sound, for all pieces on all cores until one is
/// not; returns whether all were.
bool for_each_piece(const Pieces& pieces, const std::function<bool(std::span<const char>, Index)>& work);

/// What reading needs of a part of a file; its entries are read twice.
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

/// A line that holds an entry: its number in the file, its text from the first word to its '\n', the end of
/// the piece that it stands in, and where the next line begins in the file.
struct Line {
  Index number = 0;
  std::string_view text;
  const char* piece_end = nullptr;
  std::size_t next = 0;
};

/// Calls visit(line) for all lines of entries, one by one from the first, until it returns false.
template <class Visit>
void for_each_line(const Document& document, const Visit& visit) {
  std::string buffer;
  Index number = document.header.lines;
  for (Index i = 0; i < document.pieces.count(); ++i) {
    const std::span<const char> piece = document.pieces.read(i, buffer);
    const char *const begin = piece.data(), *const end = begin + piece.size();
    for (const char *p = begin, *next = p; p < end; p = next) {
      ++number;
      next = next_line(p, end);
      p = skip_blanks(p);
      if (*p == '\n' || *p == '%') continue;
      const std::size_t behind = document.pieces.start(i) + static_cast<std::size_t>(next - begin),
                        most = document.pieces.start(i + 1);  // the file's last line may lack its '\n'
      if (!visit(Line{number, {p, next - 1}, end, std::min(behind, most)})) return;
    }
  }
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

/// Digits alone, of a number that double holds whatever it is.
inline const char* read_integer(const char* p, std::int64_t& value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  const char* const begin = p;
  std::int64_t size = 0;
  for (unsigned digit; (digit = static_cast<unsigned>(*p) - '0') < 10; ++p) {
    size = 10 * size + digit;
    if (size > exact) return nullptr;
  }
  value = negative ? -size : size;
  return p > begin && *p <= ' ' ? p : nullptr;
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

/// underflowed: it was too small, and is 0.
enum class Number { finite, underflowed, too_large, none };

/// The whole of `word` as a number of type T, with what std::from_chars leaves out: '+', Fortran's exponents
/// (1.0D+00), and 0 for numbers too small.
template <class T>
Number parse_number(std::string_view word, T& value);

/// Whether `word`, a number, is a whole one: by its digits, not as rounded. exact: and `value`, which is the
/// double next to it, is that number.
struct Wholeness {
  bool whole = false, exact = false;
};
Wholeness wholeness(std::string_view word, double value);

/// The number at p, where the ways for usual ones do not go; notes one that underflowed.
template <class T>
const char* read_unusual(const char* p, const Header& header, T& value);

/// A finite number.
template <class T>
const char* read_finite(const char* p, const char* end, const Header& header, T& value) {
  if (end - p >= 8 && is_short(p))
    if (const char* const behind = read_short(p, value)) return behind;
  const auto [stop, error] = std::from_chars(p, end, value);
  if (error == std::errc() && *stop <= ' ') [[likely]]
    return std::isfinite(value) ? stop : nullptr;
  return read_unusual(p, header, value);
}

/// A whole number that double holds, in any form: 12, 1e3, 2.0.
template <class T>
const char* read_whole(const char* p, const Header& header, T& value) {
  std::int64_t whole = 0;
  const char* const behind = read_integer(p, whole);
  if (behind == nullptr) return read_unusual(p, header, value);
  value = static_cast<T>(whole);
  return header.rule.allows(static_cast<double>(whole)) ? behind : nullptr;
}

template <class T>
const char* read_value(const char* p, const char* end, const Header& header, T& value) {
  p = skip_blanks(p);
  return header.is.field == Field::real ? read_finite(p, end, header, value) : read_whole(p, header, value);
}

inline const char* read_line_end(const char* p) {
  p = skip_blanks(p);
  return *p == '\n' ? p + 1 : nullptr;
}

/// A place of the matrix, counted from 0.
struct Place {
  Index row = 0, column = 0;
};

/// Row and column, the latter 0 in a vector.
inline const char* read_place(const char* p, const Header& header, Place& place) {
  p = read_index(p, header.is.rows, place.row);
  if (header.vector || p == nullptr) return p;
  p = read_index(p, header.is.columns, place.column);
  return header.skew() && place.row == place.column ? nullptr : p;
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
