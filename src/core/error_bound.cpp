#include "jacobi/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/blocks.hpp"
#include "core/twofold.hpp"

namespace jacobi {

namespace {

constexpr double of_double = std::numeric_limits<double>::epsilon();
/// More than underflow can take from one term of numbers below 2^30: an entry, an unknown or a part of their
/// product loses less than the smallest double.
constexpr double lost_by_underflow = 0x1p-1000;

/// An exponent whose power of two, and that of its negative, are doubles with room to spare.
int exponent_of(double size) { return size > 0 ? std::clamp(std::ilogb(size), -1000, 1000) : 0; }

/// Of each row of A, and of x and b over the rows: divided by these powers of two, none is above 2^25.
struct RowUnits {
  std::vector<int> rows;
  int x = 0;
};

template <class T>
RowUnits row_units_of(const Csr<T>& a, std::span<const T> b, std::span<const T> x) {
  RowUnits units{std::vector<int>(b.size()), 0};
  double largest = 0;
  for (const T value : x) largest = std::max(largest, std::abs(static_cast<double>(value)));
  int of_b = -1000;
  a.visit([&](auto offsets, auto, auto values) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      double row = 0;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        row = std::max(row, std::abs(static_cast<double>(values[k])));
      units.rows[i] = exponent_of(row);
      const double right = static_cast<double>(b[i]);  // not finite where it has changed meanwhile
      if (right != 0 && std::isfinite(right)) of_b = std::max(of_b, std::ilogb(right) - units.rows[i]);
    }
  });
  units.x = std::clamp(largest > 0 ? std::max(exponent_of(largest), of_b) : of_b, -1000, 1000);
  return units;
}

/// At least |b - A x|_i / |a_ii|, in these units of x.
template <class T>
std::vector<double> shares(const Csr<T>& a, std::span<const T> b, std::span<const T> x,
                           const RowUnits& units) {
  std::vector<double> result(b.size());
  const double of_x = std::ldexp(1.0, -units.x);
  a.visit([&](auto offsets, auto columns, auto values) {
    for_blocks(blocks_over(a), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        const double of_row = std::ldexp(1.0, -units.rows[i]);
        const double right = std::ldexp(static_cast<double>(b[i]), -units.rows[i] - units.x);
        TwofoldSum residual(right);
        double sizes = std::abs(right), diagonal = 0;
        bool any = b[i] != 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const double value = values[k] * of_row, factor = x[columns[k]] * of_x;
          residual.subtract(value, factor);
          sizes += std::abs(value * factor);
          any = any || (values[k] != 0 && x[columns[k]] != 0);
          if (columns[k] == i) diagonal = std::abs(value);
        }
        const double terms = static_cast<double>(offsets[i + 1] - offsets[i] + 2);
        const double doubt =
            terms * of_double * terms * of_double * sizes + (any ? terms * lost_by_underflow : 0);
        result[i] = (std::abs(residual.value()) + doubt) / diagonal;
      }
    });
  });
  return result;
}

/// ||e|| from the shares, in their units; the norms and quotients of the contraction.
template <class T>
double largest_error(const Csr<T>& a, const Contraction& bound, const std::vector<double>& shares) {
  double low = std::numeric_limits<double>::max(), high = 0, largest = 0, most = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    const double weight = bound.weights.empty() ? 1 : bound.weights[i];
    low = std::min(low, std::abs(static_cast<double>(a.diagonal(i))));
    high = std::max(high, weight);
    most = std::max(most, shares[i]);
    largest = std::max(largest, shares[i] / weight);
    if (!std::isfinite(shares[i] / weight)) return std::numeric_limits<double>::infinity();
  }
  if (most == 0) return 0;
  double sum = 0, squares = 0;  // of |r_i| / low, and of sqrt(r_i / |a_ii| r_i / low) over the largest share
  for (Index i = 0; i < a.rows(); ++i) {
    const double ratio = std::abs(static_cast<double>(a.diagonal(i))) / low;
    sum += shares[i] * ratio;
    const double root = shares[i] / most * std::sqrt(ratio);
    squares += root * root;
  }
  const double size = bound.norm == ContractionNorm::sum    ? sum
                      : bound.norm == ContractionNorm::root ? most * std::sqrt(squares)
                                                            : high * largest;
  const double rounding = (4 * static_cast<double>(a.rows()) + 64) * of_double;
  return size / (1 - bound.factor) * (1 + rounding);
}

}  // namespace

template <class T>
std::optional<double> error_bound(const Csr<T>& a, const Diagnosis& d, std::span<const T> b,
                                  std::span<const T> x) {
  if (!d.bound) return {};
  const RowUnits units = row_units_of(a, b, x);
  const double most = largest_error(a, *d.bound, shares(a, b, x, units));
  if (most == 0) return 0;
  const double bound =
      std::nextafter(std::ldexp(most, units.x), std::numeric_limits<double>::infinity());  // may underflow
  return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
}

template std::optional<double> error_bound<double>(const Csr<double>&, const Diagnosis&,
                                                   std::span<const double>, std::span<const double>);
template std::optional<double> error_bound<float>(const Csr<float>&, const Diagnosis&, std::span<const float>,
                                                  std::span<const float>);

}  // namespace jacobi
