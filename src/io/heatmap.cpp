#include "io/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "io/canvas.hpp"
#include "io/colormap.hpp"
#include "io/font.hpp"
#include "io/plot_parts.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr int smallest = 480, largest = 1200, thinnest = 24;  // pixels of the field
constexpr int bar_width = 22, bar_gap = 28, shortest_bar = 5 * line_height;

struct Size {
  int width, height;
};

/// Pixels from the first to the last of n points, `zoom` pixels from one to the next; a whole number of them
/// where they are many.
int pixels(std::size_t n, double zoom) {
  const double exact = static_cast<double>(n - 1) * (zoom >= 4 ? std::round(zoom) : zoom);
  return std::max(static_cast<int>(std::lround(exact)), thinnest);
}

/// The size of the drawn field: whole-number zoom or reduction along the direction with the closer points.
Size field_size(std::size_t nx, std::size_t ny, const HeatmapLabels& labels) {
  const double hx = (labels.x1 - labels.x0) / static_cast<double>(nx - 1);
  const double hy = (labels.y1 - labels.y0) / static_cast<double>(ny - 1);
  const double h = std::min(hx, hy);
  const double longer = std::max(labels.x1 - labels.x0, labels.y1 - labels.y0) / h;
  const double zoom = longer > largest ? 1 / std::ceil(longer / largest) : std::ceil(smallest / longer);
  return {std::min(pixels(nx, zoom * hx / h), largest), std::min(pixels(ny, zoom * hy / h), largest)};
}

/// The points [first, last) behind pixel i of `count`. When enlarging, the nearest one: the picture ends at
/// the first and the last point, which get half as many pixels as the others. When reducing, several.
struct Range {
  std::size_t first, last;
};
std::vector<Range> point_ranges(std::size_t n, int count) {
  std::vector<Range> ranges;
  const auto pixels = static_cast<std::size_t>(count);
  for (std::size_t i = 0; i < pixels; ++i) {
    const std::size_t nearest = ((2 * i + 1) * (n - 1) + pixels) / (2 * pixels), first = i * n / pixels;
    if (pixels >= n - 1)
      ranges.push_back({nearest, nearest + 1});
    else
      ranges.push_back({first, (i + 1) * n / pixels});
  }
  return ranges;
}

/// The mean over a block of points; NaN when one of them is not finite, so that none is averaged away.
double mean(std::span<const double> values, std::size_t nx, Range xs, Range ys) {
  const double weight = 1 / static_cast<double>((xs.last - xs.first) * (ys.last - ys.first));
  double sum = 0;
  for (std::size_t y = ys.first; y < ys.last; ++y)
    for (std::size_t x = xs.first; x < xs.last; ++x) sum += weight * values[x + nx * y];
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::quiet_NaN();
}

/// Where things stand on the picture, in pixels.
struct Layout {
  std::vector<std::string> title, notes, x_texts, y_texts, bar_texts;
  std::vector<double> bar_ticks;
  Size field{}, canvas{};
  int left = 0, top = 0, bar_top = 0, bar_height = 0;

  int bar_left() const { return left + field.width + bar_gap; }
  int area_bottom() const { return std::max(top + field.height, bar_top + bar_height); }
};

Layout make_layout(const Extremes& e, std::size_t nx, std::size_t ny, const HeatmapLabels& labels) {
  Layout l;
  l.field = field_size(nx, ny, labels);
  l.notes = extreme_texts(e, nx, ny, labels);
  l.x_texts = tick_texts({labels.x0, 0.5 * (labels.x0 + labels.x1), labels.x1});
  l.y_texts = tick_texts({labels.y0, 0.5 * (labels.y0 + labels.y1), labels.y1});
  if (e.finite > 0 && e.min == e.max) l.bar_ticks = {e.min};
  if (e.min < e.max)
    for (std::size_t i = 0; i < 5; ++i) l.bar_ticks.push_back(coordinate(i, 5, e.min, e.max));
  l.bar_texts = tick_texts(l.bar_ticks);
  const int left = pad + std::max(widest(l.y_texts), widest(l.x_texts) / 2) + tick_length + 6;
  const int right =
      std::max(bar_gap + bar_width + tick_length + 6 + widest(l.bar_texts), widest(l.x_texts) / 2) + pad;
  const int content = left + l.field.width + right;
  l.canvas.width = std::max({content, smallest, widest(l.notes) + 2 * pad});
  l.left = left + (l.canvas.width - content) / 2;
  l.title = wrap(ascii(labels.title), static_cast<std::size_t>((l.canvas.width - 2 * pad) / letter_width));
  const int area_top = pad + static_cast<int>(l.title.size()) * line_height + line_height + 16;
  l.bar_height = std::max(l.field.height, shortest_bar);
  l.bar_top = area_top;
  l.top = area_top + (l.bar_height - l.field.height) / 2;
  l.canvas.height = l.area_bottom() + tick_length + 2 * line_height + 14 +
                    static_cast<int>(l.notes.size()) * line_height + pad;
  return l;
}

