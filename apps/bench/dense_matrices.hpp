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

/// Throws: UsageError where memory lacks for n x n entries of `size` bytes.
void require_entries(Index n, std::size_t size);

/// Values without a pattern in (-1, 1), or in (-1, 0) where `slow`: then the spectral radius is the largest
/// of the row sums of |M|, which are all `share`; else it is far below. Throws: UsageError where memory
/// lacks.
template <class T>
DenseMatrix<T> dominant_matrix(Index n, Layout layout, double share = 2.0 / 3, bool slow = false);

}  // namespace jacobi::cli
