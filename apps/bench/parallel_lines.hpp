/// What sweeps by parallel algorithms: threads that share the lines of a grid, and the kernels for a line.
#pragma once
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <execution>
#include <numeric>
#include <vector>

#include "sweep/stencil/layout/workspace.hpp"

namespace jacobi::cli {

/// Kernels of one instruction set.
template <class T, int D>
struct LineKernels {
  using Sweep = sweep::Partial (*)(const sweep::Workspace<T, D>&, const sweep::Piece<D>&, const T* u, T* out,
                                   Step);
  Sweep (*sweep_for)(sweep::Kind, sweep::StepKind) = nullptr;
  sweep::Partial (*measure)(const sweep::Workspace<T, D>&, Index piece, Want) = nullptr;
  const char* simd = nullptr;
};

/// The arena that bounds the threads, and the numbers of pieces to iterate over: std::views::iota would run
/// serially, since its iterators are not random-access ones in the sense of the parallel algorithms.
class Arena {
 public:
  /// Of more threads than it has cores for, the library would write a warning to stderr, and start none.
  Arena(int threads, Index pieces)
      : arena_(std::min(threads, tbb::info::default_concurrency())),
        numbers_(static_cast<std::size_t>(pieces)) {
    std::iota(numbers_.begin(), numbers_.end(), Index(0));
  }
  /// Runs what calls for_each_piece().
  template <class Body>
  void enter(const Body& body) {
    arena_.execute(body);
  }
  template <class Body>
  void for_each_piece(const Body& body) {
    std::for_each(std::execution::par_unseq, numbers_.begin(), numbers_.end(), [&](Index s) {
      body(s);
      const int mine = tbb::this_task_arena::current_thread_index() + 1;
      if (mine > seen_.load(std::memory_order_relaxed)) seen_.store(mine, std::memory_order_relaxed);
    });
  }
  int threads_seen() const { return seen_; }

 private:
  tbb::task_arena arena_;
  std::vector<Index> numbers_;
  std::atomic<int> seen_ = 1;  ///< highest number of threads that took a piece
};

}  // namespace jacobi::cli
