/// What a tolerance cannot ask for.
#pragma once
#include <span>

#include "jacobi/box_stencil.hpp"
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
template <class T>
JACOBI_API double rounding_floor(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x,
                                 Norm norm, Divisor by = Divisor::diagonal);

}  // namespace jacobi
