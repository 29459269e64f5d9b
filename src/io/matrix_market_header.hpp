/// Everything in a Matrix Market file before its entries. Internal to src/io.
#pragma once
#include <atomic>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.hpp"
#include "io/matrix_market.hpp"

namespace jacobi::io::market {

/// What values must be, beyond what the field says: whole numbers within bounds, where `type`, named by a
/// `%%GraphBLAS type` comment in line `line`, is one of integers.
struct ValueRule {
  double lowest = std::numeric_limits<double>::lowest(), highest = std::numeric_limits<double>::max();
  std::string type;
  Index line = 0;

  bool allows(double value) const { return value >= lowest && value <= highest; }
};

/// Vectors that follow the entries in the same file: a right-hand side, a solution. indexed: each of their
/// lines begins with its row, as lis writes them; else they are values, as AmgX does. line: which says so.
struct Attached {
  bool rhs = false, solution = false, indexed = false;
  Index line = 0;

  Index count() const { return (rhs ? 1 : 0) + (solution ? 1 : 0); }
};

/// is: banner and size line. size_line: number of the size line. lines: how many there are before the first
/// byte of entries, which is at `data`. vector: entries have one index. underflowed: whether a value was too
/// small and taken as 0; set while reading.
struct Header {
  MatrixMarketHeader is;
  ValueRule rule;
  Attached attached;
  Index size_line = 0, lines = 0;
  std::size_t data = 0;
  bool vector = false;
  mutable bool underflowed = false;
  std::vector<std::string> notes;

  bool mirrored() const { return is.symmetry != Symmetry::general; }
  bool skew() const { return is.symmetry == Symmetry::skew_symmetric; }
  void note_underflow() const { std::atomic_ref<bool>(underflowed).store(true, std::memory_order_relaxed); }
};

/// Takes what the words of a comment, in that line, say of the values or of what follows the entries. Returns
/// what is wrong with it, or "".
std::string take_comment(const std::vector<std::string_view>& words, Index line, Header& header);

/// Reads banner, comments and size line.
/// Throws: InputError `name:line: what is wrong`.
Header parse_header(const InputFile& file);

}  // namespace jacobi::io::market
