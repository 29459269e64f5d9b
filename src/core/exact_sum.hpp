/// Sums whose sign against a number is decided exactly, or not at all.
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace jacobi {

/// a + b = first + second exactly. Source: Knuth, "The Art of Computer Programming" 2, 4.2.2, theorem B.
inline std::pair<double, double> two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// A sum in two doubles that knows a bound of what they could not hold.
class ExactSum {
 public:
  void add(double value) {
    const auto [high, error] = two_sum(high_, value);
    high_ = high;
    if (error == 0) return;
    const auto [low, rest] = two_sum(low_, error);
    low_ = low;
    lost_ += std::abs(rest);
  }
  void lose(double size) { lost_ += size; }
  double value() const { return high_ + low_; }
  /// Nothing was lost: value() is the sum, rounded once. Not so of infinities and NaN.
  bool is_exact() const { return lost_ == 0 && std::isfinite(high_); }

  /// Sign of target - sum; nothing where rounding leaves it open.
  std::optional<int> below(double target) const {
    if (low_ == 0 && lost_ == 0) return (target > high_) - (target < high_);
    const auto [p, q] = two_sum(target, -high_);
    const auto [r, e] = two_sum(q, -low_);
    const auto [u, v] = two_sum(p, r);
    const double difference = u + (v + e);
    const double doubt =
        2 * lost_ +
        (v != 0 && e != 0 ? 4 * std::numeric_limits<double>::epsilon() * (std::abs(v) + std::abs(e)) : 0);
    if (std::abs(difference) > doubt) return difference > 0 ? 1 : -1;
    if (doubt == 0 && difference == 0) return 0;
    return std::nullopt;
  }

 private:
  double high_ = 0, low_ = 0, lost_ = 0;
};

}  // namespace jacobi
