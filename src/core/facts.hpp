/// What solver, prediction and loop ask of an operator, whichever it is.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/box_stencil.hpp"
#include "core/graph.hpp"
#include "core/matrix_free.hpp"
#include "core/null_space.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/rounding.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// " at point (3, 5)", or nothing where the index says it all.
template <class T, int D>
std::string place_of(const Stencil<T, D>& a, Index p) {
  return " at point " + a.grid().name(p);
}
template <class T>
std::string place_of(const Csr<T>&, Index) {
  return "";
}
template <class T>
std::string place_of(const Dense<T>&, Index) {
  return "";
}

/// The same operator, after values were changed in memory that it views. Throws: as its makers.
template <class T, int D>
Stencil<T, D> validated(const Stencil<T, D>& a) {
  return a.validated();
}
template <class T>
Csr<T> validated(const Csr<T>& a) {
  a.require_finite();
  return a;
}
template <class T>
Dense<T> validated(const Dense<T>& a) {
  return a.validated();
}

/// Norms of b over the divisors, boundary values folded in.
template <class T, int D>
Norms rhs_norms(const Stencil<T, D>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by != Divisor::none);
}
template <class T>
Norms rhs_norms(const Csr<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}
template <class T>
Norms rhs_norms(const Dense<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}

/// Norms of b - A x over the divisors.
template <class T, int D>
Norms residual_norms(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by != Divisor::none);
}
template <class T>
Norms residual_norms(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}
template <class T>
Norms residual_norms(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}

/// The same, summed in twice double's precision and rounded once at the end: core/twofold.hpp.
template <class T, int D>
Norms twofold_residual_norms(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Divisor by);
template <class T>
Norms twofold_residual_norms(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Divisor by);
template <class T>
Norms twofold_residual_norms(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Divisor by);

/// Whether rounding_floor exceeds `limit`: for its cost or, of a dense matrix where |d_i x_i| + n max|x_j|
/// times the largest entry off the diagonal, in place of row i of |A| |x|, does not make it exceed it either,
/// for a pass over b and x.
template <class A, class T>
bool rounding_exceeds(double limit, const A& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by = Divisor::diagonal) {
  return rounding_floor(a, b, x, norm, by) > limit;
}
template <class T>
bool rounding_exceeds(double limit, const Dense<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by = Divisor::diagonal);

/// rounding_floor of sums in double, whatever A's and x's precision.
template <class T>
inline constexpr double finer = std::numeric_limits<double>::epsilon() / std::numeric_limits<T>::epsilon();

/// The same, and none of it made of rounding: in twice double's precision where sums in double could be off
/// by more than a hundredth of the norm that counts. Where that stays below `enough` were they off by a
/// hundred times as much, sums in double do. Cost: that of residual_norms and of rounding_exceeds, else about
/// five times as much. norm: an update's where there are divisors.
template <class T, class A>
Norms true_residual_norms(const A& a, std::span<const T> b, std::span<const T> x, Divisor by, Norm norm,
                          double enough = 0) {
  const Norms plain = residual_norms(a, b, x, by);
  const double size = pick(plain, norm), allowed = 0.01 * std::max(size, enough - size);
  if (!rounding_exceeds(allowed / finer<T>, a, b, x, norm, by)) return plain;
  const Norms twofold = twofold_residual_norms(a, b, x, by);
  return std::isfinite(twofold.l2) ? twofold : plain;
}

/// The share of rounding_floor by which those may be off all the same.
template <class T, class A>
double doubtful_share(const A& a) {
  return static_cast<double>(a.rows()) * std::numeric_limits<double>::epsilon() * finer<T>;
}

/// Least magnitude of a divisor.
template <class T, int D>
double least_divisor(const Stencil<T, D>& a, Divisor by) {
  double least = by == Divisor::none ? 1 : std::numeric_limits<double>::infinity();
  for (Index p = 0; p < static_cast<Index>(a.center().size()) && by != Divisor::none; ++p)
    least = std::min(least, std::abs(static_cast<double>(a.center()[p])));
  return least;
}
template <class T>
double least_divisor(const Csr<T>& a, Divisor by) {
  double least = by == Divisor::none ? 1 : std::numeric_limits<double>::infinity();
  for (Index i = 0; i < a.rows() && by != Divisor::none; ++i)
    least = std::min(least, std::abs(a.divisor(i, by)));
  return least;
}
template <class T>
double least_divisor(const Dense<T>& a, Divisor by) {
  double least = std::numeric_limits<double>::infinity();
  for (const double divisor : a.divisors(by)) least = std::min(least, std::abs(divisor));
  return least;
}

/// What a norm of b - A x over the divisors may have lost to products that vanish.
template <class A>
double lost_to_underflow(const A& a, Divisor by) {
  const double rows = static_cast<double>(a.rows());
  return rows * std::sqrt(rows) * 8 * std::numeric_limits<double>::denorm_min() / least_divisor(a, by);
}

/// Whether every diagonal entry exceeds the others of its row together by more than rounding: no such matrix
/// is singular.
template <class T, int D>
bool strictly_dominant(const Stencil<T, D>& a) {
  const Grid<T, D>& grid = a.grid();
  for (Index p = 0; p < a.rows(); ++p) {
    const auto at = position(grid, p);
    double off = 0;
    for (int k = 0; k < 2 * D; ++k) {
      const int d = k / 2, e = k % 2;
      const bool is_given =
          grid.sides[d][e].kind == BoundaryKind::dirichlet && at[d] == (e == 0 ? 0 : grid.unknowns[d] - 1);
      if (!is_given) off += std::abs(static_cast<double>(a.off(k, p)));
    }
    if (!(off < (1 - 1e-12) * std::abs(static_cast<double>(a.center(p))))) return false;
  }
  return true;
}
template <class T>
bool strictly_dominant(const Csr<T>& a) {
  for (Index i = 0; i < a.rows(); ++i)
    if (!(std::abs(a.divisor(i, Divisor::l1)) < (2 - 1e-12) * std::abs(a.divisor(i, Divisor::diagonal))))
      return false;
  return true;
}
template <class T>
bool strictly_dominant(const Dense<T>& a) {
  const std::vector<double> l1 = a.divisors(Divisor::l1), diagonal = a.divisors(Divisor::diagonal);
  for (std::size_t i = 0; i < l1.size(); ++i)
    if (!(std::abs(l1[i]) < (2 - 1e-12) * std::abs(diagonal[i]))) return false;
  return true;
}

/// Sweeps in which every unknown can have felt every other one.
template <class T, int D>
Index transit(const Stencil<T, D>& a) {
  Index sum = 0;
  for (int d = 0; d < D; ++d) sum += a.grid().unknowns[d];
  return sum;
}
template <class T>
Index transit(const Csr<T>& a) {
  constexpr Index few = 20000;  // as many sweeps as rows are done before the search would be
  const bool searched = a.rows() > few && a.rows() < std::numeric_limits<std::int32_t>::max();
  return searched ? 2 * breadth_first(a).levels : a.rows();
}
template <class T>
Index transit(const Dense<T>& a) {
  return a.rows();
}

}  // namespace jacobi
