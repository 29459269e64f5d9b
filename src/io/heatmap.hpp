/// Pictures of scalar fields.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace jacobi::io {

/// What stands beside the field. x0, x1: x of its first and last point, x0 < x1 (in the units of the domain);
/// y0, y1 likewise. A direction with one point uses its x0 or y0 alone.
struct HeatmapLabels {
  std::string title;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
};

/// Draws a field as a PNG file by gnuplot, atomically: x to the right, y upwards, colours by viridis from the
/// smallest to the largest finite value, with both values and where they lie; a field with one row or one
/// column as a curve. The picture spans [x0, x1] x [y0, y1]; each pixel has the colour of the nearest point.
/// values: nx * ny of them, values[x + nx * y]; not-finite ones are drawn grey (a gap in a curve).
/// The aspect of the domain is kept; small fields are enlarged to at least 480 pixels on the longer side,
/// large ones averaged down to at most 1000; a direction gets at least 24. Of a long curve, the smallest and
/// the largest value of each of 1000 parts are drawn.
/// Throws: UsageError when the sizes or the labels cannot be meant; BackendError when gnuplot is missing or
/// fails; InputError when the file cannot be written.
void write_heatmap(const std::string& path, std::span<const double> values, std::size_t nx, std::size_t ny,
                   const HeatmapLabels& labels);

/// The same as the bytes of a PNG. Throws: as write_heatmap, but for what is of files.
std::string drawn_heatmap(std::span<const double> values, std::size_t nx, std::size_t ny,
                          const HeatmapLabels& labels);

/// The lines under such a picture: `min ... at (x, y)`, `max ...`, and how many values are not finite.
std::vector<std::string> extreme_texts(std::span<const double> values, std::size_t nx, std::size_t ny,
                                       const HeatmapLabels& labels);

}  // namespace jacobi::io
