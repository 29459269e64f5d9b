#include <fmt/format.h>

#include <charconv>
#include <type_traits>

#include "io/matrix_market_parts.hpp"
#include "io/vanished.hpp"
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
  const ValueRule& rule = header.rule;
  const bool integer = header.is.field == Field::integer, finite = number != Number::too_large;
  const Wholeness is = integer ? wholeness(word, value) : Wholeness{true, true};
  if (integer && !rule.type.empty() && !(is.whole && finite && rule.allows(value)))
    return fmt::format("value {} does not fit type {}, which line {} names", shown, rule.type, rule.line);
  if (!is.whole)
    return fmt::format("value {} is not a whole number, but the banner says integer: write real there",
                       shown);
  if (!is.exact && finite)
    return fmt::format(
        "value {} is beyond 2^53 and has no exact double: write real in the banner to have it "
        "rounded",
        shown);
  if (number == Number::too_large) return fmt::format("value {} is beyond the largest double", shown);
  T narrow = 0;
  if (std::is_same_v<T, float> && parse_number(word, narrow) == Number::too_large)
    return fmt::format("value {} is beyond the largest float; read it as double", shown);
  return "";
}

std::string triangle_fault(const Header& header, Index row, Index column) {
  if (!header.skew() || row != column) return "";
  return fmt::format(
      "entry ({}, {}) lies on the diagonal, which is 0 in skew-symmetric storage and not stored", row,
      column);
}

/// Why `line` is no entry; "" where it is one.
template <class T>
std::string line_fault(std::string_view line, const Header& header) {
  const std::vector<std::string_view> words = words_of(line);
  const MatrixMarketHeader& is = header.is;
  const bool pattern = is.field == Field::pattern;
  const char* form = !is.coordinate  ? "'value'"
                     : header.vector ? (pattern ? "'row'" : "'row value'")
                     : pattern       ? "'row column'"
                                     : "'row column value'";
  std::size_t at = 0;
  if (is.coordinate) {
    Index row = 0, column = 0;
    std::string fault = index_fault(words[at++], "row", is.rows, row);
    if (fault.empty() && !header.vector && words.size() > at)
      fault = index_fault(words[at++], "column", is.columns, column);
    if (fault.empty() && column > 0) fault = triangle_fault(header, row, column);
    if (!fault.empty()) return fault;
  }
  const std::size_t wanted = (!is.coordinate ? 0U : header.vector ? 1U : 2U) + (pattern ? 0U : 1U);
  if (words.size() < wanted) return fmt::format("too few numbers: {} expected", form);
  if (!pattern) {
    std::string fault = value_fault<T>(words[at++], header);
    if (!fault.empty()) return fault;
  }
  if (words.size() > at) return fmt::format("'{}' after the entry: {} expected", printable(words[at]), form);
  return "";
}

template <class T>
bool is_sound(const Line& line, const Header& header) {
  Place place;
  T value;
  const char* const p = line.text.data();
  return (header.is.coordinate ? read_entry(p, line.piece_end, header, place, value)
                               : read_element(p, line.piece_end, header, value)) != nullptr;
}

}  // namespace

template <class T>
void diagnose(const Document& document) {
  const auto& [name, header, pieces] = document;
  const Index announced = header.is.entries;
  const std::string origin = header.is.coordinate ? fmt::format("announced in line {}", header.size_line)
                                                  : fmt::format("of the size in line {}", header.size_line);
  Index last = header.lines, found = 0;
  for_each_line(document, [&, &name = name, &header = header](const Line& line) {
    if (++found > announced)
      throw InputError(
          fmt::format("{}:{}: more than the {} entries {}", name, line.number, announced, origin));
    last = line.number;
    if (is_sound<T>(line, header)) return true;
    const std::string fault = line_fault<T>(line.text, header);
    throw InputError(fmt::format("{}:{}: {}{}", name, line.number,
                                 fault.empty() ? "not a legal entry" : fault,
                                 is_broken_by_cr(line.text) ? advice_on_cr : ""));
  });
  if (found < announced)
    throw InputError(
        fmt::format("{}:{}: the file ends after {} of the {} entries {}; it is cut off, or its "
                    "size line wrong",
                    name, last, found, announced, origin));
  throw InputError(fmt::format("{}: the file was changed while being read; read it again", name));
}

template void diagnose<float>(const Document&);
template void diagnose<double>(const Document&);

template <class T>
void list_underflows(const Document& document, MatrixFile<T>& file) {
  constexpr std::size_t most = 1000;
  const Header& header = document.header;
  Index count = 0;
  for_each_line(document, [&](const Line& line) {
    Place place;
    T value = 1;
    const char* const p = line.text.data();
    header.is.coordinate ? read_entry(p, line.piece_end, header, place, value)
                         : read_element(p, line.piece_end, header, value);
    if (value != 0) return true;
    const auto words = words_of(line.text);
    if (T ignored; parse_number(words.back(), ignored) != Number::underflowed) return true;
    ++count;
    const bool of_array = !header.is.coordinate;
    if (of_array) place = {-1, -1};
    if (count == 1 || (place.row == place.column && file.underflows.size() < most))
      file.underflows.push_back({line.number, place.row, place.column, printable(words.back())});
    return true;
  });
  if (count == 0) return;
  const auto& first = file.underflows.front();
  file.notes.push_back(fmt::format("{}:{}: {} is too small for {} and taken as 0{}", document.name,
                                   first.line, first.word, sizeof(T) == sizeof(double) ? "double" : "float",
                                   and_more(count)));
}

template void list_underflows(const Document&, MatrixFile<float>&);
template void list_underflows(const Document&, MatrixFile<double>&);

}  // namespace jacobi::io::market
