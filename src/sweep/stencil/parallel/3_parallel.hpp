// Rung 3, parallel: C++ parallel algorithms over lines, the language's counterpart of `do concurrent`.
// Words per update: u, g, out: 3; a measured sweep reads 2 more.
// Compared with rung 0: bitwise, for every number of threads; norms as rung 1.
#if defined(JACOBI_PARALLEL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_PARALLEL
#undef JACOBI_PARALLEL
#else
#define JACOBI_PARALLEL
#endif

#include <tbb/task_arena.h>

#include <atomic>
#include <execution>
#include <numeric>
#include <vector>

#include "sweep/stencil/parallel/parallel.hpp"
#include "sweep/stencil/plain/2_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The arena that bounds the threads, and the piece numbers to iterate over: std::views::iota would run
/// serially, since its iterators are not random-access ones in the sense of the parallel algorithms.
struct Arena {
  Arena(int threads, Index pieces) : arena(threads), numbers(static_cast<std::size_t>(pieces)) {
    std::iota(numbers.begin(), numbers.end(), Index(0));
  }
  template <class Body>
  void for_each_piece(const Body& body) {
    std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), body);
  }
  tbb::task_arena arena;
  std::vector<Index> numbers;
  std::atomic<int> seen = 1;  ///< highest number of threads that took a piece
};

template <class T, int D>
struct Parallel {
  static Arena& arena(const Workspace<T, D>& w, std::shared_ptr<void>& own) {
    if (!own) own = std::make_shared<Arena>(w.threads, w.pieces);
    return *static_cast<Arena*>(own.get());
  }
  static void sweep_all(Workspace<T, D>& w, Arena& arena, const Step& step) {
    const auto sweep = select<PlainLoop, T, D>(w.kind, kind_of(step));
    arena.for_each_piece([&](Index s) HWY_ATTR {
      sweep(w, w.piece(s), w.u, w.v, step);
      const int mine = tbb::this_task_arena::current_thread_index() + 1;
      if (mine > arena.seen.load(std::memory_order_relaxed))
        arena.seen.store(mine, std::memory_order_relaxed);
    });
    std::swap(w.u, w.v);
  }
  static Norms advance(Workspace<T, D>& w, std::shared_ptr<void>& own, std::span<const Step> steps,
                       Want want) {
    Arena& team = arena(w, own);
    team.arena.execute([&] {
      for (const Step& step : steps) sweep_all(w, team, step);
    });
    record(w, "parallel", "parallel", steps.size(), team.seen);
    return norms(w, own, want);
  }
  static Norms norms(Workspace<T, D>& w, std::shared_ptr<void>& own, Want want) {
    if (want == Want::nothing) return {};
    Arena& team = arena(w, own);
    team.arena.execute(
        [&] { team.for_each_piece([&](Index s) HWY_ATTR { w.partials[s] = measure_piece(w, s, want); }); });
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
