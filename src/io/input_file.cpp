#include "io/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "core/memory.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(error)));
}

[[noreturn]] void refuse_endless(const std::string& path, std::size_t bytes) {
  throw InputError(
      fmt::format("{}: does not end: after {} of it no more memory is available; give a file or a pipe that "
                  "ends",
                  path, in_words(static_cast<double>(bytes))));
}

/// Everything up to the end: of a pipe, or of a file whose size the system does not tell. Nothing that is
/// read as text holds a byte 0, so that a device that gives nothing else is known at once.
std::string read_all(int file, const std::string& path) {
  constexpr std::size_t chunk = 1 << 20;
  std::string bytes;
  for (std::size_t size = 0;;) {
    if (bytes.size() < size + chunk) {
      const std::size_t larger = 2 * bytes.size() + chunk;
      if (static_cast<double>(larger) > available_memory()) refuse_endless(path, size);
      try {
        bytes.resize(larger);
      } catch (const std::bad_alloc&) {
        refuse_endless(path, size);
      }
    }
    const ssize_t got = ::read(file, bytes.data() + size, chunk);
    if (got < 0 && errno != EINTR) refuse(path, errno);
    size += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    if (got == 0) {
      bytes.resize(size);
      return bytes;
    }
    if (size > 0 && bytes[0] == '\0')
      throw InputError(fmt::format("{}: begins with a byte 0: neither text nor .npy", path));
  }
}

/// Formats that others pack or store matrices in, by what they begin with.
void refuse_others(const InputFile& file) {
  struct Known {
    std::string_view begin;
    const char* what;
  };
  constexpr const char* archive =
      "is an archive: take one array out of it with np.save('A.npy', np.load('A.npz')['A']), or, where "
      "scipy.sparse.save_npz wrote it, scipy.io.mmwrite('A.mtx', scipy.sparse.load_npz('A.npz'))";
  constexpr Known known[] = {
      {"PK\x03\x04", archive},
      {"PK\x05\x06", archive},
      {"BZh", "is packed by bzip2: unpack it with 'bunzip2 --keep'"},
      {"\xfd\x37zXZ", "is packed by xz: unpack it with 'unxz --keep'"},
      {"\x28\xb5\x2f\xfd", "is packed by Zstandard: unpack it with 'unzstd'"},
      {"\x89HDF", "is an HDF5 file: write the matrix with scipy.io.mmwrite or np.save"},
      {"MATLAB 5.0 MAT-file", "is a file of MATLAB: write the matrix with mmwrite or scipy.io.mmwrite"},
      {"%%NVAMGBin", "is a binary file of AmgX: have it write Matrix Market (matrix_writer=matrixmarket)"}};
  for (const Known& other : known)
    if (file.starts_with(other.begin))
      throw InputError(fmt::format("{}: {}{}", file.name(),
                                   file.name().ends_with(".npz") ? "a .npz file " : "", other.what));
}

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path) {
  number_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (number_ < 0) refuse(path, errno);
  try {
    struct stat status {};
    if (::fstat(number_, &status) != 0) refuse(path, errno);
    if (S_ISDIR(status.st_mode))
      throw InputError(fmt::format("{}: is a folder; name a file inside it", path));
    size_ = static_cast<std::size_t>(status.st_size);
    if (!S_ISREG(status.st_mode) || status.st_size == 0) keep(read_all(number_, path));
    if (starts_with("\x1f\x8b")) keep(gunzip(*this));
    refuse_others(*this);
  } catch (...) {
    close();
    throw;
  }
}

InputFile::~InputFile() { close(); }

void InputFile::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

void InputFile::keep(std::string bytes) {
  owned_ = std::move(bytes);
  bytes_ = owned_;
  close();
}

void InputFile::read_to(std::size_t first, std::span<char> to) const {
  if (number_ < 0) {
    std::ranges::copy(bytes_.subspan(first, to.size()), to.begin());
    return;
  }
  while (!to.empty()) {
    const ssize_t got = ::pread(number_, to.data(), to.size(), static_cast<off_t>(first));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name_, errno);
    if (got == 0)
      throw InputError(
          fmt::format("{}: was cut off after {} bytes while being read; read it again", name_, first));
    first += static_cast<std::size_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
}

std::span<const char> InputFile::read(std::size_t first, std::size_t count, std::string& buffer) const {
  if (number_ < 0) return bytes_.subspan(first, count);
  buffer.resize(count);
  read_to(first, buffer);
  return buffer;
}

bool InputFile::starts_with(std::string_view bytes) const {
  if (size() < bytes.size()) return false;
  std::string buffer;
  const auto begin = read(0, bytes.size(), buffer);
  return std::ranges::equal(begin, bytes);
}

}  // namespace jacobi::io
