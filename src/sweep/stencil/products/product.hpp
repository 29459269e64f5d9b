/// Products with a bound stencil.
#pragma once
#include <array>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// y = sign d (plain value - x) on a piece, by the expressions of the sweeps: b - A x for sign = 1 and g = b
/// / d; A x for sign = -1 and g = 0. g, x, y: as the workspace's arrays.
template <class T, int D>
using GridProduct = void (*)(const Workspace<T, D>& w, const Piece<D>& piece, const T* g, const T* x, T* y,
                             T sign);

template <class T, int D>
struct GridProducts {
  std::array<GridProduct<T, D>, 4> of;  ///< by Kind
  const char* simd;
};

/// For the instruction set in force.
template <class T, int D>
GridProducts<T, D> grid_products();

}  // namespace jacobi::sweep
