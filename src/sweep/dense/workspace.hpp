/// What a rung sees of a bound dense matrix.
#pragma once
#include <span>

#include "jacobi/method.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

inline constexpr Index dense_piece = 64;  ///< rows whose update and norms are taken together

/// The matrix is read where it is. Vectors are filled up to whole pieces with zeros.
template <class T>
struct DenseWorkspace {
  const T* a = nullptr;
  Index rows = 0, leading = 0;
  bool by_rows = true;
  bool in_l2 = false;  ///< each thread's part of the matrix stays in its L2
  Index pieces = 0;
  const T* b = nullptr;
  const T* scale = nullptr;  ///< 1 / divisor of each row
  T* r = nullptr;            ///< b - A x of the rows at hand
  T* u = nullptr;            ///< x_n
  T* v = nullptr;            ///< x_(n-1), then x_(n+1)

  Partial* partials = nullptr;  ///< one per piece
  int threads = 1;
  Executed ran;  ///< written by the rung that ran
};

/// A rung: runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T>
struct DenseRung {
  Norms (*advance)(DenseWorkspace<T>& w, std::span<const Step> steps, Want want);
  Norms (*norms)(DenseWorkspace<T>& w, Want want);
};

/// The functions of rung `number` for the instruction set in force.
template <class T>
DenseRung<T> dense_rung_functions(int number);

}  // namespace jacobi::sweep
