/// Sums of products in double, or in twice its precision.
#pragma once
namespace jacobi {

/// In double: every product and every sum is rounded.
class DoubleSum {
 public:
  explicit DoubleSum(double start) : sum_(start) {}
  void add(double value) { sum_ += value; }
  void subtract(double a, double b) { sum_ -= a * b; }
  double value() const { return sum_; }

 private:
  double sum_;
};

/// As if in twice double's precision and rounded once at the end: errors of products and sums are added up
/// beside them (algorithm Dot2 of Ogita, Rump and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput.
/// 26, 2005). Of n products it is off by half a unit of the result and n^2 eps^2 of their magnitudes.
class TwofoldSum {
 public:
  explicit TwofoldSum(double start) : sum_(start) {}
  void add(double value) {
    const double sum = sum_ + value, part = sum - sum_;
    rest_ += (sum_ - (sum - part)) + (value - part);
    sum_ = sum;
  }
  /// The product's error by Dekker's halves (Numer. Math. 18, 1971): a call of fma takes twice as long.
  /// Numbers beyond 2^996 make it NaN.
  void subtract(double a, double b) {
    const double product = a * b, a_high = upper_half(a), b_high = upper_half(b);
    const double a_low = a - a_high, b_low = b - b_high;
    rest_ -= a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    add(-product);
  }
  double value() const { return sum_ + rest_; }

 private:
  static double upper_half(double a) {
    const double shifted = 134217729 * a;  // 2^27 + 1
    return shifted - (shifted - a);
  }
  double sum_, rest_ = 0;
};

}  // namespace jacobi
