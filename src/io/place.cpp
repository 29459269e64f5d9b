#include "io/place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "io/atomic_file.hpp"
#include "io/unfinished.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_place(const std::string& path, int error) {
  throw InputError(fmt::format("{}: cannot be written: {}", path, cure(error, folder_of(path))));
}

}  // namespace

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

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
    case EDQUOT:
      return fmt::format("the quota is used up in folder '{}'; free some or choose another one",
                         folder.string());
    case EFBIG:
      return "file too large for the limit of this process (ulimit -f) or for the file system";
    case ENAMETOOLONG:
      return "the file name is too long; shorten it";
    default:
      return std::strerror(error);
  }
}

fs::path target_of(const std::string& path) {
  std::error_code error;
  fs::path target = path;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(target, error)); ++links)
    target = folder_of(target) / fs::read_symlink(target, error);
  if (target == path) return path;
  target = fs::weakly_canonical(target, error);
  if (error) throw InputError(fmt::format("{}: the link leads nowhere: {}", path, error.message()));
  return target;
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

int stream_of(const std::string& path) {
  std::error_code error;
  fs::path at = path;
  for (int links = 0; links < 40; ++links) {
    const fs::path folder = fs::canonical(folder_of(at), error);
    if (error) return -1;
    const std::string number = at.filename();
    if (folder == fs::canonical("/proc/self/fd", error) && !number.empty() && number.size() < 9 &&
        number.find_first_not_of("0123456789") == number.npos)
      return std::stoi(number);
    if (!fs::is_symlink(fs::symlink_status(at, error))) return -1;
    at = folder / fs::read_symlink(at, error);
    if (error) return -1;
  }
  return -1;
}

void check_name(const std::string& path, const fs::path& target) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0) {
    const int file = ::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0)
      ::close(file);
    else if (errno == EACCES || errno == EPERM)
      throw InputError(fmt::format("{}: is read-only; change its permissions or choose another name", path));
    else if (errno != ETXTBSY)  // a program that runs may be replaced
      refuse_place(path, errno);
    return;
  }
  if (errno != ENOENT) refuse_place(path, errno);
  const Undisturbed until_gone;
  const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) refuse_place(path, errno);
  ::unlink(target.c_str());
  ::close(file);
}

void check_special(const std::string& path) {
  if (const int stream = stream_of(path); stream >= 0) {
    const int flags = ::fcntl(stream, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
      throw InputError(fmt::format("{}: cannot be written: it is not open for writing", path));
  } else if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
}

bool is_special(const std::string& path) {
  std::error_code ignored;
  const auto type = fs::status(path, ignored).type();
  return type == fs::file_type::character || type == fs::file_type::block || type == fs::file_type::fifo ||
         type == fs::file_type::socket || stream_of(path) >= 0;
}

}  // namespace jacobi::io
