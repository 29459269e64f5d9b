/// Residuals of rows beside the magnitudes that they are made of.
#pragma once
#include <algorithm>
#include <cmath>

namespace jacobi {

/// b_i - sum of a_ij x_j, and |b_i| + sum of |a_ij x_j|, summed in type Real.
template <class Real>
class SizedSum {
 public:
  SizedSum() = default;
  explicit SizedSum(Real start) : sum_(start), size_(std::abs(start)) {}
  void add(Real value) {
    sum_ += value;
    size_ += std::abs(value);
  }
  void subtract(double a, double b) { add(-(static_cast<Real>(a) * static_cast<Real>(b))); }
  SizedSum& operator+=(const SizedSum& more) {
    sum_ += more.sum_;
    size_ += more.size_;
    return *this;
  }
  Real value() const { return sum_; }
  Real size() const { return size_; }

 private:
  Real sum_ = 0, size_ = 0;
};

/// The largest |value| / size of many sums; NaN once one is.
class LargestShare {
 public:
  template <class Real>
  void add(const SizedSum<Real>& sum) {
    const Real size = std::abs(sum.value());
    if (!(size <= static_cast<Real>(largest_) * sum.size()))
      largest_ = static_cast<double>(size / sum.size());
    is_sure_ = is_sure_ && sum.size() > 0x1p-900 && sum.size() < 0x1p1000;
  }
  void add(const LargestShare& more) {
    if (!(more.largest_ <= largest_)) largest_ = more.largest_;
    is_sure_ = is_sure_ && more.is_sure_;
  }
  double value() const { return largest_; }
  /// Whether no term of a sum has vanished or overflowed that counts in double.
  bool is_sure() const { return is_sure_; }

 private:
  double largest_ = 0;
  bool is_sure_ = true;
};

}  // namespace jacobi
