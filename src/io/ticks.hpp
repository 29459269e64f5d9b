/// Where an axis is marked, and by which texts. Internal to src/io.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace jacobi::io {

/// Where `value` lies between lo (0) and hi (1), without overflow; 0.5 when lo == hi; NaN stays so.
double fraction(double value, double lo, double hi);

/// The coordinate of point i of n from `first` to `last`.
double coordinate(std::size_t i, std::size_t n, double first, double last);

/// Multiples of 1, 2 or 5 times a power of ten within [lo, hi], about `wanted` of them; {lo, hi} where none
/// fit.
std::vector<double> nice_ticks(double lo, double hi, int wanted);

/// Increasing numbers with just as many digits as show where between the first and the last they lie, three
/// at least.
std::vector<std::string> tick_texts(std::vector<double> ticks);

/// An axis from lo to hi, with as many ticks as fit a length in pixels. It is drawn from 0 to 1: gnuplot
/// takes neither very large numbers nor ranges that rounding makes empty.
struct Axis {
  double lo, hi;
  std::vector<double> ticks;
  std::vector<std::string> texts;

  /// across: from left to right, where texts need their width.
  Axis(double first, double last, int length, bool across);
  double at(double value) const { return fraction(value, lo, hi); }
  int widest() const;  ///< pixels of the widest text
  /// What tells gnuplot; name: "x", "y" or "cb".
  std::string script(const std::string& name) const;
};

}  // namespace jacobi::io
