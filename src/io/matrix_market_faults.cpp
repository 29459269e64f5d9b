#include <fmt/format.h>

#include <charconv>
#include <type_traits>

#include "io/matrix_market_parts.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io::market {
namespace {

bool is_whole(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Sets the index that `word` stands for, counted from 1, or says why it stands for none.
std::string index_fault(std::string_view word, const char* what, Index largest, Index& index) {
  if (!is_whole(word)) return fmt::format("{} '{}' is not a whole number", what, printable(word));
  const char* const begin = word.data() + (word[0] == '+' ? 1 : 0);
  const bool fits = std::from_chars(begin, word.data() + word.size(), index).ec == std::errc();
  if (word[0] == '-' || (fits && index < 1))
    return fmt::format("{} {} is below 1, where counting starts", what, printable(word));
  if (!fits || index > largest) return fmt::format("{} {} exceeds {}", what, printable(word), largest);
  return "";
}

/// Why `word` is no value of the file; "" where it is one.
template <class T>
std::string value_fault(std::string_view word, const Header& header) {
  const std::string shown = printable(word);
  std::string size = lower_case(word);
  if (size[0] == '+' || size[0] == '-') size.erase(0, 1);
  if (size.starts_with("nan") || size == "inf" || size == "infinity")
    return fmt::format("value {} is not finite", shown);
  double value = 0;
  const Number number = parse_number(word, value);
  if (number == Number::none) return fmt::format("'{}' is not a number", shown);
  const bool integer = header.is.field == Field::integer;
  const ValueRule& rule = header.rule;
  if (integer && !is_whole(word))
    return fmt::format("value {} is not a whole number, but the banner says integer", shown);
  const bool allowed = number == Number::finite && rule.allows(value);
  if (rule.whole && !allowed)
    return fmt::format("value {} does not fit type {}, which line {} names", shown, rule.type, rule.line);
  std::int64_t whole = 0;
  if (integer && read_integer((std::string(word) + '\n').c_str(), {}, whole) == nullptr)
    return fmt::format("value {} is beyond 2^53 and has no exact double", shown);
  if (number == Number::too_large) return fmt::format("value {} is beyond the largest double", shown);
  T narrow = 0;
  if (std::is_same_v<T, float> && parse_number(word, narrow) == Number::too_large)
    return fmt::format("value {} is beyond the largest float; read it as double", shown);
  return "";
}

std::string triangle_fault(const Header& header, Index row, Index column) {
  if (header.skew() && row == column)
    return fmt::format(
        "entry ({}, {}) lies on the diagonal, which is 0 in skew-symmetric storage and not stored", row,
        column);
  if (header.mirrored() && row < column)
    return fmt::format("entry ({}, {}) lies above the diagonal; {} storage holds the lower triangle only",
                       row, column, header.skew() ? "skew-symmetric" : "symmetric");
  return "";
}

/// Why `line` is no entry; "" where it is one.
template <class T>
std::string line_fault(std::string_view line, const Header& header) {
  const std::vector<std::string_view> words = words_of(line);
  const MatrixMarketHeader& is = header.is;
  const char* form = !is.coordinate               ? "'value'"
                     : is.field == Field::pattern ? "'row column'"
                                                  : "'row column value'";
  std::size_t at = 0;
  if (is.coordinate) {
    Index row = 0, column = 0;
    std::string fault = index_fault(words[at++], "row", is.rows, row);
    if (fault.empty() && words.size() > at) fault = index_fault(words[at++], "column", is.columns, column);
    if (fault.empty() && column > 0) fault = triangle_fault(header, row, column);
    if (!fault.empty()) return fault;
  }
  const std::size_t wanted = is.field == Field::pattern ? 2 : at + 1;
  if (words.size() < wanted) return fmt::format("too few numbers: {} expected", form);
  if (is.field != Field::pattern) {
    std::string fault = value_fault<T>(words[at++], header);
    if (!fault.empty()) return fault;
  }
  if (words.size() > at) return fmt::format("'{}' after the entry: {} expected", printable(words[at]), form);
  return "";
}

template <class T>
bool is_sound(const char* p, const char* end, const Header& header) {
  Place place;
  T value;
  return (header.is.coordinate ? read_entry(p, end, header, place, value)
                               : read_element(p, end, header, value)) != nullptr;
}

}  // namespace

template <class T>
void diagnose(const Document& document) {
  const auto& [name, header, pieces] = document;
  const Index announced = header.is.entries;
  const std::string origin = header.is.coordinate ? fmt::format("announced in line {}", header.size_line)
                                                  : fmt::format("of the size in line {}", header.size_line);
  Index line = header.size_line, last = line, found = 0;
  for (Index i = 0; i < pieces.count(); ++i) {
    const char* const end = pieces[i].data() + pieces[i].size();
    for (const char *p = pieces[i].data(), *next = p; p < end; p = next) {
      ++line;
      next = next_line(p, end);
      p = skip_blanks(p);
      if (*p == '\n' || *p == '%') continue;
      if (++found > announced)
        throw InputError(fmt::format("{}:{}: more than the {} entries {}", name, line, announced, origin));
      last = line;
      if (is_sound<T>(p, end, header)) continue;
      const std::string fault = line_fault<T>({p, next - 1}, header);
      throw InputError(fmt::format("{}:{}: {}", name, line, fault.empty() ? "not a legal entry" : fault));
    }
  }
  if (found < announced)
    throw InputError(
        fmt::format("{}:{}: the file ends after {} of the {} entries {}; it is cut off, or its "
                    "size line wrong",
                    name, last, found, announced, origin));
  throw InputError(fmt::format("{}: the file was changed while being read; read it again", name));
}

template void diagnose<float>(const Document&);
template void diagnose<double>(const Document&);

}  // namespace jacobi::io::market
