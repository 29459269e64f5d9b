/// What the command line adds to a report.
#pragma once
#include <cmath>
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
/// Sweeps and norms as CSV.
void write_history(const std::string& path, const Report& report);

}  // namespace jacobi::cli
