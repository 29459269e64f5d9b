// Fields of one row or one column, drawn as a curve.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "io/canvas.hpp"
#include "io/font.hpp"
#include "io/plot_parts.hpp"

namespace jacobi::io {
namespace {

constexpr int area_width = 760, area_height = 420;
constexpr Color curve_color{38, 90, 160};
constexpr std::size_t most_markers = 60;

struct Axis {
  double lo, hi;
  std::vector<double> ticks;
  std::vector<std::string> texts;
  Axis(double first, double last)
      : lo(first), hi(last), ticks(nice_ticks(lo, hi, 5)), texts(tick_texts(ticks)) {}
};

Axis position_axis(std::size_t n, double first, double last) {
  return n > 1 ? Axis(first, last) : Axis(first - 0.5, first + 0.5);
}

/// The values' range and 5 % on both sides; around a constant, half of it.
Axis value_axis(const Extremes& e) {
  constexpr double most = std::numeric_limits<double>::max();
  const double range = 0.5 * e.max - 0.5 * e.min;
  const double margin = range > 0 ? 0.1 * range : e.max == 0 ? 1.0 : 0.5 * std::abs(e.max);
  return {std::max(e.min - margin, -most), std::min(e.max + margin, most)};
}

struct Frame {
  int left, top;
  Axis x, y;
  int to_x(double v) const {
    return left + static_cast<int>(std::lround(fraction(v, x.lo, x.hi) * (area_width - 1)));
  }
  int to_y(double v) const {
    return top + static_cast<int>(std::lround((1 - fraction(v, y.lo, y.hi)) * (area_height - 1)));
  }
};

void draw_frame(Canvas& canvas, const Frame& f, const char* name) {
  const int bottom = f.top + area_height;
  for (std::size_t i = 0; i < f.x.ticks.size(); ++i) {
    const int x = f.to_x(f.x.ticks[i]);
    canvas.fill(x, f.top, 1, area_height, light_grey);
    canvas.fill(x, bottom + 1, 1, tick_length, black);
    canvas.text(x - text_width(f.x.texts[i]) / 2, bottom + tick_length + 6, f.x.texts[i]);
  }
  for (std::size_t i = 0; i < f.y.ticks.size(); ++i) {
    const int y = f.to_y(f.y.ticks[i]);
    canvas.fill(f.left, y, area_width, 1, light_grey);
    canvas.fill(f.left - 1 - tick_length, y, tick_length, 1, black);
    canvas.text(f.left - tick_length - 6 - text_width(f.y.texts[i]), y - text_height / 2 + 1, f.y.texts[i]);
  }
  canvas.frame(f.left, f.top, area_width, area_height, black);
  canvas.text(f.left + (area_width - letter_width) / 2, bottom + tick_length + 6 + line_height, name);
}

void draw_curve(Canvas& canvas, const Frame& f, std::span<const double> values, double first, double last) {
  struct Point {
    int x, y;
  };
  const std::size_t n = values.size();
  std::optional<Point> before;
  bool joined = false;  // of the point before, to its left
  for (std::size_t i = 0; i <= n; ++i) {
    std::optional<Point> point;
    if (i < n && std::isfinite(values[i])) point = {f.to_x(coordinate(i, n, first, last)), f.to_y(values[i])};
    if (before && point) canvas.line(before->x, before->y, point->x, point->y, 2, curve_color);
    const bool alone = before && !joined && !point;
    if (before && (alone || n <= most_markers)) canvas.fill(before->x - 3, before->y - 3, 7, 7, curve_color);
    joined = before && point;
    before = point;
  }
}

}  // namespace

void write_curve(const std::string& path, std::span<const double> values, std::size_t nx, std::size_t ny,
                 const HeatmapLabels& labels) {
  const bool along_x = ny == 1;
  const double first = along_x ? labels.x0 : labels.y0, last = along_x ? labels.x1 : labels.y1;
  const Extremes e = extremes(values);
  const std::vector<std::string> notes = extreme_texts(e, nx, ny, labels);
  Frame f{0, 0, position_axis(values.size(), first, last), value_axis(e)};
  f.left = pad + std::max(widest(f.y.texts), widest(f.x.texts) / 2) + tick_length + 6;
  const int canvas_width = f.left + area_width + widest(f.x.texts) / 2 + pad;
  const auto title =
      wrap(ascii(labels.title), static_cast<std::size_t>((canvas_width - 2 * pad) / letter_width));
  f.top = pad + static_cast<int>(title.size()) * line_height + 12;
  const int notes_top = f.top + area_height + tick_length + 2 * line_height + 14;
  Canvas canvas(canvas_width, notes_top + static_cast<int>(notes.size()) * line_height + pad);
  int y = pad;
  for (const std::string& line : title) {
    canvas.text((canvas_width - text_width(line)) / 2, y, line, black);
    y += line_height;
  }
  draw_frame(canvas, f, along_x ? "x" : "y");
  draw_curve(canvas, f, values, first, last);
  y = notes_top;
  for (const std::string& line : notes) {
    canvas.text((canvas_width - widest(notes)) / 2, y, line);
    y += line_height;
  }
  canvas.write_png(path);
}

}  // namespace jacobi::io
