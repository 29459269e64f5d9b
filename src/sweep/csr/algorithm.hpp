/// An algorithm that sweeps a sparse matrix, and what the registry hands it.
#pragma once
#include <limits>
#include <optional>

#include "jacobi/csr.hpp"
#include "sweep/csr/chunks/layout.hpp"
#include "sweep/csr/chunks/row_blocks.hpp"
#include "sweep/matrix/algorithm.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

/// A matrix to be swept, and its chunks once an algorithm has laid them out to see whether they suit it.
template <class T>
struct SparseCase {
  const Csr<T>& a;
  const Plan& plan;
  int threads;
  std::optional<Chunks<T>> chunks = {};
  RowBlocks blocks = {};
  const char* order = "";  ///< in which chunks take rows, in words

  bool names_no_rung() const { return plan.rung.empty(); }
};

template <class T>
using SparseAlgorithm = MatrixAlgorithm<T, SparseCase<T>>;
template <class T>
using SparseAlgorithms = MatrixAlgorithms<T, SparseCase<T>>;

/// Of algorithms that copy the matrix.
template <class T>
double bytes_of_copy(const SparseCase<T>& c) {
  return static_cast<double>(c.a.entries()) * (sizeof(T) + 4) +
         (5 + vectors_of(c.plan)) * static_cast<double>(c.a.rows()) * sizeof(T);
}

}  // namespace jacobi::sweep
