/// What the command line adds to a report.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "jacobi/report.hpp"
#include "report/json.hpp"
#include "run.hpp"

namespace jacobi::cli {

/// Adds up the distance to a known solution, unknown by unknown, in long double: where that is wider, squares
/// neither vanish nor overflow.
class ErrorSum {
 public:
  void add(double exact, double found) {
    const long double size = exact, off = std::abs(found - size);
    squares_ += off * off;
    size_ += size * size;
    if (!(off <= max_)) max_ = off;  // not a number either
  }
  ErrorNorms norms() const {
    const auto root = [](long double square) { return static_cast<double>(std::sqrt(square)); };
    return {root(squares_), static_cast<double>(max_), root(squares_ / size_)};
  }

 private:
  long double squares_ = 0, size_ = 0, max_ = 0;
};

Exit exit_code(Status status);
/// JSON of the library with what only the command line knows, before `key` or, where there is none, at the
/// end.
std::string with(const std::string& json, const ordered_json& more, const std::string& key);
/// Version, command line, date and processor: what a result must be read with.
ordered_json facts_of_run();
/// "  u from -0.3 to 2.5", of values not all finite nothing; the same for JSON, "u_min" and "u_max".
struct Extent {
  double low = 0, high = 0;
  bool known = false;
  std::string in_words(const char* of) const;
  void add_to(ordered_json& json, const std::string& of) const;
};
template <class T>
Extent extent_of(std::span<const T> values) {
  Extent e;
  for (const T value : values) {
    const double v = static_cast<double>(value);
    if (!std::isfinite(v)) return {};
    e.low = e.known ? std::min(e.low, v) : v;
    e.high = e.known ? std::max(e.high, v) : v;
    e.known = true;
  }
  return e;
}
/// Sweeps and norms as CSV.
void write_history(const std::string& path, const Report& report);

}  // namespace jacobi::cli
