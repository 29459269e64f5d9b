#include "io/heatmap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/page.hpp"
#include "io/ticks.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr int smallest_field = 480, largest_field = 1000, thinnest_field = 24;  // pixels of the field
constexpr int bar_width = 22, bar_gap = 28, shortest_bar = 110;
constexpr int curve_width = 760, curve_height = 420, tick_room = 16;
constexpr std::size_t most_markers = 60, curve_parts = 1000;

/// Smallest and largest finite value and the first index of each; `finite` counts the finite ones.
struct Extremes {
  double min = 0, max = 0;
  std::size_t at_min = 0, at_max = 0, finite = 0;

  explicit Extremes(std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      if (finite == 0 || values[i] < values[at_min]) at_min = i;
      if (finite == 0 || values[i] > values[at_max]) at_max = i;
      ++finite;
    }
    min = finite > 0 ? values[at_min] : 0;
    max = finite > 0 ? values[at_max] : 0;
  }
};

/// Values on their way to gnuplot: single precision shows more than a pixel or a colour can.
void put(std::string& script, double value) {
  const auto single = static_cast<float>(value);
  script.append(reinterpret_cast<const char*>(&single), sizeof single);
}

/// Pixels from the first to the last of n points, `zoom` pixels from one to the next; a whole number of them
/// where they are many.
int pixels(std::size_t n, double zoom) {
  const double exact = static_cast<double>(n - 1) * (zoom >= 4 ? std::round(zoom) : zoom);
  return std::clamp(static_cast<int>(std::lround(exact)), thinnest_field, largest_field);
}

struct Size {
  int width, height;
};

/// The size of the drawn field: whole-number zoom or reduction along the direction with the closer points.
Size field_size(std::size_t nx, std::size_t ny, const HeatmapLabels& labels) {
  const double hx = (labels.x1 - labels.x0) / static_cast<double>(nx - 1);
  const double hy = (labels.y1 - labels.y0) / static_cast<double>(ny - 1);
  const double h = std::min(hx, hy);
  const double longer = std::max(labels.x1 - labels.x0, labels.y1 - labels.y0) / h;
  const double zoom =
      longer > largest_field ? 1 / std::ceil(longer / largest_field) : std::ceil(smallest_field / longer);
  return {pixels(nx, zoom * hx / h), pixels(ny, zoom * hy / h)};
}

/// One direction of the image that gnuplot gets: `count` cells `step` apart, the first one's middle at
/// `first`, in fractions of the axis. Points are cells, of which the picture cuts the outermost in half; or
/// cells are the means of several points where these are more than the pixels.
struct Cells {
  std::size_t points, count;
  double first, step;

  Cells(std::size_t n, int pixels) : points(n), count(std::min(n, static_cast<std::size_t>(pixels) + 1)) {
    const bool reduced = count < n;
    if (reduced) --count;
    step = 1 / static_cast<double>(reduced ? count : n - 1);
    first = reduced ? 0.5 * step : 0;
  }
  std::size_t begin(std::size_t cell) const { return cell * points / count; }
};

/// The mean over a block of points; NaN when one of them is not finite, so that none is averaged away.
double mean(std::span<const double> values, const Cells& xs, const Cells& ys, std::size_t i, std::size_t j) {
  const std::size_t width = xs.begin(i + 1) - xs.begin(i), height = ys.begin(j + 1) - ys.begin(j);
  const double weight = 1 / static_cast<double>(width * height);
  double sum = 0;
  for (std::size_t y = ys.begin(j); y < ys.begin(j + 1); ++y)
    for (const double v : values.subspan(xs.begin(i) + xs.points * y, width)) sum += weight * v;
  return std::isfinite(sum) ? sum : std::numeric_limits<double>::quiet_NaN();
}

/// The part of the script after the page: the field and its colour bar, of the range of `bar`.
std::string image(std::span<const double> values, std::size_t nx, std::size_t ny, const Size& size,
                  const Axis& bar) {
  const Cells xs(nx, size.width), ys(ny, size.height);
  // Entries 0, 32, ..., 224 and 255 of viridis (S. van der Walt and N. Smith, matplotlib 1.5, released CC0).
  std::string script =
      "set palette defined (0 '#440154', 32 '#472d7b', 64 '#3b528b', 96 '#2c728e', 128 '#21918c', "
      "160 '#28ae80', 192 '#5ec962', 224 '#addc30', 255 '#fde725')\n"
      "set object 1 rectangle from graph 0,0 to graph 1,1 behind fc rgb '#a0a0a0' fs solid noborder\n";
  script += fmt::format(
      "plot '-' binary array=({},{}) origin=({:.9f},{:.9f}) dx={:.12f} dy={:.12f} format='%float32' with "
      "image\n",
      xs.count, ys.count, xs.first, ys.first, xs.step, ys.step);
  for (std::size_t j = 0; j < ys.count; ++j)
    for (std::size_t i = 0; i < xs.count; ++i) put(script, bar.at(mean(values, xs, ys, i, j)));
  return script;
}

/// The same for a field of one row or column: points `x y`. Of many, both extremes of each part.
std::string curve(std::span<const double> values, const Extremes& e, const Axis& y) {
  const std::size_t n = values.size(), parts = n > 2 * curve_parts ? curve_parts : n;
  const bool marked = n <= most_markers || e.finite < n;
  std::string points;
  const auto add = [&](std::size_t i, double value) {
    put(points, n > 1 ? coordinate(i, n, 0, 1) : 0.5);
    put(points, value);
  };
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t first = k * n / parts, size = (k + 1) * n / parts - first;
    const Extremes part(values.subspan(first, size));
    const auto [left, right] = std::minmax(part.at_min, part.at_max);
    for (const std::size_t i : {first + left, first + right})
      if (part.finite > 0) add(i, y.at(values[i]));
    if (part.finite < size) add(first, std::numeric_limits<double>::quiet_NaN());
  }
  return fmt::format(
             "set grid lc rgb '#dddddd' lw 1 lt 1\n"
             "plot '-' binary record={} format='%float32%float32' using 1:2 with {} lw 2 lc rgb '#265aa0'\n",
             points.size() / (2 * sizeof(float)), marked ? "linespoints pt 5 ps 0.7" : "lines") +
         points;
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

