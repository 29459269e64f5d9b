/// Plain Jacobi on the unit square or cube with f = 1 in discrete sine modes: norms and counts without
/// sweeping.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::test {

/// n points per side, h = 1/(n-1). b = 1 has the coefficient a_p = sqrt(2h) cot(p pi h / 2) per direction, p
/// odd; a mode's factor per sweep is the mean of cos(p pi h) over the directions.
class ClosedForm {
 public:
  ClosedForm(Index n, int dimensions) : h_(1.0 / static_cast<double>(n - 1)), dimensions_(dimensions) {
    using std::numbers::pi;
    for (Index p = 1; p <= n - 2; p += 2) {
      const double angle = static_cast<double>(p) * pi * h_;
      cosine_.push_back(std::cos(angle));
      const double a = std::sqrt(2 * h_) / std::tan(angle / 2);
      square_.push_back(a * a);
    }
  }

  /// 2-norm of the update that sweep t makes, t >= 1.
  double update(Index t) const {
    return norm([&](double mu) { return std::pow(mu * mu, static_cast<double>(t - 1)); });
  }
  /// 2-norm of the error after sweep t.
  double error(Index t) const {
    return norm([&](double mu) { return std::pow(mu * mu, static_cast<double>(t)) / ((1 - mu) * (1 - mu)); });
  }
  /// First sweep whose update is at or below the tolerance.
  Index sweeps(double tolerance) const {
    Index low = 0, high = 1;
    while (update(high) > tolerance) low = std::exchange(high, 2 * high);
    while (high - low > 1) {
      const Index middle = low + (high - low) / 2;
      (update(middle) > tolerance ? low : high) = middle;
    }
    return high;
  }

 private:
  template <class Weight>
  double norm(Weight&& weight) const {
    double sum = 0;
    const std::size_t m = cosine_.size();
    for (std::size_t p = 0; p < m; ++p)
      for (std::size_t q = 0; q <= p; ++q) {
        const double twice = p == q ? 1 : 2;
        if (dimensions_ == 2) {
          sum += twice * square_[p] * square_[q] * weight((cosine_[p] + cosine_[q]) / 2);
          continue;
        }
        for (std::size_t r = 0; r < m; ++r)
          sum += twice * square_[p] * square_[q] * square_[r] *
                 weight((cosine_[p] + cosine_[q] + cosine_[r]) / 3);
      }
    return h_ * h_ / (2 * dimensions_) * std::sqrt(sum);
  }

  double h_;
  int dimensions_;
  std::vector<double> cosine_, square_;
};

}  // namespace jacobi::test
