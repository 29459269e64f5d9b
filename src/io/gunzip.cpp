#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/memory.hpp"
#include "io/input_file.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr int gzip_only = 16;  // added to the window's bits: gzip's header, and its checksums verified

/// zlib's state, and how far it is in the packed file and in the text.
class Inflater {
 public:
  explicit Inflater(const InputFile& packed) : packed_(packed) {
    if (::inflateInit2(&stream_, gzip_only + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { ::inflateEnd(&stream_); }

  /// Unpacks into the room behind text[out()]; returns zlib's state.
  int step(std::string& text) {
    if (window_.empty()) window_ = packed_.read(in_, std::min(left(), at_once), buffer_);
    const std::size_t room = std::min<std::size_t>(text.size() - out_, std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(window_.data()));
    stream_.avail_in = static_cast<uInt>(window_.size());
    stream_.next_out = reinterpret_cast<Bytef*>(text.data() + out_);
    stream_.avail_out = static_cast<uInt>(room);
    const int state = ::inflate(&stream_, Z_NO_FLUSH);
    in_ += window_.size() - stream_.avail_in;
    out_ += room - stream_.avail_out;
    window_ = window_.last(stream_.avail_in);
    return state;
  }
  /// Begins the next part, which another call of gzip made, if one follows.
  bool restart() {
    if (window_.empty()) window_ = packed_.read(in_, std::min(left(), at_once), buffer_);
    if (window_[0] != '\x1f') return false;
    ::inflateReset(&stream_);
    return true;
  }
  std::size_t left() const { return packed_.size() - in_; }
  std::size_t out() const { return out_; }
  const char* reason() const { return stream_.msg != nullptr ? stream_.msg : "no reason given"; }

 private:
  static constexpr std::size_t at_once = 1 << 20;
  const InputFile& packed_;
  z_stream stream_{};
  std::size_t in_ = 0, out_ = 0;
  std::string buffer_;
  std::span<const char> window_;
};

/// What the last four bytes say of the unpacked size (modulo 2^32), as far as text can be packed.
std::size_t expected_size(const InputFile& packed) {
  if (packed.size() < 18) return 0;
  std::string buffer;
  const auto last = packed.read(packed.size() - 4, 4, buffer);
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(last[i])) << (8 * i);
  return std::min(size, 32 * packed.size());
}

/// Makes room for at least `size` bytes.
void grow(std::string& text, std::size_t size, const std::string& name) {
  if (static_cast<double>(size) > available_memory())
    throw InputError(fmt::format("{}: unpacks to more than {}, more than the {} of memory available", name,
                                 in_words(static_cast<double>(text.size())), in_words(available_memory())));
  text.resize(size);
}

}  // namespace

std::string gunzip(const InputFile& packed) {
  constexpr std::size_t least_room = 1 << 15;
  const std::string& name = packed.name();
  Inflater inflater(packed);
  std::string text;
  grow(text, expected_size(packed) + 2 * least_room, name);
  for (;;) {
    if (text.size() - inflater.out() < least_room) grow(text, 2 * text.size(), name);
    const int state = inflater.step(text);
    if (state == Z_STREAM_END) {
      if (inflater.left() == 0) break;
      if (!inflater.restart())
        throw InputError(fmt::format("{}: {} bytes after the end of the gzip data; copy the file again", name,
                                     inflater.left()));
    } else if (state == Z_BUF_ERROR && inflater.left() == 0) {
      throw InputError(fmt::format(
          "{}: the gzip data is cut off after {} bytes unpacked; copy the file again", name, inflater.out()));
    } else if (state != Z_OK) {
      throw InputError(
          fmt::format("{}: the gzip data is damaged after {} bytes unpacked ({}); copy the file "
                      "again",
                      name, inflater.out(), inflater.reason()));
    }
  }
  text.resize(inflater.out());
  return text;
}

}  // namespace jacobi::io
