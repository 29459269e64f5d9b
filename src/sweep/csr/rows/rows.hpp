/// What sweeps compressed rows where they are.
#pragma once
#include "sweep/csr/algorithm.hpp"

namespace jacobi::sweep {

template <class T>
struct RowsWorkspace : RowWorkspace<T> {
  const Csr<T>* matrix = nullptr;
};

/// By the number of the rung, of the instruction set in force (kernels.cpp).
template <class T>
struct RowsKernels {
  MatrixKernels<T, RowsWorkspace<T>> rungs[2];
};
template <class T>
RowsKernels<T> rows_kernels();

}  // namespace jacobi::sweep
