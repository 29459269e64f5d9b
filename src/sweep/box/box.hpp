/// The rungs of box stencils.
#pragma once
#include "sweep/box/workspace.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

/// textbook and threads, of the instruction set in force (kernels.cpp). product: y = b - A x, or A x - b, of
/// a run of unknowns in the padded arrays, b at its first one.
template <class T>
struct BoxKernels {
  MatrixKernels<T, BoxWorkspace<T>> rungs[2];
};
template <class T>
BoxKernels<T> box_kernels();

}  // namespace jacobi::sweep
