#include "io/page.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>

#include "io/atomic_file.hpp"
#include "io/gnuplot.hpp"
#include "io/words.hpp"

namespace jacobi::io {
namespace {

constexpr int title_letter = 10;  // pixels, generously

bool starts_letter(char c) { return (c & 0xc0) != 0x80; }  // of UTF-8

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t letters) {
  std::vector<std::string> lines;
  letters = std::max<std::size_t>(letters, 1);
  while (!text.empty()) {
    std::size_t end = 0, blank = std::string_view::npos;
    for (std::size_t seen = 0; end < text.size(); ++end) {
      if (starts_letter(text[end]) && seen++ == letters) break;
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

int letters(std::string_view utf8) {
  return static_cast<int>(std::count_if(utf8.begin(), utf8.end(), starts_letter));
}

void TextBlock::add(const std::string& whole, int width, int letter_pixels) {
  for (const std::string& part : wrap(whole, static_cast<std::size_t>(width / letter_pixels))) {
    if (lines++ > 0) text += '\n';
    text += part;
  }
}

void Page::add_texts(const std::string& whole_title, const std::vector<std::string>& whole_notes) {
  title.add(whole_title, width - 40, title_letter);
  for (const std::string& note : whole_notes) notes.add(note, width - 40, letter);
}

void Page::stack(int above, int plot_height, int below) {
  top = 2 * pad + title.lines * title_line + above;
  bottom = below + notes_height() + 10;
  height = top + plot_height + bottom;
}

std::string Page::script(const std::string& terminal, const std::string& x_label,
                         const std::string& y_label) const {
  const bool svg = terminal == "svg";
  std::string script = fmt::format(
      "set encoding utf8\nset tics nomirror out\nunset key\nset terminal {} size {},{} font '{}' background "
      "rgb 'white'\n",
      terminal, width, height, svg ? "sans-serif,12" : "sans,10");
  script += fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set bmargin at screen {:.5f}\nset tmargin at screen {:.5f}\n",
      across(left), 1 - across(right), up(bottom), 1 - up(top));
  script += fmt::format("set label 1 {} at screen 0.5,{:.5f} center font ',{}' noenhanced\n",
                        gnuplot_string(title.text), 1 - up(pad + 10), svg ? 15 : 12);
  script += fmt::format("set label 2 {} at screen {:.5f},{:.5f} center noenhanced\n", gnuplot_string(x_label),
                        0.5 + 0.5 * across(left - right), up(10 + notes_height() + 0.5 * line));
  script += fmt::format("set label 3 {} at screen {:.5f},{:.5f} left noenhanced tc rgb '#444444'\n",
                        gnuplot_string(notes.text), across(20), up(10 + (notes.lines - 0.5) * note_line));
  script += fmt::format("set label 4 {} at screen {:.5f},{:.5f} center rotate by 90 noenhanced\n",
                        gnuplot_string(y_label), across(18), 0.5 + 0.5 * up(bottom - top));
  return script;
}

namespace {

/// Four bytes, the highest first, as PNG has numbers.
std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

/// A chunk iTXt of a PNG: keyword, no compression, no language, text in UTF-8.
std::string title_chunk(const std::string& title) {
  const std::string content = std::string("iTXtTitle") + std::string(5, '\0') + title;
  const auto sum =
      ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
  return big_endian(static_cast<std::uint32_t>(content.size() - 4)) + content +
         big_endian(static_cast<std::uint32_t>(sum));
}

}  // namespace

std::string picture_of(std::string_view script, const std::string& title) {
  constexpr std::size_t after_header = 33;  // signature, length, IHDR, 13 bytes, checksum
  std::string picture = run_gnuplot(script);
  if (title.empty()) return picture;
  const std::string given = "<title>Gnuplot</title>";
  if (picture.starts_with("\x89PNG") && picture.size() > after_header)
    picture.insert(after_header, title_chunk(title));
  else if (const std::size_t at = picture.find(given); at != picture.npos)
    picture.replace(at, given.size(), "<title>" + for_xml(title) + "</title>");
  return picture;
}

void write_picture(const std::string& path, std::string_view script, const std::string& title) {
  check_writable(path);
  const std::string picture = picture_of(script, title);
  write_atomically(path, [&](std::ostream& out) {
    out.write(picture.data(), static_cast<std::streamsize>(picture.size()));
  });
}

}  // namespace jacobi::io
