/// Everything in a Matrix Market file before its entries. Internal to src/io.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/matrix_market.hpp"

namespace jacobi::io::market {

/// The whole numbers that double holds all of: +-2^53.
constexpr std::int64_t exact = std::int64_t{1} << 53;

/// Which values may follow, beyond what the field says. whole: values of a real field must be whole numbers,
/// since `type`, named by a `%%GraphBLAS type` comment in line `line`, is one of integers. lowest, highest:
/// bounds of whole values.
struct ValueRule {
  std::int64_t lowest = -exact, highest = exact;
  bool whole = false;
  std::string type;
  Index line = 0;

  bool allows(double value) const {
    return value >= static_cast<double>(lowest) && value <= static_cast<double>(highest) &&
           value == std::trunc(value);
  }
};

/// is: banner and size line. size_line: number of the size line. data: position of the first byte after it.
struct Header {
  MatrixMarketHeader is;
  ValueRule rule;
  Index size_line = 0;
  std::size_t data = 0;
  std::vector<std::string> notes;

  bool mirrored() const { return is.symmetry != Symmetry::general; }
  bool skew() const { return is.symmetry == Symmetry::skew_symmetric; }
};

/// Reads banner, comments and size line of `text`; `name` stands for the file in errors.
/// Throws: InputError `name:line: what is wrong`.
Header parse_header(std::span<const char> text, const std::string& name);

}  // namespace jacobi::io::market
