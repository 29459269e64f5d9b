/// How good an iterate is, whatever the units of rows and unknowns.
#pragma once
#include <span>

#include "jacobi/box_stencil.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/export.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Componentwise backward error of x: max_i |b - A x|_i / (|A| |x| + |b|)_i, boundary values counted with b;
/// rows of 0/0 count as 0. x solves a system exactly whose entries differ from those of A and b by no more
/// than that share of themselves (Oettli, Prager, "Compatibility of approximate solution of linear equations
/// with given error bounds for coefficients and right-hand sides", Numer. Math. 6, 1964). Sums are made in
/// double, so that a result below row length x 2^-53 is rounding. b, x: rows values. Throws: UsageError for
/// other lengths. Cost: a pass over A, b and x on all cores.
template <class T, int D>
JACOBI_API double backward_error(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x);
template <class T>
JACOBI_API double backward_error(const Csr<T>& a, std::span<const T> b, std::span<const T> x);
template <class T>
JACOBI_API double backward_error(const Dense<T>& a, std::span<const T> b, std::span<const T> x);
template <class T>
JACOBI_API double backward_error(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x);

/// Largest over least |a_ii|: by how much the units of rows differ. Cost: a pass over the diagonal.
template <class T, int D>
JACOBI_API double row_spread(const Stencil<T, D>& a);
template <class T>
JACOBI_API double row_spread(const Csr<T>& a);
template <class T>
JACOBI_API double row_spread(const Dense<T>& a);
template <class T>
JACOBI_API double row_spread(const BoxStencil<T>& a);

/// Rows that differ by more hide the small ones in a norm of b - A x: an error of 1e-8 of the large ones is
/// one of 1e-5 of those.
inline constexpr double most_row_spread = 1e3;

/// Whether Norm::automatic tests the scaled residual.
template <class A>
bool rows_differ(const A& a) {
  return row_spread(a) > most_row_spread;
}

}  // namespace jacobi
