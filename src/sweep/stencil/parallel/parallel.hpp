/// What sweeps by the C++ parallel algorithms.
#pragma once
#include <memory>
#include <span>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// own: the arena of its threads, made at the first call.
template <class T, int D>
struct ParallelKernels {
  Norms (*advance)(Workspace<T, D>& w, std::shared_ptr<void>& own, std::span<const Step> steps,
                   Want want) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, std::shared_ptr<void>& own, Want want) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
ParallelKernels<T, D> parallel_kernels();

}  // namespace jacobi::sweep
