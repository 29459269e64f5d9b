/// What a batch of 1D problems is swept in, and what sweeps it.
#pragma once
#include <span>
#include <vector>

#include "sweep/arrays.hpp"
#include "sweep/stencil/batch/block.hpp"
#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::sweep {

/// For each thread, room for one vector of every line, with a block of rows before it, and for g.
template <class T>
struct BatchScratch {
  Index size;  ///< entries of one thread
  AlignedArray<T> scratch;
  std::vector<Partial> partials;  ///< of each column

  static constexpr Index size_of(Index rows) {
    return (batch_block(true).rows + 2 * rows + 1) * (alignment / static_cast<Index>(sizeof(T)));
  }
  BatchScratch(Index width, Index rows, int threads)
      : size(size_of(rows)),
        scratch(swept_array<T>(size * threads, threads, false)),
        partials(static_cast<std::size_t>(width)) {}
};

/// Makes the steps, plain or weighted, at least one; returns the update of the last one.
template <class T>
struct BatchKernels {
  Norms (*advance)(Workspace<T, 2>& w, BatchScratch<T>& own, std::span<const Step> steps) = nullptr;
};

/// Of the instruction set in force (kernels.cpp).
template <class T>
BatchKernels<T> batch_kernels();

}  // namespace jacobi::sweep
