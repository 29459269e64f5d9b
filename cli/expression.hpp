/// Formulas in x, y, z on the command line.
#pragma once
#include <array>
#include <memory>
#include <string>

namespace jacobi::cli {

/// A formula such as `sin(2*pi*x)*exp(-y^2)`, parsed once; option names it in errors ("--rhs").
class Expression {
 public:
  /// Throws: UsageError with the position where the text stops making sense.
  Expression(std::string option, std::string text);
  ~Expression();
  Expression(Expression&&) noexcept;

  /// Value at a point. Throws: InputError naming the point if it is not finite.
  double operator()(const std::array<double, 3>& at);
  const std::string& text() const { return text_; }

 private:
  struct Parser;
  std::string option_, text_;
  std::unique_ptr<Parser> parser_;
};

}  // namespace jacobi::cli
