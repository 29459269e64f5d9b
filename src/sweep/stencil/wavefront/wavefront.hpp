/// A 3D grid in one array: each level lies a line and a plane lower in memory than the one before.
#pragma once
#include <cstring>
#include <span>

#include "jacobi/method.hpp"
#include "sweep/boxed.hpp"
#include "sweep/stencil/layout/workspace.hpp"
#include "sweep/stencil/skewing/tile.hpp"

namespace jacobi::sweep {

/// How far down the levels reach.
struct InPlace {
  Index levels;       ///< that there is room for, an even number
  Index lowered = 0;  ///< levels that v lies lower than its array begins
  Unneeded unneeded = {};
};

template <class T>
struct WavefrontKernels {
  bool is_able = false;  ///< the instruction set makes two sweeps at once
  /// An even number of steps of one kind, plain or weighted: the last one leaves the iterate before it where
  /// that was made.
  void (*advance)(Workspace<T, 3>& w, InPlace& own, const Tile<3>& tile,
                  std::span<const Step> steps) = nullptr;
};

/// How much lower in memory each level lies than the one before.
template <class T>
Index drop(const Workspace<T, 3>& w) {
  return w.stride[1] + w.stride[2];
}

/// Of lines with ghosts: those that are ghosts altogether.
template <class T>
bool is_ghost(const Workspace<T, 3>& w, Index y, Index z) {
  return y < 0 || z < 0 || y == w.n[1] || z == w.n[2];
}

/// Both ghosts of a line; and all of it.
template <class T>
void copy_ends(const Workspace<T, 3>& w, const T* from, T* to) {
  to[-1] = from[-1];
  to[w.n[0]] = from[w.n[0]];
}
template <class T>
void copy_line(const Workspace<T, 3>& w, const T* from, T* to) {
  std::memmove(to - 1, from - 1, static_cast<std::size_t>(w.n[0] + 2) * sizeof(T));
}

/// Of the instruction set in force (kernels.cpp).
template <class T>
WavefrontKernels<T> wavefront_kernels();

}  // namespace jacobi::sweep
