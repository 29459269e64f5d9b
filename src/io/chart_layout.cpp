#include "io/chart_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

constexpr int letter = Page::letter, value_letter = 7, key_letter = 7;
constexpr int narrowest = 900, wide = 1300, broadest = 1800;  // pictures

void check_series(const Series& s) {
  const bool boxes = s.style == "boxes", named = boxes && !s.names.empty();
  if (!boxes && s.style != "lines" && s.style != "points" && s.style != "linespoints")
    throw UsageError(
        fmt::format("chart series '{}': style '{}' is unknown; use lines, points, linespoints or boxes",
                    s.label, s.style));
  const std::size_t expected = named ? s.names.size() : s.x.size();
  if (s.y.size() != expected)
    throw UsageError(fmt::format("chart series '{}': {} values for {} {}", s.label, s.y.size(), expected,
                                 named ? "names" : "positions"));
}

void collect_categories(ChartLayout& l, const Chart& chart) {
  for (const Series& s : chart.series) {
    if (s.style != "boxes") continue;
    ++l.box_series;
    for (std::size_t i = 0; i < s.y.size(); ++i) {
      const std::string name = category_name(s, i);
      if (std::find(l.categories.begin(), l.categories.end(), name) == l.categories.end())
        l.categories.push_back(name);
      l.widest_category = std::max(l.widest_category, letter * letters(name));
      l.widest_value = std::max(l.widest_value, value_letter * letters(value_text(s.y[i])));
    }
  }
}

/// Widens the picture until the values fit on their bars, or else, to a lesser width, turns them.
void choose_width(ChartLayout& l) {
  if (!l.has_boxes()) return;
  const int groups = static_cast<int>(l.categories.size()), sides = l.left + l.right;
  const auto width_for = [&](int bar) {
    return sides + static_cast<int>(groups * bar / l.bar_pitch()) + groups;
  };
  const int level = width_for(l.widest_value + 6);
  l.upright_values = level > wide;
  l.width = std::clamp(l.upright_values ? width_for(40) : level, narrowest, broadest);
  const int group = (l.width - sides) / std::max(groups, 1);
  l.slanted = l.widest_category + letter > group;
  if (l.slanted) l.left = std::max(l.left, l.widest_category * 9 / 10 - group / 2);
}

void choose_key(ChartLayout& l, const Chart& chart) {
  int widest_label = 1, labels = 0;
  for (const Series& s : chart.series) {
    if (s.label.empty()) continue;
    widest_label = std::max(widest_label, key_letter * letters(s.label) + 60);
    ++labels;
  }
  const int plot =
      l.width - l.left - l.right;  // gnuplot makes its columns fit this, wherever the legend stands
  l.key_columns = std::clamp(plot / widest_label, 1, std::max(labels, 1));
  l.key_rows = (labels + l.key_columns - 1) / l.key_columns;
  l.plot_height = std::max(l.plot_height, 4 * l.key_rows * ChartLayout::key_line);
}

}  // namespace

std::string category_name(const Series& series, std::size_t i) {
  return series.names.empty() ? fmt::format("{:.6g}", series.x[i]) : series.names[i];
}

std::string value_text(double value) {
  const bool whole = std::abs(value) >= 999.5 && std::abs(value) < 99999.5;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

void check_chart(const Chart& chart) {
  bool any = false;
  for (const Series& s : chart.series) {
    check_series(s);
    const bool placed = s.style == "boxes";
    for (std::size_t i = 0; i < s.y.size(); ++i) {
      const bool x = placed || (std::isfinite(s.x[i]) && (!chart.log_x || s.x[i] > 0));
      any = any || (x && std::isfinite(s.y[i]) && (!chart.log_y || s.y[i] > 0));
    }
  }
  if (!any) throw UsageError(fmt::format("chart '{}' has no values that could be drawn", chart.title));
}

ChartLayout lay_out(const Chart& chart) {
  ChartLayout l;
  collect_categories(l, chart);
  l.widest_category = std::min(l.widest_category, 300);
  choose_width(l);
  choose_key(l, chart);
  l.add_texts(chart.title, chart.notes);
  const int ticks = l.slanted ? l.widest_category / 2 + Page::line : Page::line;
  l.stack(l.key_rows * ChartLayout::key_line, l.plot_height,
          12 + ticks + (chart.x_label.empty() ? 0 : Page::line + 8));
  return l;
}

}  // namespace jacobi::io