/// The page around a plot of that size; beside and above: the room that a colour bar needs to its right and
/// beyond its height.
Page page_around(const Size& size, const Axis& x, const Axis& y, int beside, int above,
                 const HeatmapLabels& labels, const std::vector<std::string>& notes) {
  Page page;
  page.left = 44 + std::max(y.widest(), x.widest() / 2);
  page.right = std::max(beside, x.widest() / 2) + Page::pad;
  const int content = page.left + size.width + page.right;
  page.width = std::max(content, smallest_field);
  page.left += (page.width - content) / 2;
  page.right = page.width - page.left - size.width;
  page.add_texts(labels.title, notes);
  page.stack(Page::pad + above, size.height, tick_room + 2 * Page::line + 8);
  return page;
}

std::string heatmap_script(std::span<const double> values, std::size_t nx, std::size_t ny,
                           const HeatmapLabels& labels) {
  const Extremes e(values);
  const Size size = field_size(nx, ny, labels);
  const int bar_height = std::max(size.height, shortest_bar);
  const Axis x(labels.x0, labels.x1, size.width, true), y(labels.y0, labels.y1, size.height, false);
  const Axis bar(e.min, e.max, bar_height, false);
  const Page page = page_around(size, x, y, bar_gap + bar_width + tick_room + bar.widest(),
                                bar_height - size.height, labels, extreme_texts(values, nx, ny, labels));
  std::string script = page.script("pngcairo", "x", "y") + x.script("x") + y.script("y") + bar.script("cb");
  if (e.finite == 0)
    script += "unset colorbox\n";
  else
    script += fmt::format("set colorbox user origin screen {:.5f},{:.5f} size screen {:.5f},{:.5f}\n",
                          page.across(page.left + size.width + bar_gap), page.up(page.bottom),
                          page.across(bar_width), page.up(bar_height));
  return script + image(values, nx, ny, size, bar);
}

/// The values' range and 5 % on both sides; around a constant, half of it.
Axis value_axis(const Extremes& e) {
  constexpr double most = std::numeric_limits<double>::max();
  const double range = 0.5 * e.max - 0.5 * e.min;
  const double margin = range > 0 ? 0.1 * range : e.max == 0 ? 1.0 : 0.5 * std::abs(e.max);
  return {std::max(e.min - margin, -most), std::min(e.max + margin, most), curve_height, false};
}

std::string curve_script(std::span<const double> values, std::size_t nx, std::size_t ny,
                         const HeatmapLabels& labels) {
  const bool along_x = ny == 1;
  const double first = along_x ? labels.x0 : labels.y0, last = along_x ? labels.x1 : labels.y1;
  const double margin = values.size() > 1 ? 0 : 0.5;
  const Extremes e(values);
  const Axis x(first - margin, (values.size() > 1 ? last : first) + margin, curve_width, true),
      y = value_axis(e);
  const Page page =
      page_around({curve_width, curve_height}, x, y, 0, 0, labels, extreme_texts(values, nx, ny, labels));
  return page.script("pngcairo", along_x ? "x" : "y", "") + x.script("x") + y.script("y") +
         curve(values, e, y);
}

}  // namespace

void write_heatmap(const std::string& path, std::span<const double> values, std::size_t nx, std::size_t ny,
                   const HeatmapLabels& labels) {
  check(path, values.size(), nx, ny, labels);
  write_picture(
      path,
      nx == 1 || ny == 1 ? curve_script(values, nx, ny, labels) : heatmap_script(values, nx, ny, labels),
      labels.title);
}

std::string drawn_heatmap(std::span<const double> values, std::size_t nx, std::size_t ny,
                          const HeatmapLabels& labels) {
  check("the picture", values.size(), nx, ny, labels);
  return picture_of(
      nx == 1 || ny == 1 ? curve_script(values, nx, ny, labels) : heatmap_script(values, nx, ny, labels),
      labels.title);
}

std::vector<std::string> extreme_texts(std::span<const double> values, std::size_t nx, std::size_t ny,
                                       const HeatmapLabels& labels) {
  const Extremes e(values);
  const auto place = [&](std::size_t i) {
    const double x = coordinate(i % nx, nx, labels.x0, labels.x1);
    const double y = coordinate(i / nx, ny, labels.y0, labels.y1);
    if (ny == 1) return fmt::format("x = {:.4g}", x);
    if (nx == 1) return fmt::format("y = {:.4g}", y);
    return fmt::format("({:.4g}, {:.4g})", x, y);
  };
  std::vector<std::string> texts;
  if (e.finite > 0) {
    int digits = 3;  // as many as tell the two apart
    const auto in_digits = [&](double v) { return fmt::format("{:{}.{}e}", v, digits + 7, digits); };
    while (digits < 16 && e.min != e.max && in_digits(e.min) == in_digits(e.max)) ++digits;
    texts.push_back(fmt::format("min {} at {}", in_digits(e.min), place(e.at_min)));
    texts.push_back(fmt::format("max {} at {}", in_digits(e.max), place(e.at_max)));
  }
  if (e.finite < nx * ny)
    texts.push_back(fmt::format("{} of {} values are not finite", nx * ny - e.finite, nx * ny));
  return texts;
}

}  // namespace jacobi::io
