/// What the library says in options of its command line, in arguments of Python.
#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "common.hpp"

namespace jacobi::python {

namespace {

using Said = std::pair<std::string_view, std::string_view>;

/// The longer one of two that begin alike comes first.
constexpr std::array said{
    Said{"(--project-rhs, Stop::project_rhs)", "(project_rhs=True)"},
    Said{"--rhs (or b), --boundary and --initial", "b, the values on the sides and x0"},
    Said{"(--reorder-rows takes it)", "(row_order)"},
    Said{"with --json", "in row_order"},
    Said{"take --precision double", "take float64"},
    Said{"take --precision float", "take float32"},
    Said{"give --precision float", "give float32"},
    Said{"or --precision float", "or float32"},
    Said{"'jacobi diagnose'", "diagnose()"},
    Said{"'jacobi info'", "backends()"},
};

/// Sides and neighbours, and the phrases that name them: {} stands for the name.
constexpr std::array sides{Said{"west", "x-"},  Said{"east", "x+"}, Said{"south", "y-"},
                           Said{"north", "y+"}, Said{"back", "z-"}, Said{"front", "z+"}};
constexpr std::array of_sides{Said{"the {} side", "side {}"}, Said{"to the {} of", "towards {} of"},
                              Said{"Coefficient: {} of", "Coefficient: {} of"}};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

std::string_view word_at(const std::string& text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_letter(text[end])) ++end;
  return std::string_view(text).substr(at, end - at);
}

}  // namespace

std::string in_python(std::string text) {
  for (const auto& [option, argument] : said) replace_all(text, option, argument);
  for (const auto& [phrase, here] : of_sides)
    for (const auto& [side, key] : sides)
      replace_all(text, fmt::format(fmt::runtime(phrase), side), fmt::format(fmt::runtime(here), key));
  for (std::size_t at = text.find("--"); at != text.npos; at = text.find("--", at + 1)) {
    std::string name(word_at(text, at + 2));
    if (name.empty() || (at > 0 && is_letter(text[at - 1]))) continue;
    const std::size_t length = 2 + name.size();
    for (char& c : name) c = c == '-' ? '_' : c;
    const bool has_value = name == "method" || name == "rung" || name == "norm" || name == "backend";
    const std::string_view value =
        has_value && text.substr(at + length, 1) == " " ? word_at(text, at + length + 1) : std::string_view();
    if (value.empty())
      text.replace(at, length, name);
    else
      text.replace(at, length + 1 + value.size(), name + "=\"" + std::string(value) + "\"");
  }
  return text;
}

}  // namespace jacobi::python
