/// What sweeps by products that a caller makes.
#pragma once
#include "jacobi/matrix_free.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

inline constexpr Index free_piece = 512;  ///< unknowns that are summed up together

template <class T>
struct FreeWorkspace : RowWorkspace<T> {
  const MatrixFree<T>* a = nullptr;

  /// r = A x, which may throw: x stays.
  void multiply(const T* x) const {
    const auto n = static_cast<std::size_t>(this->rows);
    a->apply({x, n}, {this->r, n});
  }
};

/// Of the instruction set in force (kernels.cpp).
template <class T>
struct FreeKernels {
  MatrixKernels<T, FreeWorkspace<T>> rung;
};
template <class T>
FreeKernels<T> free_kernels();

}  // namespace jacobi::sweep
