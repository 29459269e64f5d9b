#include "io/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(error)));
}

/// An open file, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) refuse(path, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

/// Everything up to the end: of a pipe, or of a file whose size the system does not tell.
std::string read_all(int file, const std::string& path) {
  constexpr std::size_t chunk = 1 << 20;
  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + chunk);
    const ssize_t got = ::read(file, bytes.data() + before, chunk);
    bytes.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got == 0) return bytes;
    if (got < 0 && errno != EINTR) refuse(path, errno);
  }
}

bool is_gzip(std::span<const char> bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) refuse(path, errno);
  if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a folder; name a file inside it", path));
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const std::size_t size = static_cast<std::size_t>(status.st_size);
    void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (begin == MAP_FAILED) refuse(path, errno);
    mapped_ = {static_cast<const char*>(begin), size};
  } else {
    owned_ = read_all(file.number(), path);
  }
  if (!is_gzip(text())) return;
  try {
    owned_ = gunzip(text(), path);
  } catch (...) {
    unmap();
    throw;
  }
  unmap();
}

MappedFile::~MappedFile() { unmap(); }

void MappedFile::unmap() {
  if (!mapped_.empty()) ::munmap(const_cast<char*>(mapped_.data()), mapped_.size());
  mapped_ = {};
}

}  // namespace jacobi::io
