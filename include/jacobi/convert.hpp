/// Products with operators, and operators as sparse matrices.
#pragma once
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/solve.hpp"

namespace jacobi {

/// A x, rows values; of a grid without what boundary values add. Sums are in double and rounded to T once.
/// Throws: UsageError for another length. Cost: a pass over the entries; of a grid a slow one.
template <class T>
JACOBI_API std::vector<T> multiply(const Csr<T>& a, RightHandSide<T> x);
template <class T>
JACOBI_API std::vector<T> multiply(const Dense<T>& a, RightHandSide<T> x);
template <class T, int D>
JACOBI_API std::vector<T> multiply(const Stencil<T, D>& a, RightHandSide<T> x);
template <class T>
JACOBI_API std::vector<T> multiply(const BoxStencil<T>& a, RightHandSide<T> x);
/// As the caller's function gives it.
template <class T>
JACOBI_API std::vector<T> multiply(const MatrixFree<T>& a, RightHandSide<T> x);

/// The same matrix by rows; its right-hand side is fold(b). Coefficients towards the same unknown, as in a
/// periodic direction of two points, are added.
/// Throws: InputError where a sum is not finite. Cost: memory of all entries.
template <class T, int D>
JACOBI_API Csr<T> to_csr(const Stencil<T, D>& a);
template <class T>
JACOBI_API Csr<T> to_csr(const BoxStencil<T>& a);
/// All entries, zeros too; with several right-hand sides the matrix once. Throws: BackendError where memory
/// lacks.
template <class T>
JACOBI_API Csr<T> to_csr(const Dense<T>& a);

}  // namespace jacobi
