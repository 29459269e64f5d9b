#include "io/matrix_market_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io::market {
namespace {

constexpr std::string_view banner_word = "%%matrixmarket";
constexpr Index largest_size = Index{1} << 60;  // ten times as much still fits std::uint64_t

/// Walks through the lines before the entries; every error names the file and the line.
class HeaderReader {
 public:
  HeaderReader(std::span<const char> text, const std::string& name)
      : text_(text.data(), text.size()), name_(name) {}

  Header read();

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", name_, number_, what));
  }
  void refuse_npy() const;
  std::optional<std::string_view> next_line();
  void first_line(std::string_view line);
  void banner(const std::vector<std::string_view>& words);
  void symmetry(const std::string& word);
  void comment(std::string_view line);
  void graphblas(std::string_view type);
  void size_line(std::string_view line);
  Index size(std::string_view word, const char* what) const;
  void array_entries();

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  Index number_ = 1;  ///< of the line taken last
  bool has_banner_ = false;
  Header header_;
};

std::optional<std::string_view> HeaderReader::next_line() {
  if (at_ == text_.size()) return std::nullopt;
  if (at_ > 0) ++number_;
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  return line;
}

Header HeaderReader::read() {
  if (text_.empty()) fail("the file is empty; a Matrix Market file begins with '%%MatrixMarket matrix ...'");
  refuse_npy();
  first_line(*next_line());
  at_ = has_banner_ ? at_ : 0;
  while (const auto line = next_line()) {
    const auto words = words_of(*line, 1);
    if (words.empty()) continue;
    if (words[0][0] == '%') {
      comment(*line);
      continue;
    }
    size_line(*line);
    header_.size_line = number_;
    header_.data = at_;
    return std::move(header_);
  }
  fail("the file ends before its size line ('rows columns entries', or 'rows columns' of an array)");
}

/// What np.save wrote is known by its name, and does not get here.
void HeaderReader::refuse_npy() const {
  if (!text_.starts_with("\x93NUMPY")) return;
  const bool packed = name_.ends_with(".gz");
  throw InputError(fmt::format(
      "{}: holds a {}.npy, which is not read as a matrix: {}", name_, packed ? "gzipped " : "",
      packed ? fmt::format("unpack it with 'gunzip {}'", name_) : "give it a name that ends in .npy"));
}

void HeaderReader::first_line(std::string_view line) {
  const auto words = words_of(line);
  std::string first = words.empty() ? "" : lower_case(words[0]);
  if (first == banner_word) return banner(words);
  const bool marked = first.starts_with('%');
  first.erase(0, first.find_first_not_of('%'));
  if (marked && first.starts_with("matrixmarket"))
    fail(fmt::format("'{}' is not a banner; it must begin with '%%MatrixMarket matrix'", printable(line)));
  header_.notes.push_back(
      fmt::format("{}: no banner '%%MatrixMarket ...': read as coordinate real general", name_));
}

void HeaderReader::banner(const std::vector<std::string_view>& words) {
  has_banner_ = true;
  if (words.size() != 5)
    fail(
        "the banner needs five words: '%%MatrixMarket matrix coordinate|array real|integer|pattern "
        "general|symmetric|skew-symmetric'");
  const auto refuse = [&](std::size_t i, const char* known) {
    fail(fmt::format("'{}' in the banner is unknown: {}", printable(words[i]), known));
  };
  if (lower_case(words[1]) != "matrix") refuse(1, "only 'matrix' is read");
  const std::string format = lower_case(words[2]), field = lower_case(words[3]);
  if (format != "coordinate" && format != "array") refuse(2, "coordinate or array");
  if (field == "complex") fail("complex values are not read: only real, integer and pattern");
  header_.is.coordinate = format == "coordinate";
  if (field == "real")
    header_.is.field = Field::real;
  else if (field == "integer")
    header_.is.field = Field::integer;
  else if (field == "pattern")
    header_.is.field = Field::pattern;
  else
    refuse(3, "real, integer or pattern");
  if (format == "array" && field == "pattern")
    fail("an array cannot be a pattern, it would have no content: write 'coordinate pattern'");
  symmetry(lower_case(words[4]));
}

