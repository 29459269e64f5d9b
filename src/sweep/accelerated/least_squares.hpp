/// Small least squares by normal equations.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// min || f - F g || for at most N columns, from their inner products.
template <std::size_t N>
class LeastSquares {
 public:
  std::array<std::array<double, N>, N> gram{};  ///< F^T F
  std::array<double, N> rhs{};                  ///< F^T f

  /// g of the first n columns: Cholesky of the columns scaled to length 1, largest pivot first. Directions of
  /// which less than sqrt(least) is left are not used. Source: Higham, "Accuracy and Stability of Numerical
  /// Algorithms", 10.3.
  std::array<double, N> solve(std::size_t n, double least) const {
    auto a = gram;
    auto y = rhs;
    std::array<double, N> size{}, g{};
    std::array<std::size_t, N> place{};
    for (std::size_t i = 0; i < n; ++i) {
      place[i] = i;
      size[i] = gram[i][i] > 0 ? 1 / std::sqrt(gram[i][i]) : 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
      y[i] *= size[i];
      for (std::size_t j = 0; j < n; ++j) a[i][j] = gram[std::max(i, j)][std::min(i, j)] * size[i] * size[j];
    }
    const std::size_t rank = factorise(a, y, place, n, least);
    for (std::size_t k = rank; k-- > 0;) {
      double sum = y[k];
      for (std::size_t i = k + 1; i < rank; ++i) sum -= a[i][k] * g[place[i]];
      g[place[k]] = sum / a[k][k];
    }
    for (std::size_t i = 0; i < n; ++i) g[i] *= size[i];
    return g;
  }

 private:
  /// a = L L^T as far as pivots go, and y = L^-1 y, both in the order of `place`; returns the rank.
  static std::size_t factorise(std::array<std::array<double, N>, N>& a, std::array<double, N>& y,
                               std::array<std::size_t, N>& place, std::size_t n, double least) {
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t p = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (a[i][i] > a[p][p]) p = i;
      if (!(a[p][p] > least)) return k;
      std::swap(a[k], a[p]);
      for (std::size_t i = 0; i < n; ++i) std::swap(a[i][k], a[i][p]);
      std::swap(y[k], y[p]);
      std::swap(place[k], place[p]);
      a[k][k] = std::sqrt(a[k][k]);
      y[k] /= a[k][k];
      for (std::size_t i = k + 1; i < n; ++i) {
        a[i][k] /= a[k][k];
        y[i] -= a[i][k] * y[k];
      }
      for (std::size_t i = k + 1; i < n; ++i)
        for (std::size_t j = k + 1; j < n; ++j) a[i][j] -= a[i][k] * a[j][k];
    }
    return n;
  }
};

}  // namespace jacobi::sweep
