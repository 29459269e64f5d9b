/// Whether an iterate solves a system exactly.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "core/dense_entries.hpp"
#include "core/entry_rows.hpp"
#include "core/exact_sum.hpp"
#include "core/grid_residuals.hpp"
#include "core/scale.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// b_i - sum of a_ij x_j as far as it can be told from 0.
class ExactResidual {
 public:
  explicit ExactResidual(double start) { sum_.add(start); }
  void add(double value) { sum_.add(value); }
  void subtract(double a, double b) {
    const double product = a * b;
    sum_.add(-product);
    sum_.add(-std::fma(a, b, -product));
    if (product == 0 ? a != 0 && b != 0 : std::abs(product) < 0x1p-960)
      sum_.lose(1);  // its error may be lost
  }
  bool is_zero() const { return sum_.below(0) == std::optional(0); }

 private:
  ExactSum sum_;
};

/// Of many rows, whether all are 0.
struct AllZero {
  bool yes = true;
  void add(const AllZero& more) { yes = yes && more.yes; }
};

template <class T, int D>
bool rows_vanish(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, LineRange lines) {
  const auto take = [](AllZero& all, Index first, Index last, auto&& sum) {
    for (; first < last && all.yes; ++first) all.yes = sum(first).is_zero();
  };
  return gather_residuals<AllZero, ExactResidual>(a, b, x, lines, take).yes;
}
template <class T, int D>
bool all_rows_vanish(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x) {
  return rows_vanish(a, b, x, all_lines(a.grid()));
}
template <class T, class A>
bool all_rows_vanish(const A& a, std::span<const T> b, std::span<const T> x) {
  return with_residuals<ExactResidual>(a, b, x, [&](auto&& sum) {
    const auto add = [&](AllZero& all, Index first, Index last) {
      for (; first < last && all.yes; ++first) all.yes = sum(first).is_zero();
    };
    return gathered_by_blocks<AllZero>(blocks_over(a), add).yes;
  });
}
template <class T>
bool all_rows_vanish(const Dense<T>& a, std::span<const T> b, std::span<const T> x) {
  std::vector<ExactResidual> sums(b.begin(), b.end());
  for_some_rows(a, [&](Index first, Index last) {
    each_entry(a, first, last, [&](Index i, Index j, T value) {
      for (Index c = 0; c < a.copies(); ++c) sums[i * a.copies() + c].subtract(value, x[j * a.copies() + c]);
    });
  });
  return std::ranges::all_of(sums, &ExactResidual::is_zero);
}

/// Whether b - A x is 0 in every row, exactly: where that cannot be told, no. Products too small to be told
/// are taken in larger units. Cost: a slow pass over A, or two.
template <class T, class A>
bool solves_exactly(const A& a, std::span<const T> b, std::span<const T> x) {
  if (all_rows_vanish<T>(a, b, x)) return true;
  constexpr double enough = 0x1p400;  // an entry of A may then be as large, and as small as any
  double largest = 0;
  for (const std::span<const T> values : {b, x})
    for (const T value : values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  if (std::is_same_v<T, float> || largest == 0 || !(largest < enough) || !homogeneous(a)) return false;
  const int power = std::ilogb(enough) - std::ilogb(largest);
  return all_rows_vanish<T>(a, std::span<const T>(times_power_of_two<T>(b, power)),
                            std::span<const T>(times_power_of_two<T>(x, power)));
}

}  // namespace jacobi
