/// Whether an iterate solves a system exactly.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "core/blocks.hpp"
#include "core/dense_entries.hpp"
#include "core/exact_sum.hpp"
#include "core/grid_residuals.hpp"
#include "jacobi/csr.hpp"
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

/// Whether b - A x is 0 in every row, exactly: where that cannot be told, no. Cost: a slow pass over A.
template <class T, int D>
bool solves_exactly(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x) {
  const auto take = [](AllZero& all, const ExactResidual& sum, double) {
    all.yes = all.yes && sum.is_zero();
  };
  return gather_residuals<AllZero, ExactResidual>(a, b, x, take).yes;
}
template <class T>
bool solves_exactly(const Csr<T>& a, std::span<const T> b, std::span<const T> x) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    const auto add = [&](AllZero& all, Index first, Index last) {
      for (Index i = first; i < last && all.yes; ++i) {
        ExactResidual sum(b[i]);
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum.subtract(values[k], x[columns[k]]);
        all.yes = sum.is_zero();
      }
    };
    return gathered_by_blocks<AllZero>(blocks_over(a), add).yes;
  });
}
template <class T>
bool solves_exactly(const Dense<T>& a, std::span<const T> b, std::span<const T> x) {
  std::vector<ExactResidual> sums(b.begin(), b.end());
  for_some_rows(a, [&](Index first, Index last) {
    each_entry(a, first, last, [&](Index i, Index j, T value) {
      for (Index c = 0; c < a.copies(); ++c) sums[i * a.copies() + c].subtract(value, x[j * a.copies() + c]);
    });
  });
  return std::ranges::all_of(sums, &ExactResidual::is_zero);
}

}  // namespace jacobi
