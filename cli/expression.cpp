#include "expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi::cli {

struct Expression::Parser {
  mu::Parser mu;
  std::array<double, 3> at{};
};

Expression::Expression(std::string option, std::string text)
    : option_(std::move(option)), text_(std::move(text)), parser_(std::make_unique<Parser>()) {
  mu::Parser& mu = parser_->mu;
  try {
    mu.DefineConst("pi", std::numbers::pi);
    mu.DefineVar("x", &parser_->at[0]);
    mu.DefineVar("y", &parser_->at[1]);
    mu.DefineVar("z", &parser_->at[2]);
    mu.SetExpr(text_);
    mu.Eval();
  } catch (const mu::ParserError& error) {
    const bool placed = error.GetPos() >= 0 && error.GetPos() <= static_cast<int>(text_.size());
    const int place = placed ? error.GetPos() + 1 : static_cast<int>(text_.size()) + 1;
    throw UsageError(
        fmt::format("{} '{}', character {}: {} (known: x, y, z, pi, + - * / ^, sin, cos, exp, ...)", option_,
                    text_, place, error.GetMsg()));
  }
  int results = 0;
  mu.Eval(results);
  if (results != 1)
    throw UsageError(fmt::format("{} '{}' gives {} values: write one formula, without top-level commas",
                                 option_, text_, results));
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;

double Expression::operator()(const std::array<double, 3>& at) {
  parser_->at = at;
  double value = 0;
  try {
    value = parser_->mu.Eval();
  } catch (const mu::ParserError& error) {
    throw InputError(fmt::format("{} '{}' at (x, y, z) = ({:g}, {:g}, {:g}): {}", option_, text_, at[0],
                                 at[1], at[2], error.GetMsg()));
  }
  if (!std::isfinite(value))
    throw InputError(fmt::format("{} '{}' is {} at (x, y, z) = ({:g}, {:g}, {:g})", option_, text_, value,
                                 at[0], at[1], at[2]));
  return value;
}

}  // namespace jacobi::cli
