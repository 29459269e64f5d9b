#include "io/replace.hpp"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <vector>

#include "io/written.hpp"

namespace jacobi::io {
namespace {

constexpr const char* access_list = "system.posix_acl_access";

/// Names of attributes, each ending in '\0'; none where the file system has none.
std::string attributes_of(const std::string& path) {
  const ssize_t size = ::listxattr(path.c_str(), nullptr, 0);
  if (size <= 0) return {};
  std::string names(static_cast<std::size_t>(size), '\0');
  const ssize_t read = ::listxattr(path.c_str(), names.data(), names.size());
  names.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
  return names;
}

void copy_attribute(int file, const std::string& path, const char* name) {
  const ssize_t size = ::getxattr(path.c_str(), name, nullptr, 0);
  if (size < 0) return;
  std::vector<char> value(static_cast<std::size_t>(size));
  const ssize_t read = ::getxattr(path.c_str(), name, value.data(), value.size());
  if (read >= 0) static_cast<void>(::fsetxattr(file, name, value.data(), static_cast<std::size_t>(read), 0));
}

bool write_all(int file, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file, from, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

bool become(int file, const std::string& other, const struct stat& old) {
  struct stat now {};
  if (::fstat(file, &now) != 0) return false;
  const bool is_owned =
      (now.st_uid == old.st_uid && now.st_gid == old.st_gid) || ::fchown(file, old.st_uid, old.st_gid) == 0;
  ::fremovexattr(file, access_list);  // which its folder may have given it
  ::fchmod(file, old.st_mode & 07777);
  const std::string names = attributes_of(other);
  for (std::size_t at = 0; at < names.size();) {
    const std::string_view name = names.data() + at;
    at += name.size() + 1;
    if (!name.starts_with("security.") || name == "security.selinux")  // others are about the content
      copy_attribute(file, other, name.data());
  }
  return is_owned;
}

int copy_into(int file, const std::string& other) {
  const Descriptor to(::open(other.c_str(), O_WRONLY | O_CLOEXEC));
  if (to.number() < 0 || ::lseek(file, 0, SEEK_SET) != 0) return errno;
  std::array<char, 1 << 16> part{};
  off_t size = 0;
  while (true) {
    const ssize_t got = ::read(file, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) break;
    if (!write_all(to.number(), part.data(), static_cast<std::size_t>(got))) return errno;
    size += got;
  }
  return ::ftruncate(to.number(), size) == 0 && (::fsync(to.number()) == 0 || errno == EINVAL) ? 0 : errno;
}

}  // namespace jacobi::io
