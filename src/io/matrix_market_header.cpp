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
  explicit HeaderReader(const InputFile& file) : file_(file), name_(file.name()) {}

  Header read();

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}{}", name_, number_, what, broken_ ? advice_on_cr : ""));
  }
  void extend();
  std::size_t begin_of_text() const;
  std::optional<std::string_view> next_line();
  void first_line(std::string_view line);
  void banner(const std::vector<std::string_view>& words);
  void symmetry(const std::string& word);
  void comment(std::string_view line);
  void size_line(std::string_view line);
  void sizes_of_vector(const std::vector<std::string_view>& words);
  void lis(const std::vector<std::string_view>& words);
  Index size(std::string_view word, const char* what, Index least = 1) const;
  void array_entries();

  const InputFile& file_;
  const std::string& name_;
  std::string buffer_;
  std::string_view text_;  ///< as far as it was looked at
  std::size_t at_ = 0;
  Index number_ = 0;     ///< of the line taken last
  bool broken_ = false;  ///< it holds a CR
  bool has_banner_ = false, is_vector_ = false;
  Header header_;
};

/// Looks at twice as much of the file.
void HeaderReader::extend() {
  constexpr std::size_t least = 1 << 16, most = 1 << 30;
  if (text_.size() >= most) fail("no line ends within 1 GiB: this is no text");
  if (text_.find('\0', at_) != text_.npos) fail("a byte 0: this is no text");
  const auto longer = file_.read(0, std::min(file_.size(), std::max(least, 2 * text_.size())), buffer_);
  text_ = {longer.data(), longer.size()};
}

/// UTF-16 or UTF-32, by the byte order mark or by where the zeros of the first two characters lie; else
/// empty.
std::string_view wide_encoding(std::string_view text) {
  using namespace std::string_view_literals;
  const auto zeros = [&](std::string_view pattern) {
    if (text.size() < pattern.size()) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i)
      if ((text[i] == '\0') != (pattern[i] == '0')) return false;
    return true;
  };
  if (text.starts_with("\xff\xfe\0\0"sv) || text.starts_with("\0\0\xfe\xff"sv) || zeros("x000x000") ||
      zeros("000x000x"))
    return "UTF-32";
  if (text.starts_with("\xff\xfe"sv) || text.starts_with("\xfe\xff"sv) || zeros("x0x0") || zeros("0x0x"))
    return "UTF-16";
  return {};
}

/// Behind the byte order mark of UTF-8.
std::size_t HeaderReader::begin_of_text() const {
  if (text_.starts_with("\xef\xbb\xbf")) return 3;
  const std::string_view wide = wide_encoding(text_);
  if (!wide.empty())
    throw InputError(
        fmt::format("{}:1: this is {}, not text of one byte per character: write it as UTF-8, as "
                    "'iconv -f {} -t UTF-8' does",
                    name_, wide, wide));
  return 0;
}

std::optional<std::string_view> HeaderReader::next_line() {
  if (at_ == text_.size() && at_ == file_.size()) return std::nullopt;
  ++number_;
  std::size_t end = text_.find('\n', at_);
  while (end == text_.npos && text_.size() < file_.size()) {
    extend();
    end = text_.find('\n', at_);
  }
  end = std::min(end, text_.size());
  const std::string_view line = text_.substr(at_, end - at_);
  at_ = std::min(end + 1, text_.size());
  broken_ = is_broken_by_cr(line);
  return line;
}

