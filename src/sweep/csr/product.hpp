/// Products with a bound sparse matrix.
#pragma once
#include "sweep/csr/workspace.hpp"

namespace jacobi::sweep {

template <class T>
struct SparseProducts {
  /// y = b - A x of the rows of a piece, or A x - b where `negative`; b at the piece's first row, x and y as
  /// the workspace's vectors. Rows in chunks; in slices, a piece being a slab.
  void (*chunks)(const SparseWorkspace<T>& w, Index piece, const T* b, const T* x, T* y, bool negative);
  void (*slices)(const SparseWorkspace<T>& w, Index piece, const T* b, const T* x, T* y, bool negative);
  const char* simd;
};

/// For the instruction set in force.
template <class T>
SparseProducts<T> sparse_products();

}  // namespace jacobi::sweep
