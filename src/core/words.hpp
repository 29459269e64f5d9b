/// Radii and counts for people.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "jacobi/diagnosis.hpp"

namespace jacobi {

/// "1 sweep", "2 sweeps"; many: what the latter are called, if not that.
inline std::string counted(Index count, const char* one, const char* many = nullptr) {
  return fmt::format("{} {}{}", count, count != 1 && many ? many : one, count == 1 || many ? "" : "s");
}

/// "a norm of 2.45", "a norm that is not finite".
inline std::string size_in_words(double norm) {
  return std::isfinite(norm) ? fmt::format("a norm of {:.3g}", norm) : "a norm that is not finite";
}

enum class Toward { nearest, below, above };

/// So many digits of a value above 0; those of a proved bound are rounded away from what it bounds.
inline std::string digits_of(double value, int digits, Toward toward) {
  const std::string text = fmt::format("{:.{}g}", value, digits);
  const double told = std::strtod(text.c_str(), nullptr);
  const bool false_bound = toward == Toward::above ? told < value : toward == Toward::below && told > value;
  if (!false_bound) return text;
  const double half = 0.5 * std::pow(10, std::floor(std::log10(value)) + 1 - digits);
  return fmt::format("{:.{}g}", toward == Toward::above ? value + half : value - half, digits);
}

/// "0.8224", "1 - 4.1e-06", "1 + 2e-05".
inline std::string radius_in_words(double radius, Toward toward = Toward::nearest) {
  const double away = radius - 1;
  if (away == 0) return "1";
  if (std::abs(away) >= 0.01) return digits_of(radius, 4, toward);
  const Toward of_away = away > 0 || toward == Toward::nearest ? toward
                         : toward == Toward::above             ? Toward::below
                                                               : Toward::above;
  return fmt::format("1 {} {}", away < 0 ? "-" : "+", digits_of(std::abs(away), 3, of_away));
}

/// An estimate that lay above the proved bound, which stands in for it.
inline bool is_bound(const Diagnosis& d) {
  return !d.radius_resolved && d.spectral_radius && *d.spectral_radius >= d.radius_upper;
}

/// The estimated radius and the side on which the true one lies: "0.8224", "at most 0.4", "at least about
/// 0.99" for symmetric A, "roughly 0.99" elsewhere.
inline std::string estimated_radius_in_words(const Diagnosis& d) {
  const char* side = d.radius_resolved ? ""
                     : is_bound(d)     ? "at most "
                     : d.eigenvalues   ? "at least about "
                                       : "roughly ";
  return side + radius_in_words(*d.spectral_radius, is_bound(d) ? Toward::above : Toward::nearest);
}

/// Rounded for reading: "57", "2.49 million".
inline std::string sweeps_in_words(double sweeps) {
  if (sweeps < 1e3) return fmt::format("{:.0f}", sweeps);
  if (sweeps < 1e6)
    return fmt::format("{:.0f}",
                       sweeps < 1e5 ? std::round(sweeps / 10) * 10 : std::round(sweeps / 1e3) * 1e3);
  if (sweeps < 1e9) return fmt::format("{:.3g} million", sweeps / 1e6);
  return fmt::format("{:.2g}", sweeps);
}

/// Bytes per update: "56", below 10 with a decimal: "1.0".
inline std::string in_bytes(double bytes_per_update) {
  return fmt::format("{:.{}f}", bytes_per_update, bytes_per_update < 9.95 ? 1 : 0);
}

/// "850 ns", "12.3 s", "4 min 10 s", "2.1 h", "14 days".
inline std::string in_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-4) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 120) return fmt::format("{:.2f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

/// Four digits that count, without an exponent where a number of six places does: "0.002314", "18.84",
/// "23140".
inline std::string four_digits(double value) {
  if (!(std::abs(value) > 0) || !std::isfinite(value)) return fmt::format("{:.0f}", value);
  const int before = static_cast<int>(std::floor(std::log10(std::abs(value) * 1.00005))) + 1;
  if (before > 6 || before < -2) return fmt::format("{:.3e}", value);
  return fmt::format("{:.{}f}", value, before > 4 ? 0 : 4 - before);
}

/// A unit of rates that leaves at least one place before the point.
struct RateUnit {
  double size;
  const char* prefix;  ///< "G"
  const char* word;    ///< "billion "
};
inline RateUnit unit_of_rate(double per_second) {
  if (per_second >= 0.99995e9) return {1e9, "G", "billion "};
  if (per_second >= 0.99995e6) return {1e6, "M", "million "};
  if (per_second >= 0.99995e3) return {1e3, "k", "thousand "};
  return {1, "", ""};
}

/// "2.000 billion updates/s", "531.2 million updates/s".
inline std::string updates_in_words(double per_second) {
  const RateUnit unit = unit_of_rate(per_second);
  return fmt::format("{} {}updates/s", four_digits(per_second / unit.size), unit.word);
}

/// "rung threads", or "rung tiled (strips)" where a rung has several algorithms.
inline std::string rung_in_words(const std::string& rung, const std::string& algorithm) {
  return algorithm.empty() || algorithm == rung ? "rung " + rung
                                                : fmt::format("rung {} ({})", rung, algorithm);
}

/// What helps where numbers overflow.
inline constexpr const char* cure_of_overflow =
    "divide --rhs (or b), --boundary and --initial by the same large number";

}  // namespace jacobi
