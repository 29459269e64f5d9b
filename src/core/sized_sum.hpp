/// Residuals of rows beside the magnitudes that they are made of.
#pragma once
#include <algorithm>
#include <cmath>

namespace jacobi {

/// b_i - sum of a_ij x_j in double, and |b_i| + sum of |a_ij x_j|.
class SizedSum {
 public:
  SizedSum() = default;
  explicit SizedSum(double start) : sum_(start), size_(std::abs(start)) {}
  void add(double value) {
    sum_ += value;
    size_ += std::abs(value);
  }
  void subtract(double a, double b) { add(-(a * b)); }
  SizedSum& operator+=(const SizedSum& more) {
    sum_ += more.sum_;
    size_ += more.size_;
    return *this;
  }
  double value() const { return sum_; }
  double size() const { return size_; }

 private:
  double sum_ = 0, size_ = 0;
};

/// The largest |value| / size of many sums; NaN once one is.
class LargestShare {
 public:
  void add(const SizedSum& sum) {
    if (!(std::abs(sum.value()) <= largest_ * sum.size())) largest_ = std::abs(sum.value()) / sum.size();
  }
  void add(const LargestShare& more) {
    if (!(more.largest_ <= largest_)) largest_ = more.largest_;
  }
  double value() const { return largest_; }

 private:
  double largest_ = 0;
};

}  // namespace jacobi
