/// What sweeps line after line: rungs 0, 1, 2, 4 and 5.
#pragma once
#include <span>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// Runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T, int D>
struct PlainKernels {
  Norms (*advance)(Workspace<T, D>& w, std::span<const Step> steps, Want want) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, Want want) = nullptr;
};

}  // namespace jacobi::sweep
