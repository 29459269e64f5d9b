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

}  // namespace jacobi::sweep