Header HeaderReader::read() {
  number_ = 1;
  extend();
  if (text_.empty()) fail("the file is empty; a Matrix Market file begins with '%%MatrixMarket matrix ...'");
  const std::size_t begin = at_ = begin_of_text();
  number_ = 0;
  first_line(next_line().value_or(""));
  if (!has_banner_) at_ = begin;
  number_ = has_banner_ ? 1 : 0;
  while (const auto line = next_line()) {
    const auto words = words_of(*line, 1);
    if (words.empty()) continue;
    if (words[0][0] == '%') {
      comment(*line);
      continue;
    }
    size_line(*line);
    header_.size_line = header_.lines = number_;
    header_.data = at_;
    return std::move(header_);
  }
  number_ = std::max<Index>(number_, 1);
  fail("the file ends before its size line ('rows columns entries', or 'rows columns' of an array)");
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
  is_vector_ = words.size() > 1 && lower_case(words[1]) == "vector";
  if (words.size() != 5 && !(is_vector_ && words.size() == 4))
    fail(
        "the banner needs five words: '%%MatrixMarket matrix coordinate|array real|integer|pattern "
        "general|symmetric|skew-symmetric'");
  const auto refuse = [&](std::size_t i, const char* known) {
    fail(fmt::format("'{}' in the banner is unknown: {}", printable(words[i]), known));
  };
  if (!is_vector_ && lower_case(words[1]) != "matrix") refuse(1, "only 'matrix' and 'vector' are read");
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
  symmetry(words.size() == 5 ? lower_case(words[4]) : "general");
  if (is_vector_ && header_.mirrored()) fail("a vector is not symmetric: write 'general'");
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
  const auto words = words_of(line, 16);
  const std::string first = lower_case(words[0]);
  if (first == banner_word)
    fail(has_banner_ ? "a second banner; store one matrix per file"
                     : "the banner must be the first line of the file");
  const std::string fault = take_comment(words, number_, header_);
  if (!fault.empty()) fail(fault);
}

void HeaderReader::size_line(std::string_view line) {
  MatrixMarketHeader& is = header_.is;
  const auto words = words_of(line);
  if (is_vector_ && words.size() <= 2) return sizes_of_vector(words);
  const std::size_t wanted = is.coordinate ? 3 : 2;
  const bool of_lis = has_banner_ && !is_vector_ && (words.size() == 5 || words.size() == 6);
  if (words.size() != wanted && !of_lis) {
    const char* form = is_vector_      ? "'rows', or 'rows entries', of a vector"
                       : is.coordinate ? "'rows columns entries'"
                                       : "'rows columns' of an array";
    const char* cure = has_banner_ ? "" : "; there is no banner '%%MatrixMarket ...' before it";
    fail(fmt::format("size line {} expected, found '{}'{}", form, printable(line), cure));
  }
  is.rows = size(words[0], "rows");
  is.columns = size(words[1], "columns");
  if (header_.mirrored() && is.rows != is.columns)
    fail(fmt::format("{} x {} is not square, but symmetric storage is", is.rows, is.columns));
  if (is.coordinate)
    is.entries = size(words[2], "entries", 0);
  else
    array_entries();
  if (of_lis) lis(words);
}

/// 'rows' of a vector all of whose values follow, or 'rows entries' of a sparse one.
void HeaderReader::sizes_of_vector(const std::vector<std::string_view>& words) {
  MatrixMarketHeader& is = header_.is;
  is.rows = size(words[0], "rows");
  is.columns = 1;
  header_.vector = is.coordinate;
  is.entries = is.rows;
  if (words.size() < 2) return;
  if (is.coordinate)
    is.entries = size(words[1], "entries", 0);
  else if (size(words[1], "columns") != 1)
    fail(fmt::format("a vector of {} columns: write 'matrix' in the banner", printable(words[1])));
}

/// 'rows columns entries b x', and whether it is binary: which vectors follow the entries.
/// Source: Lis User Guide, "Extended Matrix Market format".
void HeaderReader::lis(const std::vector<std::string_view>& words) {
  Attached& attached = header_.attached;
  attached.indexed = true;
  attached.line = number_;
  const auto given = [&](std::size_t i) {
    if (words[i] != "0" && words[i] != "1")
      fail(fmt::format(
          "size line: '{}' after the entries: 0 or 1 expected, whether a right-hand side follows, and a "
          "solution, as lis writes",
          printable(words[i])));
    return words[i] == "1";
  };
  attached.rhs = given(3);
  attached.solution = given(4);
  if (words.size() == 6 && words[5] != "0") fail("lis's binary format is not read: write the file as text");
}

Index HeaderReader::size(std::string_view word, const char* what, Index least) const {
  const char* const begin = word.data() + (word[0] == '+' ? 1 : 0);
  const char* const end = word.data() + word.size();
  Index value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (stop != end || error == std::errc::invalid_argument)
    fail(fmt::format("size line: '{}' is not a whole number of {}", printable(word), what));
  if (word[0] == '-' || (error == std::errc() && value < least))
    fail(fmt::format("{} {}: at least {} needed", printable(word), what, least));
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

Header parse_header(const InputFile& file) { return HeaderReader(file).read(); }

}  // namespace jacobi::io::market
