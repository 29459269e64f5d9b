#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

namespace fs = std::filesystem;

std::string cure(int error, const fs::path& folder) {
  switch (error) {
    case EROFS:
      return fmt::format("folder '{}' is on a read-only file system; choose another one", folder.string());
    case EACCES:
    case EPERM:
      return fmt::format("folder '{}' is read-only; choose another one or change its permissions",
                         folder.string());
    case ENOSPC:
      return fmt::format("no space left in folder '{}'; free some or choose another one", folder.string());
    case ENAMETOOLONG:
      return "the file name is too long; shorten it";
    default:
      return std::strerror(error);
  }
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The file that `path` means, links followed, so that a rename does not replace a link.
fs::path target_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : target;
}

void check_place(const std::string& path, const fs::path& target) {
  if (path.empty()) throw InputError("output path is empty; name a file");
  std::error_code error;
  if (fs::is_directory(target, error))
    throw InputError(fmt::format("{}: is a folder; name a file inside it", path));
  if (!target.has_filename()) throw InputError(fmt::format("{}: ends in '/'; name a file", path));
  const fs::path folder = folder_of(target);
  const auto type = fs::status(folder, error).type();
  if (type == fs::file_type::not_found)
    throw InputError(fmt::format("{}: folder '{}' does not exist; create it first", path, folder.string()));
  if (type != fs::file_type::directory && type != fs::file_type::none)
    throw InputError(fmt::format("{}: '{}' is not a folder; choose another path", path, folder.string()));
}

/// A new, empty file beside its final name, removed at the end unless kept. Its name does not contain the
/// final one, which may already be as long as the file system allows.
class Temporary {
 public:
  Temporary(const std::string& path, const fs::path& target) {
    static std::atomic<unsigned> count{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
      name_ = folder_of(target) / fmt::format(".jacobi-{}-{}.tmp", ::getpid(), count++);
      const int file = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0) {
        ::close(file);
        return;
      }
      if (errno != EEXIST) break;
    }
    throw InputError(fmt::format("{}: cannot be written: {}", path, cure(errno, folder_of(target))));
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  const fs::path& name() const { return name_; }
  void keep() { name_.clear(); }

 private:
  fs::path name_;
};

/// Opens `file`, lets `write` fill it and closes it; every failure becomes an InputError about `path`.
void fill_file(const fs::path& file, const std::string& path,
               const std::function<void(std::ostream&)>& write) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!out) throw InputError(fmt::format("{}: cannot be opened: {}", path, cure(errno, folder_of(path))));
  errno = 0;
  write(out);
  const bool written = static_cast<bool>(out.flush());
  const int error = errno;
  out.close();
  if (!written || !out) {
    const std::string cause = error != 0 ? cure(error, folder_of(path)) : "the stream failed";
    throw InputError(fmt::format("{}: writing failed: {}", path, cause));
  }
}

}  // namespace

bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto type = fs::status(path, ignored).type();
  return type == fs::file_type::character || type == fs::file_type::block || type == fs::file_type::fifo ||
         type == fs::file_type::socket;
}

void write_atomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (is_special(path)) return fill_file(path, path, write);
  const fs::path target = target_of(path);
  check_place(path, target);
  Temporary temporary(path, target);
  fill_file(temporary.name(), path, write);
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0) ::chmod(temporary.name().c_str(), old.st_mode & 07777);
  if (::rename(temporary.name().c_str(), target.c_str()) != 0)
    throw InputError(fmt::format("{}: cannot be replaced: {}", path, cure(errno, folder_of(target))));
  temporary.keep();
}

void check_writable(const std::string& path) {
  if (is_special(path)) return;
  const fs::path target = target_of(path);
  check_place(path, target);
  const Temporary probe(path, target);
}

}  // namespace jacobi::io
