/// Dense rungs that are compared with: textbook, vectors by hand, a BLAS.
#pragma once
#include "sweep/dense/algorithm.hpp"

namespace jacobi::sweep {

/// By the number of the rung, of the instruction set in force (kernels.cpp).
template <class T>
struct DensePlainKernels {
  MatrixKernels<T, DenseWorkspace<T>> rungs[7];
};
template <class T>
DensePlainKernels<T> dense_plain_kernels();

}  // namespace jacobi::sweep
