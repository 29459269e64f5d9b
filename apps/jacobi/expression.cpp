#include "expression.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>
#include <regex>
#include <span>
#include <utility>

#include "core/nearest.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

constexpr std::array<const char*, 3> coordinate_names = {"x", "y", "z"};

constexpr std::array<const char*, 1> parameter = {"s"};

std::span<const char* const> names_of(int dimensions) {
  if (dimensions == 0) return parameter;
  return std::span(coordinate_names).first(static_cast<std::size_t>(dimensions));
}

/// What the parser complains about, without its own count of characters, which starts at 0.
std::string complaint(const mu::ParserError& error, const mu::Parser& parser, int dimensions) {
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(" \t\n\r") + 1);
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) {
    const bool beyond =
        std::find(coordinate_names.begin(), coordinate_names.end(), token) != coordinate_names.end();
    if (beyond && dimensions == 0) return fmt::format("a formula in s, from 0 to 1, knows no {}", token);
    if (beyond) return fmt::format("the problem has only {}, no {}", counted(dimensions, "dimension"), token);
    if (token == "t")
      return "t is the time, which --exact of jacobi heat knows alone: f, k, c and sides are constant in "
             "time";
    if (parser.GetFunDef().contains(token)) return fmt::format("{0} is a function: write {0}(...)", token);
    std::vector<std::string> names = {"pi"};
    for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
    std::string lower = token;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool word = token.size() > 2;  // shorter ones are near to everything
    return fmt::format("'{}' is not known{}", token, word ? hint_for(lower, names) : "");
  }
  constexpr std::array after_a_value = {mu::ecUNEXPECTED_VAR, mu::ecUNEXPECTED_VAL, mu::ecUNEXPECTED_FUN};
  if (std::ranges::find(after_a_value, error.GetCode()) != after_a_value.end())
    return fmt::format("an operator is missing before '{}'; as in 2*x", token);
  if (error.GetCode() == mu::ecUNEXPECTED_OPERATOR && token == "*") return "a power is written x^2";
  static const std::regex place(R"(( found)? at( expression)? position -?\d+\.?)");
  return std::regex_replace(error.GetMsg(), place, "");
}

}  // namespace

struct Expression::Parser {
  mu::Parser mu;
  std::array<double, 3> at{};
};

Expression::Expression(std::string option, std::string text, int dimensions, std::optional<double> time)
    : option_(std::move(option)),
      text_(std::move(text)),
      dimensions_(dimensions),
      parser_(std::make_unique<Parser>()) {
  refuse_assignment();
  parse(time);
  int results = 0;
  parser_->mu.Eval(results);
  if (results != 1)
    throw UsageError(fmt::format("{} '{}' gives {} values: write one formula, without top-level commas",
                                 option_, text_, results));
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;

/// The parser would let a formula change x; only the comparisons ==, <=, >=, != may hold a '='.
void Expression::refuse_assignment() const {
  for (std::size_t i = text_.find('='); i != text_.npos; i = text_.find('=', i + 1)) {
    const bool ends_comparison = i > 0 && std::string("<>!").find(text_[i - 1]) != std::string::npos;
    if (ends_comparison) continue;
    if (text_.substr(i, 2) != "==") refuse(i + 1, "a formula cannot assign: compare with ==");
    ++i;
  }
}

void Expression::parse(std::optional<double> time) {
  mu::Parser& mu = parser_->mu;
  try {
    mu.DefineConst("pi", std::numbers::pi);
    if (time) mu.DefineConst("t", *time);
    const auto names = names_of(dimensions_);
    for (std::size_t d = 0; d < names.size(); ++d) mu.DefineVar(names[d], &parser_->at[d]);
    mu.SetExpr(text_);
    mu.Eval();
  } catch (const mu::ParserError& error) {
    const bool placed = error.GetPos() >= 0 && error.GetPos() <= static_cast<int>(text_.size());
    refuse(1 + (placed ? static_cast<std::size_t>(error.GetPos()) : text_.size()),
           complaint(error, parser_->mu, dimensions_));
  }
}

void Expression::refuse(std::size_t character, const std::string& why) const {
  throw UsageError(
      fmt::format("{} '{}', character {}: {} (known: {}, pi, + - * / ^, sin, cos, exp, ...: --help-formulas)",
                  option_, text_, character, why, fmt::join(names_of(dimensions_), ", ")));
}

double Expression::operator()(const std::array<double, 3>& at) {
  parser_->at = at;
  double value = 0;
  try {
    value = parser_->mu.Eval();
  } catch (const mu::ParserError& error) {
    throw InputError(fmt::format("{} '{}' at {}: {}", option_, text_, point_in_words(at, dimensions_),
                                 complaint(error, parser_->mu, dimensions_)));
  }
  if (!std::isfinite(value))
    throw InputError(fmt::format("{} '{}' is {} at {}: it must be finite everywhere", option_, text_,
                                 std::isnan(value) ? "nan"
                                 : value > 0       ? "inf"
                                                   : "-inf",
                                 point_in_words(at, dimensions_)));
  return value;
}

std::string formulas_in_words() {
  return R"(A formula gives a number at each point from x, y and z, as many as there are dimensions.

  constants      pi (or _pi), _e; numbers as 2, 0.5, 1e-3
  arithmetic     + - * / ^ and parentheses; ^ binds first, from the right: 2^3^2 is 512, -2^2 is -4
  comparisons    < <= > >= == !=, each 1 or 0
  logic          && ||, and condition ? a : b
  powers, logs   sqrt exp ln (or log, both to base e) log2 log10
  trigonometry   sin cos tan asin acos atan, atan2(y, x); in radians
  hyperbolic     sinh cosh tanh asinh acosh atanh
  magnitude      abs sign rint (nearest integer, halves up)
  of several     min max sum avg, with commas between

A formula must be finite at every point. Quote it, so that the shell leaves it alone.

Examples:
  jacobi poisson --points 128 --rhs 'sin(2*pi*x)*sin(2*pi*y)'
  jacobi poisson --points 128 --rhs '(x-0.5)^2+(y-0.5)^2 < 0.01 ? 100 : 0'
  jacobi poisson --points 128 --diffusion '1+99*(x>0.5)' --boundary 'exp(-x)*y'
)";
}

std::string point_in_words(const std::array<double, 3>& at, int dimensions) {
  if (dimensions == 0) return fmt::format("s = {:g}", at[0]);
  const auto values = std::span(at).first(static_cast<std::size_t>(dimensions));
  if (dimensions == 1) return fmt::format("x = {:g}", at[0]);
  return fmt::format("({}) = ({:g})", fmt::join(names_of(dimensions), ", "), fmt::join(values, ", "));
}

}  // namespace jacobi::cli
