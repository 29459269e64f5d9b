/// A picture in memory and its way into a PNG file.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jacobi::io {

/// Red, green, blue, each 0 to 255.
using Color = std::array<std::uint8_t, 3>;

constexpr Color white{255, 255, 255}, black{0, 0, 0}, ink{40, 40, 40}, grey{160, 160, 160},
    light_grey{228, 228, 228};

/// Pixels per letter and per line of text, as Canvas draws it.
constexpr int letter_width = 12, line_height = 22, text_height = 16;

/// A white picture; x to the right, y downwards, from 0. Drawing outside of it is cut off.
class Canvas {
 public:
  /// width, height: pixels, > 0.
  Canvas(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }
  Color at(int x, int y) const { return pixels_[index(x, y)]; }

  void set(int x, int y, Color color);
  /// Fills width x height pixels from the corner (x, y) at the top left.
  void fill(int x, int y, int width, int height, Color color);
  /// A frame one pixel wide just outside of the given rectangle.
  void frame(int x, int y, int width, int height, Color color);
  /// A straight line, `thickness` pixels wide.
  void line(int x0, int y0, int x1, int y1, int thickness, Color color);
  /// One line of text, letters twice the size of the font; (x, y) is its top left corner. UTF-8 is spelled in
  /// ASCII (see ascii in font.hpp).
  void text(int x, int y, std::string_view utf8, Color color = ink);

  /// Writes an 8-bit RGB PNG file atomically.
  /// Throws: InputError when libpng or the file system fails.
  void write_png(const std::string& path) const;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  int width_, height_;
  std::vector<Color> pixels_;
};

/// Pixels that `utf8` takes from left to right.
int text_width(std::string_view utf8);

/// Breaks text between words into lines of at most `letters` letters; longer words are cut.
std::vector<std::string> wrap(std::string_view text, std::size_t letters);

}  // namespace jacobi::io
