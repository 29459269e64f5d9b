/// The judge of every solve: A x = b in extended precision, by plain loops that share nothing with the
/// library.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/dense.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::honest {

#if __LDBL_MANT_DIG__ >= 113
using Quad = long double;
#else
__extension__ typedef __float128 Quad;
#endif
using Quads = std::vector<Quad>;

inline constexpr double unit_of_double = std::numeric_limits<double>::epsilon() / 2;
inline constexpr double unit_of_quad = 0x1p-113;

inline Quad size_of(Quad v) { return v < 0 ? -v : v; }

/// By Newton, from the root in double of what was brought near 1.
inline Quad root_of(Quad v) {
  if (!(v > 0)) return 0;
  Quad scale = 1;
  constexpr Quad step = 0x1p200;
  for (; v > step; v /= step * step) scale *= step;
  for (; v < 1 / step; v *= step * step) scale /= step;
  Quad root = std::sqrt(static_cast<double>(v));
  for (int i = 0; i < 3; ++i) root = (root + v / root) / 2;
  return root * scale;
}

/// As far as double holds it: for words, and for comparisons with what a report says.
inline double in_double(Quad v) {
  constexpr Quad most = std::numeric_limits<double>::max();
  if (v > most) return std::numeric_limits<double>::infinity();
  if (v < -most) return -std::numeric_limits<double>::infinity();
  return static_cast<double>(v);
}

/// Both norms, squares neither vanishing nor overflowing.
struct Sizes {
  Quad l2 = 0, max = 0;
};

inline Sizes sizes_of(const Quads& v) {
  Sizes s;
  for (const Quad value : v) {
    s.l2 += value * value;
    s.max = std::max(s.max, size_of(value));
  }
  s.l2 = root_of(s.l2);
  return s;
}

/// A as rows of all its entries, b with the boundary values folded in.
struct System {
  std::size_t n = 0;
  Quads a, b;
  Quads sizes;  ///< of the coefficients that make up an entry of A: two where a direction has two points
  Quads given;  ///< |b| and the sizes of all that boundary values add to it
  std::vector<double> terms;  ///< products in the residual of a row
  Quads centre;               ///< what sweeps divide by
  Quads doubt;                ///< of b, where boundary values add to it, or the solver is known to change it

  explicit System(std::size_t rows = 0)
      : n(rows),
        a(rows * rows),
        b(rows),
        sizes(rows * rows),
        given(rows),
        terms(rows),
        centre(rows),
        doubt(rows) {}
  Quad& at(std::size_t i, std::size_t j) { return a[i * n + j]; }
  void add(std::size_t i, std::size_t j, Quad value) {
    a[i * n + j] += value;
    sizes[i * n + j] += size_of(value);
  }
  Quad at(std::size_t i, std::size_t j) const { return a[i * n + j]; }

  template <class X>
  Quads residual(const std::vector<X>& x) const {
    Quads r(n);
    for (std::size_t i = 0; i < n; ++i) {
      Quad sum = b[i];
      for (std::size_t j = 0; j < n; ++j)
        if (at(i, j) != 0) sum -= at(i, j) * static_cast<Quad>(x[j]);
      r[i] = sum;
    }
    return r;
  }
  /// |b| + |A| |x|.
  template <class X>
  Quads magnitudes(const std::vector<X>& x) const {
    Quads r(n);
    for (std::size_t i = 0; i < n; ++i) {
      Quad sum = given[i];
      for (std::size_t j = 0; j < n; ++j)
        if (sizes[i * n + j] != 0) sum += sizes[i * n + j] * size_of(static_cast<Quad>(x[j]));
      r[i] = sum;
    }
    return r;
  }
  Quads divisors(Divisor kind) const {
    Quads d(n, 1);
    if (kind == Divisor::diagonal) d = centre;
    if (kind == Divisor::l1)
      for (std::size_t i = 0; i < n; ++i) {
        Quad sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += size_of(at(i, j));
        d[i] = centre[i] < 0 ? -sum : sum;
      }
    return d;
  }
};

inline Quads over(Quads v, const Quads& divisors) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] /= divisors[i];
  return v;
}

/// entries: n x n by rows.
template <class T>
System system_of(const std::vector<T>& entries, const std::vector<T>& b) {
  System s(b.size());
  for (std::size_t i = 0; i < s.n; ++i) {
    for (std::size_t j = 0; j < s.n; ++j) s.add(i, j, static_cast<Quad>(entries[i * s.n + j]));
    s.b[i] = static_cast<Quad>(b[i]);
    s.given[i] = size_of(s.b[i]);
    s.centre[i] = s.at(i, i);
    s.terms[i] = static_cast<double>(s.n);
  }
  return s;
}

