/// What sweeps one colour of a chequerboard at a time.
#pragma once
#include <span>

#include "sweep/stencil/layout/workspace.hpp"
#include "sweep/stencil/skewing/tile.hpp"

namespace jacobi::sweep {

template <class T, int D>
struct RedBlackKernels {
  void (*advance)(Workspace<T, D>& w, Tiles<D>& tiles, std::span<const Step> steps) = nullptr;
  /// Norms of the update after every step, of one colour.
  void (*advance_measured)(Workspace<T, D>& w, Tiles<D>& tiles, std::span<const Step> steps,
                           std::span<Norms> updates) = nullptr;
  /// Of both colours: residual or correction.
  Norms (*norms)(Workspace<T, D>& w, Want want) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, int D>
RedBlackKernels<T, D> red_black_kernels();

}  // namespace jacobi::sweep
