/// What a tolerance cannot ask for.
#pragma once
#include <span>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/export.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Size that `norm` keeps at the iterate x however long is swept in T: 2 eps ||x|| for updates,
/// 2 eps max|d| ||x|| + eps ||b|| for residuals, eps that of T. b, x: rows values. An estimate: a tolerance
/// well below it cannot be met. Cost: one slow pass over x, and one over b for residuals.
template <class T, int D>
JACOBI_API double rounding_floor(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                                 Norm norm, Divisor by = Divisor::diagonal);
/// The same of a sparse or a dense matrix: eps || |A| |x| || + eps ||b||, divided row by row, by what the
/// method divides by, for updates and scaled residuals.
template <class T>
JACOBI_API double rounding_floor(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                                 Divisor by = Divisor::diagonal);
template <class T>
JACOBI_API double rounding_floor(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                                 Divisor by = Divisor::diagonal);

/// Whether rounding_floor exceeds `limit`: for its cost or, of a dense matrix where |d_i x_i| + n max|x_j|
/// times the largest entry off the diagonal, in place of row i of |A| |x|, does not make it exceed it either,
/// for a pass over b and x.
template <class A, class T>
bool rounding_exceeds(double limit, const A& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by = Divisor::diagonal) {
  return rounding_floor(a, b, x, norm, by) > limit;
}
template <class T>
JACOBI_API bool rounding_exceeds(double limit, const Dense<T>& a, std::span<const T> b, std::span<const T> x,
                                 Norm norm, Divisor by = Divisor::diagonal);

}  // namespace jacobi
