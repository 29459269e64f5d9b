/// Digits of bounds, for people.
#include "core/words.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "random.hpp"

namespace jacobi {
namespace {

/// "0.3334", "1 - 0.00123", "1 + 2e-05".
double value_of(const std::string& text) {
  const auto sign = text.find(' ');
  if (sign == text.npos) return std::strtod(text.c_str(), nullptr);
  const double away = std::strtod(text.c_str() + sign + 3, nullptr);
  return text[sign + 1] == '-' ? 1 - away : 1 + away;
}

TEST(RadiusInWords, LiesOnTheSideOfTheBoundAndNear) {
  test::Random random(3);
  for (int k = 0; k < 20'000; ++k) {
    const double away = std::pow(10, random.real(-12, 3));
    const double radius = random.integer(0, 1) == 1 ? 1 + away : std::abs(1 - away);
    const double above = value_of(radius_in_words(radius, Toward::above));
    const double below = value_of(radius_in_words(radius, Toward::below));
    const double last_digit = std::abs(radius - 1) >= 0.01 ? 1.1e-3 * radius : 1.1e-2 * std::abs(radius - 1);
    EXPECT_GE(above, radius * (1 - 3e-16));
    EXPECT_LE(below, radius * (1 + 3e-16));
    EXPECT_NEAR(above, radius, last_digit);
    EXPECT_NEAR(below, radius, last_digit);
  }
}

}  // namespace
}  // namespace jacobi
