#include "io/written.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <streambuf>
#include <thread>

#include "io/atomic_file.hpp"
#include "io/place.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

using std::chrono::steady_clock;

bool (*waiting_ends)() = nullptr;

bool is_to_stop() { return waiting_ends && waiting_ends(); }

/// Writes through a buffer; never throws, since streams would not pass it on, but keeps the error.
class FileBuffer final : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) { setp(held_.data(), held_.data() + held_.size()); }
  int error() const { return error_; }
  bool unread() const { return unread_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    if (size < epptr() - pptr()) return std::streambuf::xsputn(text, size);
    return sync() == 0 && put(text, size) ? size : 0;
  }
  int sync() override {
    const bool done = put(pbase(), pptr() - pbase());
    setp(held_.data(), held_.data() + held_.size());
    return done ? 0 : -1;
  }

 private:
  bool put(const char* text, std::streamsize size) {
    auto moved = steady_clock::now();
    while (size > 0 && error_ == 0) {
      const ssize_t written = ::write(file_, text, static_cast<std::size_t>(size));
      if (written > 0) {
        text += written;
        size -= written;
        moved = steady_clock::now();
      } else if (written < 0 && errno == EAGAIN) {  // a pipe whose reader is slow
        pollfd ready{file_, POLLOUT, 0};
        ::poll(&ready, 1, 50);
        unread_ = is_to_stop() && steady_clock::now() - moved > std::chrono::seconds(1);
        if (unread_) error_ = EAGAIN;
      } else if (written < 0 && errno != EINTR) {
        error_ = errno;
      }
    }
    return error_ == 0;
  }

  int file_, error_ = 0;
  bool unread_ = false;
  std::array<char, 1 << 16> held_{};
};

}  // namespace

void stop_waiting_when(bool (*asked)()) { waiting_ends = asked; }

int Descriptor::close() {
  const int error = number_ >= 0 && ::close(number_) != 0 ? errno : 0;
  number_ = -1;
  return error;
}

int open_special(const std::string& path) {
  if (const int stream = stream_of(path); stream >= 0) {  // as far as it has come, not from its file's start
    std::fflush(stdout);
    const int same = ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
    if (same < 0) throw InputError(fmt::format("{}: cannot be opened: {}", path, cure(errno, "")));
    return same;
  }
  struct stat status {};
  const bool pipe = ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
  while (true) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | (pipe ? O_NONBLOCK : 0));
    if (file >= 0) return file;
    if (errno == EINTR) continue;
    if (!pipe || errno != ENXIO)
      throw InputError(fmt::format("{}: cannot be opened: {}", path, cure(errno, folder_of(path))));
    if (is_to_stop()) throw Unread(fmt::format("{}: not written: nobody reads this pipe", path));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void fill(int file, const std::string& path, const std::function<void(std::ostream&)>& write) {
  FileBuffer buffer(file);
  std::ostream out(&buffer);
  write(out);
  if (out.flush()) return;
  if (buffer.unread()) throw Unread(fmt::format("{}: writing was given up: nobody reads on", path));
  const std::string cause = buffer.error() != 0 ? cure(buffer.error(), folder_of(path)) : "the stream failed";
  throw InputError(fmt::format("{}: writing failed: {}", path, cause));
}

void sync(int file, const std::string& path) {
  while (::fsync(file) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL || errno == EROFS || errno == ENOTSUP) return;  // nothing to wait for
    throw InputError(fmt::format("{}: writing failed: {}", path, cure(errno, folder_of(path))));
  }
}

}  // namespace jacobi::io
