/// A sparse matrix as the sliced rung reads it: cut into slabs of rows and slices of columns whose unknowns
/// stay in L2.
#pragma once
#include <cstdint>
#include <vector>

#include "core/aligned.hpp"
#include "jacobi/csr.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

/// Rows of a slab, and columns of a slice: 16 bits say where in it.
inline constexpr Index slab_rows = 65536;

/// Entries start[slab slices + slice] ... of a slab and slice, row by row, columns ascending: slice after
/// slice, every row meets its entries in the order of the matrix.
template <class T>
struct Slices {
  Index slabs = 0, slices = 0;
  std::vector<Index> start;  ///< slabs * slices + 1
  AlignedArray<std::uint16_t> row, column;
  AlignedArray<T> values;
};

template <class T>
struct SlicedWorkspace : RowWorkspace<T> {
  Slices<T> slices;
};

/// Of the instruction set in force (kernels.cpp).
template <class T>
using SlicedKernels = MatrixKernels<T, SlicedWorkspace<T>>;
template <class T>
SlicedKernels<T> sliced_kernels();

/// Throws: BackendError where memory lacks.
template <class T>
Slices<T> slice(const Csr<T>& a, int threads);

/// Copies values anew of a matrix of the same structure.
template <class T>
void take_values(const Csr<T>& a, Slices<T>& m, int threads);

/// Most entries miss L2 without slices, they lie far from the diagonal, few of a row in one slice, and no
/// columns are so popular that they stay in cache by themselves; and this machine is slower at such misses
/// than at slices, measured on a sample. Cost: two passes over the columns.
template <class T>
bool is_scattered(const Csr<T>& a);

}  // namespace jacobi::sweep
