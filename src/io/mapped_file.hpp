/// Whole files as text in memory. Internal to src/io.
#pragma once
#include <span>
#include <string>

namespace jacobi::io {

/// The content of a file: mapped where it is a regular one, else read; unpacked where it begins as gzip's
/// files do (1f 8b).
class MappedFile {
 public:
  /// Throws: InputError naming file and cause: missing, a folder, not readable, packed data cut off, damaged
  /// or larger than the available memory.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const char> text() const { return mapped_.empty() ? std::span<const char>(owned_) : mapped_; }

 private:
  void unmap();

  std::span<const char> mapped_;
  std::string owned_;
};

/// Unpacks what gzip made, several such parts in a row included; `name` stands for the file in errors.
/// Throws: InputError where `packed` is cut off, damaged, followed by something else, or unpacks to more than
/// the available memory.
std::string gunzip(std::span<const char> packed, const std::string& name);

}  // namespace jacobi::io
