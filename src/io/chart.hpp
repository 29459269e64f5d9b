/// Charts, the one way that the whole project draws them: by gnuplot, where it is installed.
#pragma once
#include <string>
#include <vector>

namespace jacobi::io {

/// One curve, cloud of points or set of bars.
/// style: "lines", "points", "linespoints" or "boxes".
/// x, y: positions and values, as many of one as of the other; not-finite ones, and those <= 0 on a
/// logarithmic axis, are left out. names: boxes only: the category of each value; then x is not used. Without
/// names, x names the categories. Boxes of several series over the same categories stand side by side, with
/// their values written on top.
struct Series {
  std::string label;
  std::vector<double> x, y;
  std::string style = "linespoints";
  std::vector<std::string> names;
};

/// A chart; texts are UTF-8, printed as they are. notes: lines below it. In a chart with boxes the x axis
/// counts categories from 0, also for series of other styles, and log_x does not apply.
struct Chart {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<Series> series;
  std::vector<std::string> notes;
};

/// Whether `gnuplot` is on PATH.
bool gnuplot_available();

/// Draws `chart` as a file, atomically; by the ending of `path`, .svg or .png.
/// Throws: UsageError for another ending, another style, sizes that do not fit or nothing to draw;
/// BackendError when gnuplot is missing or fails (with what it said); InputError when the file cannot be
/// written.
void draw(const Chart& chart, const std::string& path);

/// The same as the text of an SVG. Throws: as draw, but for what is of files.
std::string drawn(const Chart& chart);

/// What draw tells gnuplot: terminal is "svg" or "pngcairo". For tests and for the curious.
/// Throws: UsageError as draw.
std::string chart_script(const Chart& chart, const std::string& terminal);

}  // namespace jacobi::io
