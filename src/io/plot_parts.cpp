#include "io/plot_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "io/canvas.hpp"

namespace jacobi::io {

Extremes extremes(std::span<const double> values) {
  Extremes e;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double v = values[i];
    if (!std::isfinite(v)) continue;
    if (e.finite == 0 || v < e.min) {
      e.min = v;
      e.at_min = i;
    }
    if (e.finite == 0 || v > e.max) {
      e.max = v;
      e.at_max = i;
    }
    ++e.finite;
  }
  return e;
}

double fraction(double value, double lo, double hi) {
  const double range = 0.5 * hi - 0.5 * lo;
  return range > 0 ? (0.5 * value - 0.5 * lo) / range : 0.5;
}

double coordinate(std::size_t i, std::size_t n, double first, double last) {
  if (n < 2) return first;
  const double t = static_cast<double>(i) / static_cast<double>(n - 1);
  return (1 - t) * first + t * last;
}

std::vector<double> nice_ticks(double lo, double hi, int wanted) {
  std::vector<double> ticks;
  const double raw = (hi - lo) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  if (!std::isfinite(raw) || !(power > 0)) return {lo, hi};
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= 0.999 * raw) step = factor * power;
  const double slack = 1e-9 * (hi - lo);
  for (double k = std::ceil((lo - slack) / step); k * step <= hi + slack && ticks.size() < 20; ++k)
    ticks.push_back(k * step + 0.0);  // + 0.0: no "-0"
  return ticks.size() < 2 ? std::vector<double>{lo, hi} : ticks;
}

std::vector<std::string> tick_texts(std::vector<double> ticks) {
  double largest = 0;
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  for (double& tick : ticks)
    if (std::abs(tick) < 1e-12 * largest) tick = 0;  // the rounding of a zero
  std::vector<std::string> texts;
  for (int digits = 3; digits <= 17; ++digits) {
    texts.clear();
    for (const double tick : ticks) texts.push_back(fmt::format("{:.{}g}", tick, digits));
    const std::set<std::string> distinct(texts.begin(), texts.end());
    if (distinct.size() == std::set<double>(ticks.begin(), ticks.end()).size()) break;
  }
  return texts;
}

int widest(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, text_width(text));
  return width;
}

std::vector<std::string> extreme_texts(const Extremes& e, std::size_t nx, std::size_t ny,
                                       const HeatmapLabels& labels) {
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
