/// A stencil written out as a dense matrix in double, by a way of its own: the oracle of the tests.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "jacobi/norms.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::test {

struct DenseSystem {
  std::size_t rows = 0;
  std::vector<double> a;      ///< row after row
  std::vector<double> given;  ///< what boundary values add to b
  double& at(std::size_t i, std::size_t j) { return a[i * rows + j]; }
  double at(std::size_t i, std::size_t j) const { return a[i * rows + j]; }

  template <class T>
  std::vector<double> folded(const std::vector<T>& b) const {
    std::vector<double> out(rows);
    for (std::size_t i = 0; i < rows; ++i) out[i] = static_cast<double>(b[i]) + given[i];
    return out;
  }
  template <class T>
  std::vector<double> residual(const std::vector<T>& b, const std::vector<T>& x) const {
    std::vector<double> r = folded(b);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < rows; ++j) r[i] -= at(i, j) * static_cast<double>(x[j]);
    return r;
  }
  std::vector<double> over_diagonal(std::vector<double> v) const {
    for (std::size_t i = 0; i < rows; ++i) v[i] /= diagonal[i];
    return v;
  }
  std::vector<double> diagonal;  ///< the centre coefficients (a period of 1 or 2 may add to a(i, i))
};

inline Norms norms_of(const std::vector<double>& v) {
  Norms n;
  for (const double value : v) {
    n.l2 += value * value;
    n.max = std::max(n.max, std::abs(value));
  }
  n.l2 = std::sqrt(n.l2);
  return n;
}

/// Neumann sides by the mirror point: u[-1] = u[1] + 2 h du/dn.
template <class T, int D>
DenseSystem dense(const Stencil<T, D>& s) {
  const Grid<T, D>& grid = s.grid();
  std::array<std::size_t, 3> n{1, 1, 1};
  for (int d = 0; d < D; ++d) n[d] = static_cast<std::size_t>(grid.unknowns[d]);
  DenseSystem m;
  m.rows = n[0] * n[1] * n[2];
  m.a.assign(m.rows * m.rows, 0);
  m.given.assign(m.rows, 0);
  m.diagonal.assign(m.rows, 0);
  const auto row_of = [&](const std::array<long, 3>& c) {
    return static_cast<std::size_t>(c[0]) +
           n[0] * (static_cast<std::size_t>(c[1]) + n[1] * static_cast<std::size_t>(c[2]));
  };
  std::array<long, 3> c{};
  for (c[2] = 0; c[2] < static_cast<long>(n[2]); ++c[2])
    for (c[1] = 0; c[1] < static_cast<long>(n[1]); ++c[1])
      for (c[0] = 0; c[0] < static_cast<long>(n[0]); ++c[0]) {
        const std::size_t row = row_of(c);
        m.diagonal[row] = static_cast<double>(s.center(static_cast<Index>(row)));
        m.at(row, row) += m.diagonal[row];
        for (int k = 0; k < 2 * D; ++k) {
          const int d = k / 2;
          const long last = static_cast<long>(n[d]) - 1;
          const double weight = static_cast<double>(s.off(k, static_cast<Index>(row)));
          std::array<long, 3> to = c;
          to[d] += k % 2 == 0 ? -1 : 1;
          if (to[d] >= 0 && to[d] <= last) {
            m.at(row, row_of(to)) += weight;
            continue;
          }
          const Side<T>& side = grid.sides[d][k % 2];
          std::size_t s_index = 0, factor = 1;  // place on the side
          for (int e = 0; e < D; ++e)
            if (e != d) {
              s_index += factor * static_cast<std::size_t>(c[e]);
              factor *= n[e];
            }
          const double value = side.values.empty()
                                   ? 0.0
                                   : static_cast<double>(side.values[side.values.size() == 1 ? 0 : s_index]);
          if (side.kind == BoundaryKind::dirichlet) m.given[row] -= weight * value;
          if (side.kind == BoundaryKind::neumann) {
            to[d] = k % 2 == 0 ? 1 : last - 1;
            m.at(row, row_of(to)) += weight;
            m.given[row] -= weight * 2 * grid.spacing[d] * value;
          }
          if (side.kind == BoundaryKind::periodic) {
            to[d] = k % 2 == 0 ? last : 0;
            m.at(row, row_of(to)) += weight;
          }
        }
      }
  return m;
}

}  // namespace jacobi::test
