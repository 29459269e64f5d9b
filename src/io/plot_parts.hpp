/// What heat maps and curves share: extremes, ticks and numbers as text. Internal to src/io.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/heatmap.hpp"

namespace jacobi::io {

inline constexpr int pad = 20, tick_length = 6;  ///< pixels around all, and of a mark at an axis

/// Smallest and largest finite value and the first index of each; `finite` counts the finite ones.
struct Extremes {
  double min = 0, max = 0;
  std::size_t at_min = 0, at_max = 0, finite = 0;
};
Extremes extremes(std::span<const double> values);

/// Where `value` lies between lo (0) and hi (1), without overflow; 0.5 when lo == hi.
double fraction(double value, double lo, double hi);

/// The coordinate of point i of n from `first` to `last`.
double coordinate(std::size_t i, std::size_t n, double first, double last);

/// Multiples of 1, 2 or 5 times a power of ten within [lo, hi], about `wanted` of them; {lo, hi} where none
/// fit.
std::vector<double> nice_ticks(double lo, double hi, int wanted);

/// Numbers with just as many digits as tell them apart, three at least.
std::vector<std::string> tick_texts(std::vector<double> ticks);

/// Pixels of the longest text.
int widest(const std::vector<std::string>& texts);

/// The lines under a picture: `min ... at (x, y)`, `max ...`, and how many values are not finite.
std::vector<std::string> extreme_texts(const Extremes& e, std::size_t nx, std::size_t ny,
                                       const HeatmapLabels& labels);

/// Draws a field with nx == 1 or ny == 1 as a curve. Arguments and errors as write_heatmap.
void write_curve(const std::string& path, std::span<const double> values, std::size_t nx, std::size_t ny,
                 const HeatmapLabels& labels);

}  // namespace jacobi::io
