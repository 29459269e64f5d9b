// Rungs 3, threads, and 4, compressed: rung 2 on pieces shared out by their entries, one team for all sweeps
// of a call, a barrier per sweep; every other sweep begins with the last pieces, which are still in cache.
// Rung 4 reads what the rows of a chunk share once (layout.hpp), and other columns as 16-bit distances from
// the least one of their chunk where they fit. Bytes per row with e entries: e (value + 4), length, b, s, u,
// out; compressed: e (value + 2); in runs of C rows e (value + 2 / C); of equal values e (value + 2) / C.
// Compared with rung 0: bitwise, for every number of threads; norms equal rung 2's to the bit.
#if defined(JACOBI_CSR_THREADS) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_THREADS
#undef JACOBI_CSR_THREADS
#else
#define JACOBI_CSR_THREADS
#endif

#include "sweep/back_and_forth.hpp"
#include "sweep/csr/2_simd.hpp"
#include "sweep/team.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// First of the pieces from `first` to `last` that member `number` sweeps: equal shares of their entries.
template <class T>
Index first_of(const SparseWorkspace<T>& w, Index first, Index last, int number, int team) {
  const Index before = w.work[first], all = w.work[last] - before;
  const auto at =
      std::lower_bound(w.work.begin() + first, w.work.begin() + last, before + all * number / team);
  return at - w.work.begin();
}

/// visit(piece) for the member's share, from the last one where `backward`.
template <class T, class Visit>
void share(const SparseWorkspace<T>& w, Index first, Index last, const Member& me, Visit&& visit,
           bool backward = false) {
  const Index end = me.number + 1 == me.team ? last : first_of(w, first, last, me.number + 1, me.team);
  const Index begin = first_of(w, first, last, me.number, me.team);
  constexpr Index at_once = 8;  // neighbours that are read in the order of memory all the same
  in_parts(begin, end, at_once, backward, [&](Index from, Index to) HWY_ATTR {
    for (Index s = from; s < to; ++s) visit(s);
  });
}

template <class T>
struct TeamRows {
  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        const T* const from = j % 2 == 0 ? w.u : w.v;
        T* const to = j % 2 == 0 ? w.v : w.u;
        share(
            w, 0, w.pieces, me,
            [&](Index s) HWY_ATTR { w.partials[s] = sweep_piece(w, s, from, to, Weights<T>(steps[j])); },
            is_backward(w.ran.sweeps + static_cast<Index>(j)));
        me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, w.chunks.squeezed ? "compressed" : "threads", steps.size(), team);
    return want == Want::update && !steps.empty() ? total(w) : norms(w, want);
  }
  static Norms norms(SparseWorkspace<T>& w, Want want) {
    if (want == Want::nothing) return {};
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      share(w, 0, w.pieces, me, [&](Index s) HWY_ATTR { w.partials[s] = measure_piece(w, s, want); });
    });
    return total(w);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
