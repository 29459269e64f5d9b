/// What is compiled once per instruction set: the functions of every algorithm, of its own signature.
#pragma once
#include <array>

#include "jacobi/simd.hpp"
#include "sweep/stencil/batch/batch.hpp"
#include "sweep/stencil/hierarchical/hierarchical.hpp"
#include "sweep/stencil/plain/plain.hpp"
#include "sweep/stencil/red_black/red_black.hpp"
#include "sweep/stencil/strips/strips.hpp"
#include "sweep/stencil/tiles/tiles.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"

namespace jacobi::sweep {

/// None where an algorithm is not compiled in, or is not for D dimensions.
template <class T, int D>
struct GridKernels {
  std::array<PlainKernels<T, D>, 6> plain;  ///< by the number of the rung
  TilesKernels<T, D> tiles;
  StripsKernels<T> strips;        ///< 2D
  BatchKernels<T> batch;          ///< 2D
  WavefrontKernels<T> wavefront;  ///< 3D
  HierarchicalKernels<T, D> hierarchical;
  RedBlackKernels<T, D> red_black;
};

/// Of the best instruction set that may be used (ladder-inl.hpp).
template <class T, int D>
GridKernels<T, D> dispatched_kernels();

/// Of the instruction set in force: JACOBI_SIMD takes effect before the first dispatch.
template <class T, int D>
GridKernels<T, D> grid_kernels() {
  simd::chosen();
  return dispatched_kernels<T, D>();
}

}  // namespace jacobi::sweep
