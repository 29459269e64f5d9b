/// Operators of which tests show the products alone.
#pragma once
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi::test {

/// y_i = sum of a_ij x_j in the order of the row, in T; counts its products.
template <class T>
struct ProductsOf {
  Csr<T> matrix;
  bool with_diagonal = true;
  mutable Index made = 0;

  std::size_t rows() const { return static_cast<std::size_t>(matrix.rows()); }
  void apply(std::span<const T> x, std::span<T> y) const {
    ++made;
    matrix.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < matrix.rows(); ++i) {
        T sum = 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
        y[i] = sum;
      }
    });
  }
  std::vector<T> diagonal() const {
    std::vector<T> values;
    for (Index i = 0; i < matrix.rows() && with_diagonal; ++i) values.push_back(matrix.diagonal(i));
    return values;
  }
};

template <class T>
MatrixFree<T> products_of(const Csr<T>& a) {
  return MatrixFree<T>(ProductsOf<T>{a});
}
template <class T>
MatrixFree<T> without_diagonal(const Csr<T>& a) {
  return MatrixFree<T>(ProductsOf<T>{a, false});
}

/// -u'' on n points: 2 on the diagonal, or more, and -1 beside it. There is no matrix.
struct Line {
  std::size_t n;
  std::optional<Range> claimed = {};
  double center = 2;

  std::size_t rows() const { return n; }
  void apply(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < n; ++i)
      y[i] = center * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
  }
  std::vector<double> diagonal() const { return std::vector<double>(n, center); }
  std::optional<Range> bounds() const { return claimed; }
};

}  // namespace jacobi::test
