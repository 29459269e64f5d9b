/// The page of a picture: its texts around what is plotted, and its way into a file. Internal to src/io.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace jacobi::io {

/// Breaks text between words into lines of at most `letters` letters; longer words are cut.
std::vector<std::string> wrap(std::string_view text, std::size_t letters);

/// Letters of text in UTF-8.
int letters(std::string_view utf8);

/// Text broken into lines joined by "\n".
struct TextBlock {
  std::string text;
  int lines = 0;
  /// Adds `whole` in lines of at most width / letter_pixels letters.
  void add(const std::string& whole, int width, int letter_pixels);
};

/// All lengths are pixels of the picture. left, right, top, bottom: the room on the four sides of the plot.
struct Page {
  static constexpr int line = 19, note_line = 18, title_line = 23, pad = 14;
  static constexpr int letter = 8;  ///< a letter's width, generously

  TextBlock title, notes;
  int width = 900, height = 0, left = 96, right = 30, top = 0, bottom = 0;

  /// Title and notes, broken to fit `width`.
  void add_texts(const std::string& whole_title, const std::vector<std::string>& whole_notes);
  /// Top, bottom and height around a plot `plot_height` high, with `above` pixels between title and plot and
  /// `below` between plot and notes.
  void stack(int above, int plot_height, int below);

  int notes_height() const { return notes.lines > 0 ? 8 + notes.lines * note_line : 0; }
  double across(double pixels) const { return pixels / width; }
  double up(double pixels) const { return pixels / height; }  ///< from the bottom

  /// Size, margins, title, notes and names of the axes for gnuplot; terminal: "svg" or "pngcairo".
  std::string script(const std::string& terminal, const std::string& x_label,
                     const std::string& y_label) const;
};

/// What gnuplot draws by `script`, an SVG or a PNG, with the title in the file itself, where viewers and
/// programs look for it. Throws: BackendError when gnuplot is missing or fails.
std::string picture_of(std::string_view script, const std::string& title);

/// Writes what gnuplot draws by `script`, atomically. Throws: InputError when the file cannot be written;
/// BackendError when gnuplot is missing or fails.
void write_picture(const std::string& path, std::string_view script, const std::string& title);

}  // namespace jacobi::io
