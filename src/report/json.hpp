/// JSON as the library writes it.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "jacobi/diagnosis.hpp"
#include "jacobi/note.hpp"

namespace jacobi {

using nlohmann::ordered_json;

/// What JSON has for a number or a text: null for none, and for what is not finite.
template <class Value>
ordered_json or_null(const std::optional<Value>& value) {
  if constexpr (std::is_floating_point_v<Value>)
    if (value && !std::isfinite(*value)) return nullptr;
  return value ? ordered_json(*value) : ordered_json(nullptr);
}
inline ordered_json or_null(double value) { return or_null(std::optional(value)); }
inline ordered_json or_null(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

inline ordered_json sentences(std::span<const Note> notes) {
  ordered_json all = ordered_json::array();
  for (const Note& note : notes) all.push_back(note.text);
  return all;
}

ordered_json as_json(const Diagnosis& d, std::optional<double> seconds_per_sweep);

/// Indented, or (-1) in one line; bytes that are not UTF-8, as names of files may have, become U+FFFD.
inline std::string json_text(const ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace jacobi
