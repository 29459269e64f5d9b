#include "io/npy_header.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t max_dimensions = 64;  // of NumPy 2; 32 before
constexpr std::size_t max_header = largest_npy_header - 12;
constexpr std::size_t alignment = 64;

/// Reads the dictionary from left to right; every error names the file and the byte of the header.
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: damaged .npy header at byte {}: {}", name_, at_, what));
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("'{}' expected", c));
  }
  bool at_quote() {
    skip_blanks();
    return at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
  }
  std::string_view string() {
    if (!at_quote()) fail("a quoted name expected");
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) fail("a quote is not closed");
    const std::string_view found = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return found;
  }
  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail("True or False expected");
  }
  std::size_t number() {
    skip_blanks();
    const std::size_t begin = at_;
    std::size_t value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::size_t>(text_[at_] - '0');
      if (value > (std::numeric_limits<std::size_t>::max() - digit) / 10) fail("the number is too large");
      value = 10 * value + digit;
    }
    if (at_ == begin) fail("a number expected");
    accept('L');  // Python 2 wrote 512L
    return value;
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> numbers;
    expect('(');
    while (!accept(')')) {
      if (numbers.size() == max_dimensions) fail(fmt::format("more than {} dimensions", max_dimensions));
      numbers.push_back(number());
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return numbers;
  }
  void expect_end() {
    skip_blanks();
    if (at_ != text_.size()) fail("nothing more expected");
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_type(std::string_view descr, std::string_view what, const std::string& name) {
  throw InputError(
      fmt::format("{}: values are {} ('{}'); store real numbers with a.astype('<f8') before np.save", name,
                  what, printable(descr)));
}

/// Takes apart such as "<f8"; everything that does not fit double exactly and simply is refused with a cure.
void set_type(NpyHeader& header, std::string_view descr, const std::string& name) {
  const char order = descr.empty() ? '?' : descr[0];
  const char kind = descr.size() < 2 ? '?' : descr[1];
  if (kind == 'c')
    throw InputError(
        fmt::format("{}: values are complex ('{}'); store a.real or a.imag instead", name, printable(descr)));
  if (kind == 'O') refuse_type(descr, "Python objects", name);
  if (kind == 'V') refuse_type(descr, "records", name);
  if (kind == 'S' || kind == 'U' || kind == 'a') refuse_type(descr, "text", name);
  if (kind == 'M' || kind == 'm') refuse_type(descr, "dates or times", name);
  const std::string_view sizes = kind == 'f'                  ? "48"
                                 : kind == 'i' || kind == 'u' ? "1248"
                                 : kind == 'b'                ? "1"
                                                              : "";
  if (descr.size() != 3 || sizes.find(descr[2]) == std::string_view::npos)
    refuse_type(descr, "of a type that is not read", name);
  header.kind = kind;
  header.size = static_cast<std::size_t>(descr[2] - '0');
  if (order == '>' && header.size > 1)
    throw InputError(
        fmt::format("{}: values are big-endian ('{}'); convert with a.astype('<{}') before np.save", name,
                    printable(descr), descr.substr(1)));
  if (order != '<' && header.size > 1) refuse_type(descr, "of an unknown byte order", name);
}

/// Reads the three keys, each once, in any order.
void parse_dictionary(NpyHeader& header, std::string_view text, const std::string& name) {
  Dictionary in(text, name);
  std::optional<std::string_view> descr;
  bool order = false, shape = false;
  in.expect('{');
  while (!in.accept('}')) {
    const std::string_view key = in.string();
    in.expect(':');
    if (key == "descr" && !descr) {
      if (!in.at_quote()) refuse_type("a list", "records", name);
      descr = in.string();
    } else if (key == "fortran_order" && !order) {
      header.fortran_order = in.boolean();
      order = true;
    } else if (key == "shape" && !shape) {
      header.shape = in.tuple();
      shape = true;
    } else {
      in.fail(fmt::format("key '{}' is unknown or given twice", printable(key)));
    }
    if (in.accept(',')) continue;
    in.expect('}');
    break;
  }
  in.expect_end();
  if (!descr || !order || !shape) in.fail("'descr', 'fortran_order' or 'shape' is missing");
  set_type(header, *descr, name);
}

[[noreturn]] void cut_off(const std::string& name, std::size_t missing) {
  throw InputError(
      fmt::format("{}: cut off in its header, {} bytes missing; copy the file again", name, missing));
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.empty()) throw InputError(name + ": the file is empty; write it with np.save");
  const std::size_t compared = std::min(text.size(), magic.size());
  if (text.substr(0, compared) != magic.substr(0, compared))
    throw InputError(name + ": not a .npy file (no \\x93NUMPY at its start); write it with np.save");
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  if (text.size() < 8) cut_off(name, 8 - text.size());
  const std::size_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    throw InputError(
        fmt::format("{}: .npy version {}.{} is not read, only 1.0, 2.0 and 3.0", name, major, minor));
  const std::size_t width = major == 1 ? 2 : 4, begin = 8 + width;
  if (text.size() < begin) cut_off(name, begin - text.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= byte(8 + i) << (8 * i);
  if (length > max_header)
    throw InputError(
        fmt::format("{}: its header claims {} bytes, more than any array of numbers needs; the file "
                    "is damaged",
                    name, length));
  if (length > text.size() - begin) cut_off(name, length - (text.size() - begin));
  NpyHeader header;
  header.data = begin + length;
  parse_dictionary(header, text.substr(begin, length), name);
  return header;
}

std::string make_npy_header(std::string_view descr, std::span<const std::size_t> shape) {
  if (shape.size() > max_dimensions)
    throw UsageError(
        fmt::format("a .npy file holds at most {} dimensions, not {}", max_dimensions, shape.size()));
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': (", descr);
  for (const std::size_t points : shape) dictionary += fmt::format("{}, ", points);
  if (shape.size() > 1) dictionary.resize(dictionary.size() - 2);
  if (shape.size() == 1) dictionary.pop_back();
  dictionary += "), }";
  const std::size_t prefix = magic.size() + 4, used = prefix + dictionary.size() + 1;
  dictionary.append((alignment - used % alignment) % alignment, ' ');
  dictionary += '\n';
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xff),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

}  // namespace jacobi::io
