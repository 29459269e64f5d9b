/// The two formats, their common end in an error, and what tests may vary. Internal to src/io.
#pragma once
#include "io/matrix_market_text.hpp"

namespace jacobi::io::market {

/// piece: bytes of text that a thread takes at a time. largest_small: the largest number that a 32-bit index
/// holds. memory: bytes that may be allocated; < 0: the available ones.
struct Limits {
  std::size_t piece = 1 << 20;
  Index largest_small = INT32_MAX;
  double memory = -1;
};

/// The bytes that may still be allocated for a file's content.
class Memory {
 public:
  Memory(const Document& document, double available);
  /// Throws: InputError at the size line when `count` items of `bytes` each, called `what`, do not fit.
  void take(Index count, std::size_t bytes, const char* what);

 private:
  const Document& document_;
  double available_;
};

/// parse_matrix_market within other limits.
template <class T>
MatrixFile<T> parse(std::span<const char> text, const std::string& name, const Limits& limits);

/// Reads the entries of a coordinate file into file.content. Throws: InputError as diagnose() and Memory.
template <class T>
void read_coordinate(const Document& document, const Limits& limits, MatrixFile<T>& file);

/// The values of an array file. Throws: InputError as diagnose() and Memory.
template <class T>
std::vector<T> read_array(const Document& document, const Limits& limits);

/// Goes through the entries once more, one by one from the first, and throws InputError `name:line: what is
/// wrong` for the first that cannot be read as T, or for how many they are.
template <class T>
[[noreturn]] void diagnose(const Document& document);

}  // namespace jacobi::io::market
