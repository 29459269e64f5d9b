/// The letters on pictures: printable ASCII as small bitmaps.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace jacobi::io {

/// Pixels of a letter; lines stand glyph_height + 3 apart, letters glyph_width + 1.
constexpr std::size_t glyph_width = 5, glyph_height = 8;

/// Whether the pixel of letter `c` is set; column < glyph_width, row < glyph_height, row 0 at the top. What
/// is not printable ASCII shows as '?'.
bool glyph_pixel(char c, std::size_t column, std::size_t row);

/// `utf8` with common mathematical letters spelled out ("pi", "<=") and every other non-ASCII letter as '?'.
std::string ascii(std::string_view utf8);

}  // namespace jacobi::io