void draw_field(Canvas& canvas, const Layout& l, std::span<const double> values, std::size_t nx,
                std::size_t ny, const Extremes& e) {
  const std::vector<Range> xs = point_ranges(nx, l.field.width), ys = point_ranges(ny, l.field.height);
  for (int j = 0; j < l.field.height; ++j)
    for (int i = 0; i < l.field.width; ++i) {
      const double v = mean(values, nx, xs[static_cast<std::size_t>(i)], ys[static_cast<std::size_t>(j)]);
      const double t = std::isnan(v) ? v : fraction(v, e.min, e.max);
      canvas.set(l.left + i, l.top + l.field.height - 1 - j, viridis(t));
    }
  canvas.frame(l.left, l.top, l.field.width, l.field.height, black);
}

/// Ticks point at the first, middle and last point; the middle one is left out where it would not fit.
void draw_axes(Canvas& canvas, const Layout& l) {
  const auto [width, height] = l.field;
  const int bottom = l.top + height, text_top = bottom + tick_length + 6;
  const std::array<int, 3> xs{l.left, l.left + width / 2, l.left + width - 1};
  const std::array<int, 3> ys{bottom - 1, bottom - height / 2, l.top};
  const bool roomy = xs[2] - xs[0] > 2 * widest(l.x_texts) + 2 * letter_width;
  const int crowd = std::max(0, widest(l.x_texts) + letter_width - (xs[2] - xs[0])) / 2;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == 1 && !roomy) continue;
    canvas.fill(xs[i], bottom + 1, 1, tick_length, black);
    const int shift = i == 0 ? -crowd : i == 2 ? crowd : 0;
    canvas.text(xs[i] - text_width(l.x_texts[i]) / 2 + shift, text_top, l.x_texts[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (i == 1 && ys[0] - ys[2] < 3 * line_height) continue;
    canvas.fill(l.left - 1 - tick_length, ys[i], tick_length, 1, black);
    canvas.text(l.left - tick_length - 6 - text_width(l.y_texts[i]), ys[i] - text_height / 2 + 1,
                l.y_texts[i]);
  }
  canvas.text(xs[1] - letter_width / 2, text_top + line_height, "x");
  canvas.text(l.left - tick_length - 6 - letter_width, l.top - line_height - 8, "y");
}

void draw_bar(Canvas& canvas, const Layout& l, const Extremes& e) {
  if (e.finite == 0) return;
  const int x = l.bar_left();
  for (int j = 0; j < l.bar_height; ++j) {
    const double t = e.min < e.max ? static_cast<double>(j) / (l.bar_height - 1) : 0.5;
    canvas.fill(x, l.bar_top + l.bar_height - 1 - j, bar_width, 1, viridis(t));
  }
  canvas.frame(x, l.bar_top, bar_width, l.bar_height, black);
  for (std::size_t i = 0; i < l.bar_ticks.size(); ++i) {
    const double t = fraction(l.bar_ticks[i], e.min, e.max);
    const int y = l.bar_top + static_cast<int>(std::lround((1 - t) * (l.bar_height - 1)));
    canvas.fill(x + bar_width + 1, y, tick_length, 1, black);
    canvas.text(x + bar_width + tick_length + 6, y - text_height / 2 + 1, l.bar_texts[i]);
  }
}

void check(const std::string& path, std::size_t values, std::size_t nx, std::size_t ny,
           const HeatmapLabels& l) {
  if (nx == 0 || ny == 0 || values % nx != 0 || values / nx != ny)
    throw UsageError(fmt::format("{}: {} x {} points do not hold {} values", path, nx, ny, values));
  const auto is_range = [](double a, double b) { return std::isfinite(a) && std::isfinite(b - a) && a < b; };
  const auto is_axis = [&](std::size_t n, double a, double b) {
    return n > 1 ? is_range(a, b) : std::isfinite(a);
  };
  if (!is_axis(nx, l.x0, l.x1) || !is_axis(ny, l.y0, l.y1))
    throw UsageError(fmt::format("{}: axes from {} to {} and {} to {} must be finite and increase", path,
                                 l.x0, l.x1, l.y0, l.y1));
}

}  // namespace

void write_heatmap(const std::string& path, std::span<const double> values, std::size_t nx, std::size_t ny,
                   const HeatmapLabels& labels) {
  check(path, values.size(), nx, ny, labels);
  if (nx == 1 || ny == 1) return write_curve(path, values, nx, ny, labels);
  const Extremes e = extremes(values);
  const Layout l = make_layout(e, nx, ny, labels);
  Canvas canvas(l.canvas.width, l.canvas.height);
  int y = pad;
  for (const std::string& line : l.title) {
    canvas.text((l.canvas.width - text_width(line)) / 2, y, line, black);
    y += line_height;
  }
  draw_field(canvas, l, values, nx, ny, e);
  draw_axes(canvas, l);
  draw_bar(canvas, l, e);
  y = l.canvas.height - pad - static_cast<int>(l.notes.size()) * line_height;
  for (const std::string& line : l.notes) {
    canvas.text((l.canvas.width - widest(l.notes)) / 2, y, line);
    y += line_height;
  }
  canvas.write_png(path);
}

}  // namespace jacobi::io