void HeaderReader::symmetry(const std::string& word) {
  if (word == "general") {
    header_.is.symmetry = Symmetry::general;
  } else if (word == "symmetric" || word == "hermitian") {
    header_.is.symmetry = Symmetry::symmetric;
  } else if (word == "skew-symmetric") {
    header_.is.symmetry = Symmetry::skew_symmetric;
  } else {
    fail(fmt::format("'{}' in the banner is unknown: general, symmetric or skew-symmetric", printable(word)));
  }
  if (header_.is.field == Field::pattern && word != "general" && word != "symmetric")
    fail(fmt::format("a pattern cannot be {}: only general or symmetric", word));
  if (word == "hermitian")
    header_.notes.push_back(
        fmt::format("{}: hermitian, but its values are not complex: read as symmetric", name_));
}

void HeaderReader::comment(std::string_view line) {
  const auto words = words_of(line, 3);
  const std::string first = lower_case(words[0]);
  if (first == banner_word)
    fail(has_banner_ ? "a second banner; store one matrix per file"
                     : "the banner must be the first line of the file");
  if (first == "%%graphblas" && words.size() == 3 && lower_case(words[1]) == "type") graphblas(words[2]);
}

void HeaderReader::graphblas(std::string_view type) {
  struct Known {
    std::string_view type;
    std::int64_t lowest, highest;
  };
  constexpr Known whole[] = {{"bool", 0, 1},
                             {"int8_t", INT8_MIN, INT8_MAX},
                             {"int16_t", INT16_MIN, INT16_MAX},
                             {"int32_t", INT32_MIN, INT32_MAX},
                             {"int64_t", -exact, exact},
                             {"uint8_t", 0, UINT8_MAX},
                             {"uint16_t", 0, UINT16_MAX},
                             {"uint32_t", 0, UINT32_MAX},
                             {"uint64_t", 0, exact}};
  ValueRule& rule = header_.rule;
  rule = {};
  rule.type = printable(type);
  rule.line = number_;
  if (type == "float" || type == "double") return;
  const auto known =
      std::find_if(std::begin(whole), std::end(whole), [&](const Known& k) { return k.type == type; });
  if (known == std::end(whole))
    fail(fmt::format("type '{}' is unknown: bool, int8_t to int64_t, uint8_t to uint64_t, float or double",
                     rule.type));
  rule.whole = true;
  rule.lowest = known->lowest;
  rule.highest = known->highest;
  if (header_.skew() && rule.lowest == 0)
    fail(fmt::format("type {} has no negative values, but skew-symmetric storage needs them", rule.type));
}

void HeaderReader::size_line(std::string_view line) {
  MatrixMarketHeader& is = header_.is;
  const auto words = words_of(line);
  const std::size_t wanted = is.coordinate ? 3 : 2;
  if (words.size() != wanted) {
    const char* form = is.coordinate ? "'rows columns entries'" : "'rows columns' of an array";
    const char* cure = has_banner_ ? "" : "; there is no banner '%%MatrixMarket ...' before it";
    fail(fmt::format("size line {} expected, found '{}'{}", form, printable(line), cure));
  }
  is.rows = size(words[0], "rows");
  is.columns = size(words[1], "columns");
  if (header_.mirrored() && is.rows != is.columns)
    fail(fmt::format("{} x {} is not square, but symmetric storage is", is.rows, is.columns));
  if (is.coordinate)
    is.entries = size(words[2], "entries");
  else
    array_entries();
}

Index HeaderReader::size(std::string_view word, const char* what) const {
  const char* const begin = word.data() + (word[0] == '+' ? 1 : 0);
  const char* const end = word.data() + word.size();
  Index value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop != end || error == std::errc::invalid_argument)
    fail(fmt::format("size line: '{}' is not a whole number of {}", printable(word), what));
  if (word[0] == '-' || (error == std::errc() && value < 1))
    fail(fmt::format("{} {}: at least 1 needed", printable(word), what));
  if (error != std::errc() || value > largest_size)
    fail(fmt::format("{} {} are too many", printable(word), what));
  return value;
}

/// Of an array: all values; the lower triangle with (symmetric) or without (skew-symmetric) the diagonal.
void HeaderReader::array_entries() {
  MatrixMarketHeader& is = header_.is;
  if (is.rows > largest_size / is.columns)
    fail(fmt::format("{} x {} values are too many", is.rows, is.columns));
  is.entries = is.rows * is.columns;
  if (header_.mirrored()) is.entries = (is.entries + (header_.skew() ? -is.rows : is.rows)) / 2;
  if (is.entries == 0) fail("a skew-symmetric matrix of one row has no entries");
}

}  // namespace

Header parse_header(std::span<const char> text, const std::string& name) {
  return HeaderReader(text, name).read();
}

}  // namespace jacobi::io::market
