/// Files as bytes, wherever they come from. Internal to src/io and to what reads files through it.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace jacobi::io {

/// The content of a file. A regular one is read where it is asked for and never mapped: a file that others
/// cut off meanwhile is an error then, and no signal. What comes from a pipe or was packed by gzip (it begins
/// with 1f 8b) is in memory, unpacked. May be read by several threads at once.
class InputFile {
 public:
  /// Throws: InputError naming file and cause: missing, a folder, not readable, of a format that is known
  /// and not read (.npz, bzip2, ...), packed data cut off or damaged, and what is in memory larger than the
  /// memory available.
  explicit InputFile(const std::string& path);
  /// Bytes in memory that stand for a file called `name`. They must outlive this object.
  InputFile(std::span<const char> bytes, std::string name) : name_(std::move(name)), bytes_(bytes) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  const std::string& name() const { return name_; }
  std::size_t size() const { return number_ < 0 ? bytes_.size() : size_; }
  /// Bytes first ... first + count - 1, all of which there must be: as they lie in memory, or read into
  /// `buffer`. Throws: InputError where they cannot be read, or not any more.
  std::span<const char> read(std::size_t first, std::size_t count, std::string& buffer) const;
  /// The same into memory of the caller's.
  void read_to(std::size_t first, std::span<char> to) const;
  /// Whether it begins so.
  bool starts_with(std::string_view bytes) const;

 private:
  void keep(std::string bytes);
  void close();

  std::string name_;
  int number_ = -1;  ///< of the open file; -1: in memory
  std::size_t size_ = 0;
  std::span<const char> bytes_;
  std::string owned_;
};

/// Unpacks what gzip made, several such parts in a row included.
/// Throws: InputError where `packed` is cut off, damaged, followed by something else, or unpacks to more than
/// the available memory.
std::string gunzip(const InputFile& packed);

}  // namespace jacobi::io
