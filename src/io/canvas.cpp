#include "io/canvas.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <ostream>

#include "io/atomic_file.hpp"
#include "io/font.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr int text_zoom = 2;

/// What libpng calls back with: where to write and, after a failure, why.
struct PngSink {
  std::ostream* out;
  std::string error;
};

// libpng is C: no exception may pass through it, so failures leave by longjmp, as it expects.
void on_error(png_structp png, png_const_charp message) {
  static_cast<PngSink*>(png_get_error_ptr(png))->error = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, png_size_t size) {
  auto* sink = static_cast<PngSink*>(png_get_io_ptr(png));
  bool failed = false;
  try {
    sink->out->write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    failed = !*sink->out;
  } catch (...) {
    failed = true;
  }
  if (failed) png_error(png, "the file cannot be written");
}

void on_flush(png_structp) {}

/// False after a failure, with sink.error set. Nothing in here has a destructor: longjmp would skip it.
bool encode(PngSink& sink, const Color* pixels, png_uint_32 width, png_uint_32 height) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink, on_error, on_warning);
  if (png == nullptr) return false;
  png_infop info = png_create_info_struct(png);
  if (info == nullptr || setjmp(png_jmpbuf(png)) != 0) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, &sink, on_write, on_flush);
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (png_uint_32 y = 0; y < height; ++y)
    png_write_row(png, reinterpret_cast<png_const_bytep>(pixels + static_cast<std::size_t>(y) * width));
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Canvas::Canvas(int width, int height)
    : width_(std::max(width, 1)),
      height_(std::max(height, 1)),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), white) {}

void Canvas::set(int x, int y, Color color) {
  if (x >= 0 && x < width_ && y >= 0 && y < height_) pixels_[index(x, y)] = color;
}

void Canvas::fill(int x, int y, int width, int height, Color color) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) set(i, j, color);
}

void Canvas::frame(int x, int y, int width, int height, Color color) {
  fill(x - 1, y - 1, width + 2, 1, color);
  fill(x - 1, y + height, width + 2, 1, color);
  fill(x - 1, y - 1, 1, height + 2, color);
  fill(x + width, y - 1, 1, height + 2, color);
}

void Canvas::line(int x0, int y0, int x1, int y1, int thickness, Color color) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  const int before = (thickness - 1) / 2;
  for (int s = 0; s <= steps; ++s) {
    const double t = static_cast<double>(s) / steps;
    const auto x = static_cast<int>(std::lround(x0 + t * (x1 - x0)));
    const auto y = static_cast<int>(std::lround(y0 + t * (y1 - y0)));
    fill(x - before, y - before, thickness, thickness, color);
  }
}

void Canvas::text(int x, int y, std::string_view utf8, Color color) {
  for (const char c : ascii(utf8)) {
    for (std::size_t row = 0; row < glyph_height; ++row)
      for (std::size_t column = 0; column < glyph_width; ++column)
        if (glyph_pixel(c, column, row))
          fill(x + text_zoom * static_cast<int>(column), y + text_zoom * static_cast<int>(row), text_zoom,
               text_zoom, color);
    x += letter_width;
  }
}

void Canvas::write_png(const std::string& path) const {
  write_atomically(path, [&](std::ostream& out) {
    PngSink sink{&out, "out of memory"};
    if (!encode(sink, pixels_.data(), static_cast<png_uint_32>(width_), static_cast<png_uint_32>(height_)))
      throw InputError(fmt::format("{}: the picture could not be written: {}", path, sink.error));
  });
}

int text_width(std::string_view utf8) { return letter_width * static_cast<int>(ascii(utf8).size()); }

std::vector<std::string> wrap(std::string_view text, std::size_t letters) {
  const auto is_start = [](char c) { return (c & 0xc0) != 0x80; };  // of a UTF-8 letter
  std::vector<std::string> lines;
  letters = std::max<std::size_t>(letters, 1);
  while (!text.empty()) {
    std::size_t end = 0, blank = std::string_view::npos;
    for (std::size_t seen = 0; end < text.size(); ++end) {
      if (is_start(text[end]) && seen++ == letters) break;
      if (text[end] == ' ') blank = end;
    }
    if (end < text.size() && text[end] == ' ') blank = end;
    if (end == text.size()) blank = std::string_view::npos;
    const bool at_blank = blank != std::string_view::npos && blank > 0;
    lines.emplace_back(text.substr(0, at_blank ? blank : end));
    text.remove_prefix(at_blank ? blank + 1 : end);
  }
  return lines;
}

}  // namespace jacobi::io
