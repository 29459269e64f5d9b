/// The two formats, their common end in an error, and what tests may vary. Internal to src/io.
#pragma once
#include "io/matrix_market_text.hpp"

namespace jacobi::io::market {

/// piece: bytes of text that a thread takes at a time. largest_small: the largest number that a 32-bit index
/// holds. memory: bytes that may be allocated; < 0: the available ones. empty_is_zero: whether an array of
/// one column or row without any value is zeros, with a note.
struct Limits {
  std::size_t piece = 1 << 20;
  Index largest_small = INT32_MAX;
  double memory = -1;
  bool empty_is_zero = false;
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

/// read_matrix_market within other limits.
template <class T>
MatrixFile<T> parse(const InputFile& input, const Limits& limits);

/// The same of `text` in memory; `name` stands for the file in errors and notes.
template <class T>
MatrixFile<T> parse(std::span<const char> text, const std::string& name, const Limits& limits) {
  return parse<T>(InputFile(text, name), limits);
}

/// Reads the entries of a coordinate file into file.content. Throws: InputError as diagnose() and Memory.
template <class T>
void read_coordinate(const Document& document, const Limits& limits, MatrixFile<T>& file);

/// The same for the values of an array file.
template <class T>
void read_array(const Document& document, const Limits& limits, MatrixFile<T>& file);

/// Entries of symmetric storage as they stand in a file that has some in both triangles: adds those of one
/// triangle alone to the other. Throws: InputError where a place and its mirror image differ.
template <class T, class I>
void complete(const Document& document, const Limits& limits, SparseArrays<T, I>& entries,
              MatrixFile<T>& file);

/// The same for all rows * rows values of an array, where nothing is missing.
template <class T>
void require_alike(const Document& document, const std::vector<T>& values, MatrixFile<T>& file);

/// Where the vectors begin that follow the entries, and how many lines there are before.
struct Behind {
  std::size_t at = 0;
  Index lines = 0;
};

/// Behind the entries; at the end of the file where they are fewer than announced.
Behind behind_entries(const InputFile& input, const Header& header, const Limits& limits);

/// Reads the vectors that follow the entries. Throws: InputError as diagnose(), or where they are not as many
/// numbers as must be.
template <class T>
void read_attached(const InputFile& input, const Header& header, Behind behind, const Limits& limits,
                   MatrixFile<T>& file);

/// Goes through the entries once more, one by one from the first, and throws InputError `name:line: what is
/// wrong` for the first that cannot be read as T, or for how many they are.
template <class T>
[[noreturn]] void diagnose(const Document& document);

/// Goes through the entries once more for those that were too small.
template <class T>
void list_underflows(const Document& document, MatrixFile<T>& file);

}  // namespace jacobi::io::market
