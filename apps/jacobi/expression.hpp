/// Formulas in x, y, z on the command line.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>

namespace jacobi::cli {

/// A formula such as `sin(2*pi*x)*exp(-y^2)`, parsed once; option names it in errors ("--rhs"). It knows as
/// many of x, y, z as the problem has dimensions; with 0 of them it is in s.
class Expression {
 public:
  /// time: what t is; none: the formula may not hold it. Throws: UsageError with the character (from 1) where
  /// the text stops making sense.
  Expression(std::string option, std::string text, int dimensions, std::optional<double> time = {});
  ~Expression();
  Expression(Expression&&) noexcept;

  /// Value at a point. Throws: InputError naming the point if it is not finite.
  double operator()(const std::array<double, 3>& at);
  const std::string& text() const { return text_; }

 private:
  struct Parser;
  void refuse_assignment() const;
  void parse(std::optional<double> time);
  [[noreturn]] void refuse(std::size_t character, const std::string& why) const;

  std::string option_, text_;
  int dimensions_;
  std::unique_ptr<Parser> parser_;
};

/// Constants, operators and functions of formulas, a line each kind, with examples.
std::string formulas_in_words();

/// "x = 0.5", "(x, y) = (0.5, 1)", of 0 dimensions "s = 0.5": how messages name a point.
std::string point_in_words(const std::array<double, 3>& at, int dimensions);

}  // namespace jacobi::cli
