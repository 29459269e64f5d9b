/// Dense matrices for benches.
#pragma once
#include "core/aligned.hpp"
#include "jacobi/dense.hpp"

namespace jacobi::cli {

/// A dense matrix with its memory, on huge pages where the system grants them.
template <class T>
struct DenseMatrix {
  AlignedArray<T> values;
  Dense<T> a;
};

/// Values in (-1, 1) without a pattern, diagonal entries that exceed the others of their row by half.
/// Throws: UsageError where memory lacks.
template <class T>
DenseMatrix<T> dominant_matrix(Index n, Layout layout);

}  // namespace jacobi::cli
