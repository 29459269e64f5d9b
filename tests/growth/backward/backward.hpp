/// What sweeps lines from the last to the first.
#pragma once
#include <span>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

template <class T, int D>
struct BackwardKernels {
  Norms (*advance)(Workspace<T, D>& w, std::span<const Step> steps, Want want) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, Want want) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
BackwardKernels<T, D> backward_kernels();

}  // namespace jacobi::sweep
