/// A report for people and for programs.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "jacobi/report.hpp"
#include "run.hpp"

namespace jacobi::cli {

/// Distance to a known solution at the unknowns.
struct ErrorNorms {
  double l2 = 0;
  double max = 0;
  double relative = 0;  ///< l2 over the 2-norm of the known solution; not finite where that is 0
};

/// Adds them up, unknown by unknown, in long double: where that is wider, squares neither vanish nor
/// overflow.
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

/// Schema 1, every key of it; a key without a value is null.
nlohmann::ordered_json to_json(const Report& report, const std::optional<ErrorNorms>& error);
/// What JSON has for a number or a text: null for none, and for what is not finite.
nlohmann::ordered_json or_null(const std::optional<double>& value);
nlohmann::ordered_json or_null(const std::string& text);
/// A few lines that say what was reached, in which norm, and how fast.
std::string to_text(const Report& report, const std::optional<ErrorNorms>& error);
Exit exit_code(Status status);
/// Sweeps and norms as CSV; no path: nothing is written.
void write_history(const std::string& path, const Report& report);

/// What helps where numbers overflow.
constexpr const char* cure_of_overflow =
    "divide --rhs (or b), --boundary and --initial by the same large number";

/// "rung threads", or "rung tiled (strips)" where a rung has several algorithms.
std::string rung_in_words(const std::string& rung, const std::string& algorithm);

/// "850 ns", "12.3 s", "4 min 10 s", "2.1 h", "14 days".
std::string in_time(double seconds);

/// Bytes per update: "56", below 10 with a decimal: "1.0".
std::string in_bytes(double bytes_per_update);

}  // namespace jacobi::cli
