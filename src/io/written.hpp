/// A stream to an open file that says what went wrong.
#pragma once
#include <functional>
#include <ostream>
#include <string>

namespace jacobi::io {

/// An open file, closed in the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  int number() const { return number_; }
  void take(int number) { number_ = number; }
  /// 0, or the error of closing it, which may be that of a write before.
  int close();

 private:
  int number_;
};

/// Opens a device, a pipe or a stream of this process for writing. Waits for somebody to read a pipe.
/// Throws: InputError; Unread where waiting was to stop.
int open_special(const std::string& path);

/// Lets `write` fill the open file. Every failure becomes an InputError about `path`, or Unread.
void fill(int file, const std::string& path, const std::function<void(std::ostream&)>& write);

/// Puts what was written where a crash of the machine leaves it. Throws: InputError about `path`.
void sync(int file, const std::string& path);

}  // namespace jacobi::io
