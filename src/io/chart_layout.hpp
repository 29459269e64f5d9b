/// Where the parts of a chart go. Internal to src/io.
#pragma once
#include <string>
#include <vector>

#include "io/chart.hpp"
#include "io/page.hpp"

namespace jacobi::io {

/// Title and legend share the room above the plot, tick labels, x label and notes the room below, so that
/// they cannot meet.
struct ChartLayout : Page {
  static constexpr int key_line = 17;  ///< a row of the legend

  int plot_height = 400;  ///< more where the legend would take a quarter of the picture

  std::vector<std::string> categories;  ///< of all boxes, in order of appearance
  int box_series = 0;
  int key_columns = 1, key_rows = 0;
  int widest_value = 0, widest_category = 0;
  bool slanted = false;         ///< category names, since they do not fit side by side
  bool upright_values = false;  ///< values on top of bars, likewise

  bool has_boxes() const { return box_series > 0; }
  /// Width of one bar and its gap; a category is 1 wide.
  double bar_pitch() const { return 0.84 / (box_series > 0 ? box_series : 1); }
};

/// Throws: UsageError for an unknown style, sizes that do not fit or nothing that could be drawn.
void check_chart(const Chart& chart);

ChartLayout lay_out(const Chart& chart);

/// The category of value i of a series of boxes.
std::string category_name(const Series& series, std::size_t i);

/// A value as written on top of its bar: three digits.
std::string value_text(double value);

}  // namespace jacobi::io
