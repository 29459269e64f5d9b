/// What sweeps over lines in strips.
#pragma once
#include "sweep/stencil/layout/workspace.hpp"
#include "sweep/stencil/strips/layout.hpp"

namespace jacobi::sweep {

template <class T>
struct StripsKernels {
  RegisterTile tile = {};  ///< of no lanes where the instruction set cannot
  /// Plain steps, at least 2, and the update of the last one, if measured, into w.partials; the workspace's
  /// u and v stay behind.
  void (*advance)(Workspace<T, 2>& w, StripsGrid<T>& grid, Index steps, bool measured) = nullptr;
  /// Of the last step, where the strips are current.
  Norms (*update)(Workspace<T, 2>& w, const StripsGrid<T>& grid) = nullptr;
  /// Lines first ... last - 1 of the workspace's u or, if previous, v become those of current strips.
  void (*take_lines)(const Workspace<T, 2>& w, const StripsGrid<T>& grid, bool previous, Index first,
                     Index last) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T>
StripsKernels<T> strips_kernels();

}  // namespace jacobi::sweep
