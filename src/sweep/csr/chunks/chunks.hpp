/// What sweeps rows in chunks.
#pragma once
#include <vector>

#include "sweep/csr/chunks/layout.hpp"

namespace jacobi::sweep {

/// Vectors hold the rows in the order of the chunks.
template <class T>
struct ChunksWorkspace : RowWorkspace<T> {
  Chunks<T> chunks;
  std::vector<Index> work;  ///< entries before each piece, pieces + 1
  Index block = 1;          ///< pieces that are swept together: all of them, or those of rung blocked
  Index skew = 1;           ///< blocks between a sweep and the next one
  Index depth = 1;          ///< sweeps per pass over the matrix
};

/// Of the instruction set in force (kernels.cpp).
template <class T>
using ChunksKernels = MatrixKernels<T, ChunksWorkspace<T>>;
template <class T>
ChunksKernels<T> chunks_kernels();

}  // namespace jacobi::sweep
