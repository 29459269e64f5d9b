/// What a rung sees of a bound sparse matrix.
#pragma once
#include <span>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/method.hpp"
#include "sweep/csr/layout.hpp"
#include "sweep/csr/slices.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

/// Vectors hold the rows in the order of the chunks (in the matrix's own for rungs without chunks), filled up
/// to whole pieces with zeros.
template <class T>
struct SparseWorkspace {
  const Csr<T>* matrix;  ///< of the rungs that read it as it is
  Chunks<T> chunks;      ///< of those with vectors
  Slices<T> slices;      ///< of the sliced rung
  Index rows = 0;
  Index pieces = 0;
  const T* b = nullptr;
  const T* scale = nullptr;  ///< 1 / divisor of each row
  T* r = nullptr;            ///< residuals, of the sliced rung
  T* u = nullptr;            ///< x_n
  T* v = nullptr;            ///< x_(n-1), then x_(n+1)

  Partial* partials = nullptr;  ///< one per piece
  std::vector<Index> work;      ///< entries before each piece, pieces + 1
  int threads = 1;
  Index block = 1;  ///< of the blocked rung: pieces that are swept together
  Index skew = 1;   ///< blocks between a sweep and the next one
  Index depth = 1;  ///< sweeps per pass over the matrix
  Executed ran;     ///< written by the rung that ran
};

/// A rung: runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T>
struct SparseRung {
  Norms (*advance)(SparseWorkspace<T>& w, std::span<const Step> steps, Want want);
  Norms (*norms)(SparseWorkspace<T>& w, Want want);
};

/// The functions of rung `number` for the instruction set in force.
template <class T>
SparseRung<T> sparse_rung_functions(int number);

}  // namespace jacobi::sweep
