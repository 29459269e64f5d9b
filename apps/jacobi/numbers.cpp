#include "numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/nearest.hpp"

namespace jacobi::cli {

namespace {

/// All of the text as a V; a sign + is allowed.
template <class V>
std::errc read_all(const std::string& text, V& value) {
  if (text.starts_with("+-")) return std::errc::invalid_argument;
  const char* begin = text.data() + (text.starts_with("+") ? 1 : 0);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc() && stop != end ? std::errc::invalid_argument : error;
}

template <class V, class Read>
CLI::Validator within(V least, V most, Read read) {
  const auto check = [least, most, read](std::string& text) -> std::string {
    V value{};
    if (const std::string wrong = read(text, value); !wrong.empty()) return wrong;
    if (value < least) return fmt::format("{} is too small: it must be at least {}", text, least);
    if (value > most) return fmt::format("{} is too large", text);
    if constexpr (std::is_integral_v<V>) text = fmt::format("{}", value);
    return {};
  };
  return {check, ""};
}

}  // namespace

std::string read_whole(const std::string& text, Index& value) {
  constexpr double exact = 9007199254740992;  // 2^53: beyond it, not every whole number is a double
  const std::errc error = read_all(text, value);
  if (error == std::errc()) return {};
  double written = 0;
  const std::errc as_double = read_all(text, written);
  const bool whole = as_double == std::errc() && written == std::floor(written);
  const bool vast =
      as_double == std::errc::result_out_of_range && std::abs(std::strtod(text.c_str(), nullptr)) > 1;
  if (error == std::errc::result_out_of_range || vast || (whole && std::abs(written) > exact))
    return fmt::format("{} is too large", text);
  if (!whole) return fmt::format("'{}' is not a whole number: write it as in 1000 or 1e3", text);
  value = static_cast<Index>(written);
  return {};
}

std::string read_finite(const std::string& text, double& value) {
  const std::errc error = read_all(text, value);
  if (error == std::errc::result_out_of_range)
    return fmt::format("{} is beyond the range of double precision", text);
  if (error != std::errc()) return fmt::format("'{}' is not a number", text);
  return std::isfinite(value) ? "" : fmt::format("{} is not a finite number", text);
}

CLI::Validator whole(Index most) { return within(-most, most, read_whole); }
CLI::Validator finite() { return finite_from(std::numeric_limits<double>::lowest()); }
CLI::Validator whole_from(Index least) {
  return within(least, std::numeric_limits<Index>::max(), read_whole);
}
CLI::Validator finite_from(double least) {
  return within(least, std::numeric_limits<double>::max(), read_finite);
}
CLI::Validator finite_above_0() {
  const auto check = [](std::string& text) -> std::string {
    double value = 0;
    const std::string wrong = read_finite(text, value);
    return !wrong.empty() ? wrong : value > 0 ? "" : fmt::format("{}: it must be more than 0", text);
  };
  return {check, ""};
}

CLI::Validator one_of(const std::vector<std::string>& names) {
  const CLI::IsMember known(names);
  const auto check = [known, names](std::string& word) {
    const std::string wrong = known(word);
    return wrong.empty() ? wrong : wrong + hint_for(word, names);
  };
  return CLI::Validator(check, known.get_description());
}

}  // namespace jacobi::cli