/// As Stencil says it: beyond a side lies the boundary value, the mirror point, or the other end.
template <class T, int D>
System system_of(const Stencil<T, D>& stencil, const std::vector<T>& b) {
  const Grid<T, D>& grid = stencil.grid();
  System s(b.size());
  std::array<std::size_t, D> stride{};
  std::size_t product = 1;
  for (int d = 0; d < D; ++d) {
    stride[d] = product;
    product *= static_cast<std::size_t>(grid.unknowns[d]);
  }
  std::array<std::vector<std::size_t>, 2 * D>
      place;  // of the points of every side, in the order of its values
  for (int k = 0; k < 2 * D; ++k) place[k].assign(s.n, 0);
  for (int k = 0; k < 2 * D; ++k) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < s.n; ++p) {
      const std::size_t many = static_cast<std::size_t>(grid.unknowns[k / 2]), i = p / stride[k / 2] % many;
      if (i == (k % 2 == 0 ? 0 : many - 1)) place[k][p] = count++;
    }
  }
  for (std::size_t p = 0; p < s.n; ++p) {
    s.centre[p] = static_cast<Quad>(stencil.center(static_cast<Index>(p)));
    s.add(p, p, s.centre[p]);
    s.b[p] = static_cast<Quad>(b[p]);
    s.given[p] = size_of(s.b[p]);
    s.terms[p] = 2 * D + 1;
    for (int k = 0; k < 2 * D; ++k) {
      const Quad weight = static_cast<Quad>(stencil.off(k, static_cast<Index>(p)));
      const std::size_t many = static_cast<std::size_t>(grid.unknowns[k / 2]), i = p / stride[k / 2] % many;
      const bool low = k % 2 == 0, beyond = i == (low ? 0 : many - 1);
      const std::size_t step = stride[k / 2];
      if (!beyond) {
        s.add(p, low ? p - step : p + step, weight);
        continue;
      }
      const BoundaryKind kind = grid.sides[k / 2][k % 2].kind;
      Quad added = 0;
      if (kind == BoundaryKind::periodic)
        s.add(p, low ? p + (many - 1) * step : p - (many - 1) * step, weight);
      if (kind == BoundaryKind::neumann) {
        s.add(p, low ? p + step : p - step, weight);
        const std::span<const double> flux = stencil.neumann_flux(k);
        if (!flux.empty()) added = static_cast<Quad>(flux[place[k][p]]);
      }
      if (kind == BoundaryKind::dirichlet)
        added = -weight * static_cast<Quad>(stencil.boundary_value(k, static_cast<Index>(place[k][p])));
      s.b[p] += added;
      s.given[p] += size_of(added);
      s.doubt[p] += 2 * unit_of_double * size_of(added);  // a product in double
    }
  }
  return s;
}

/// `copies` right-hand sides at once: unknown i of column c is number c + copies i.
inline System times(const System& one, std::size_t copies, const Quads& b) {
  System s(one.n * copies);
  for (std::size_t i = 0; i < one.n; ++i)
    for (std::size_t c = 0; c < copies; ++c) {
      const std::size_t row = c + copies * i;
      for (std::size_t j = 0; j < one.n; ++j) s.add(row, c + copies * j, one.at(i, j));
      s.b[row] = b[row];
      s.given[row] = size_of(b[row]);
      s.centre[row] = one.centre[i];
      s.terms[row] = one.terms[i];
    }
  return s;
}

/// By elimination, rows in units of their largest entry, and a step of refinement. None where a pivot is
/// nothing but rounding: A is singular as far as quad tells.
inline std::optional<Quads> solve(const System& s) {
  const std::size_t n = s.n;
  Quads m = s.a, x = s.b;
  for (std::size_t i = 0; i < n; ++i) {
    Quad largest = 0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, size_of(m[i * n + j]));
    if (largest == 0) return {};
    for (std::size_t j = 0; j < n; ++j) m[i * n + j] /= largest;
    x[i] /= largest;
  }
  Quads column(n);  // sizes at the start: what a pivot is small against
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) column[j] = std::max(column[j], size_of(m[i * n + j]));
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j; i < n; ++i)
      if (size_of(m[i * n + j]) > size_of(m[pivot * n + j])) pivot = i;
    if (size_of(m[pivot * n + j]) <= 1e-28 * column[j]) return {};
    for (std::size_t k = 0; k < n; ++k) std::swap(m[j * n + k], m[pivot * n + k]);
    std::swap(x[j], x[pivot]);
    for (std::size_t i = j + 1; i < n; ++i) {
      if (m[i * n + j] == 0) continue;
      const Quad factor = m[i * n + j] / m[j * n + j];
      for (std::size_t k = j; k < n; ++k) m[i * n + k] -= factor * m[j * n + k];
      x[i] -= factor * x[j];
    }
  }
  for (std::size_t j = n; j-- > 0;) {
    for (std::size_t k = j + 1; k < n; ++k) x[j] -= m[j * n + k] * x[k];
    x[j] /= m[j * n + j];
  }
  return x;
}

/// Pivots of elimination without exchanges in D^-1/2 A D^-1/2 (D > 0; any order of magnitude of rows and
/// columns): all positive where a symmetric A is positive definite, or an A without positive entries off the
/// diagonal is a nonsingular M-matrix. The least one; 0 where a diagonal entry is not positive.
inline Quad least_pivot(const System& s) {
  const std::size_t n = s.n;
  Quads m = s.a, root(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(m[i * n + i] > 0)) return 0;
    root[i] = root_of(m[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) m[i * n + j] = m[i * n + j] / root[i] / root[j];
  Quad least = 1;
  for (std::size_t j = 0; j < n; ++j) {
    least = std::min(least, m[j * n + j]);
    if (!(least > 0)) return least;
    for (std::size_t i = j + 1; i < n; ++i) {
      const Quad factor = m[i * n + j] / m[j * n + j];
      for (std::size_t k = j; k < n; ++k) m[i * n + k] -= factor * m[j * n + k];
    }
  }
  return least;
}

}  // namespace jacobi::honest
