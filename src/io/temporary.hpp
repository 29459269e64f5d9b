/// New content of a file beside its place.
#pragma once
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

#include "io/written.hpp"

namespace jacobi::io {

/// A new, empty file beside its final name, removed in the end unless put there or kept. Its name does not
/// contain the final one, which may already be as long as the file system allows. While it lives it is
/// locked: so another run can tell it from one that was left behind.
class Temporary {
 public:
  /// Throws: InputError naming `path` and the cause where none can be made.
  explicit Temporary(const std::string& path);
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary();

  /// Writes the whole content, to the disk. Throws: InputError, and what `write` throws.
  void write(const std::function<void(std::ostream&)>& write);

  /// Puts it to its place. What is replaced keeps what it was besides its content: permissions, owner, lists
  /// of access, attributes. A file with several names, or one whose owner only the system may give, is
  /// written again in its place, from this one. Throws: InputError that names the file in which the content
  /// is kept.
  void place();

  std::filesystem::path folder() const;

 private:
  [[noreturn]] void refuse(int error) const;
  void remove();
  bool move_to(const std::filesystem::path& name);  ///< false: errno says why
  std::string keep();

  std::string path_;
  std::filesystem::path target_, name_;
  OpenFile file_{-1};
};

}  // namespace jacobi::io
