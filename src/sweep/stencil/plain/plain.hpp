/// What sweeps line after line: rungs 0, 1, 2, 4 and 5.
#pragma once
#include <array>
#include <span>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// Runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T, int D>
struct OfRung {
  Norms (*advance)(Workspace<T, D>& w, std::span<const Step> steps, Want want) = nullptr;
  Norms (*norms)(Workspace<T, D>& w, Want want) = nullptr;
};

/// By the number of the rung; none where a rung is none of these.
template <class T, int D>
struct PlainKernels {
  std::array<OfRung<T, D>, 6> rungs = {};
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
PlainKernels<T, D> plain_kernels();

}  // namespace jacobi::sweep
