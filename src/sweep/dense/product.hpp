/// Products with a bound dense matrix.
#pragma once
#include "sweep/dense/workspace.hpp"

namespace jacobi::sweep {

template <class T>
struct DenseProducts {
  /// y = b - A x of rows first ... last - 1, as rung fused sums them, or A x - b where `negative`.
  void (*rows)(const DenseWorkspace<T>& w, Index first, Index last, const T* b, const T* x, T* y,
               bool negative);
  const char* simd;
};

/// For the instruction set in force.
template <class T>
DenseProducts<T> dense_products();

}  // namespace jacobi::sweep
