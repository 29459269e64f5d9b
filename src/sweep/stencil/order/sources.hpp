/// What an update reads, on host and device.
#pragma once
#include <array>

#include "jacobi/types.hpp"
#include "sweep/step_kind.hpp"

namespace jacobi::sweep {

/// equal: one coefficient for all neighbours; lines: in 2D, one along y and none along x, a batch of 1D
/// problems; constant: one per direction; variable: one array per direction.
enum class Kind { equal, lines, constant, variable };

/// What one update reads beside the iterate. A sweep works on its own copy, whose pointers no store can
/// change.
template <class T, int D>
struct Sources {
  std::array<Index, D> stride;
  const T* g;                            ///< b / diagonal, Neumann sources included
  T one_g;                               ///< where it is everywhere the same
  std::array<T, 2 * D> c;                ///< -off / diagonal where constant
  std::array<const T*, 2 * D> c_arrays;  ///< where variable
  const T* diagonals;                    ///< where variable
};

}  // namespace jacobi::sweep
