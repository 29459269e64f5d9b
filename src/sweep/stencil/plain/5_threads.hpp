// Rung 5, threads: rung 4 on blocks of lines, one team for all sweeps of a call, a barrier per sweep.
// Words per update: u, g, out: 3, measured or not.
// Compared with rung 0: bitwise, for every number of threads; norms equal rung 4's to the bit.
#if defined(JACOBI_THREADS) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_THREADS
#undef JACOBI_THREADS
#else
#define JACOBI_THREADS
#endif

#include "core/team.hpp"
#include "sweep/stencil/plain/4_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, int D>
struct Threads {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        const bool measured = want == Want::update && j + 1 == steps.size();
        const auto sweep = VectorLines::of(w, kind_of(steps[j]), measured);
        const T* from = j % 2 == 0 ? w.u : w.v;
        T* to = j % 2 == 0 ? w.v : w.u;
        me.share(w.pieces, [&](Index s) { w.partials[s] = sweep(w, w.piece(s), from, to, steps[j]); });
        me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, steps.size(), team);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) { return measure_by_team(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
