// Rung 5, threads: rung 4 on blocks of lines, one OpenMP team for all sweeps of a call, a barrier per sweep.
// Words per update: u, g, out: 3, measured or not.
// Compared with rung 0: bitwise, for every number of threads; norms equal rung 4's to the bit.
#if defined(JACOBI_THREADS) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_THREADS
#undef JACOBI_THREADS
#else
#define JACOBI_THREADS
#endif

#include <omp.h>

#include "sweep/barrier.hpp"
#include "sweep/stencil/4_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, int D>
struct Threads {
  /// Pieces [first, last) of thread t of n: contiguous, as they were touched first.
  static Index first_piece(const Workspace<T, D>& w, int t, int n) { return w.pieces * t / n; }

  static void sweep_block(Workspace<T, D>& w, std::span<const Step> steps, std::size_t j, Want want, int t,
                          int n) {
    const auto sweep = vector_sweep(w, steps, j, want);
    const T* from = j % 2 == 0 ? w.u : w.v;
    T* to = j % 2 == 0 ? w.v : w.u;
    for (Index s = first_piece(w, t, n); s < first_piece(w, t + 1, n); ++s)
      w.partials[s] = sweep(w, w.piece(s), from, to, steps[j]);
  }
  static void measure_block(Workspace<T, D>& w, Want want, int t, int n) {
    for (Index s = first_piece(w, t, n); s < first_piece(w, t + 1, n); ++s)
      w.partials[s] = measure_piece(w, s, want);
  }
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    int team = 1;
    Barrier barrier;
#pragma omp parallel num_threads(w.threads)
    {
      const int t = omp_get_thread_num(), n = omp_get_num_threads();
      for (std::size_t j = 0; j < steps.size(); ++j) {
        sweep_block(w, steps, j, want, t, n);
        barrier.wait(n);
      }
      if (t == 0) team = n;
    }
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, "threads", steps.size(), team);
    if (want == Want::update && !steps.empty()) return w.total();
    return norms(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) {
    if (want == Want::nothing) return {};
#pragma omp parallel num_threads(w.threads)
    measure_block(w, want, omp_get_thread_num(), omp_get_num_threads());
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
