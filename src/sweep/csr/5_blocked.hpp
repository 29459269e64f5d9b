// Rung 5, blocked: several sweeps per pass over the matrix. Blocks of rows stream through the cache; sweep s
// follows sweep s - 1 at a distance of `skew` blocks, more than any entry reaches, so that the sweeps of one
// front are independent of each other and the team meets once per front.
// Bytes per row and sweep with e entries: (e (value + column) + length, b, s, u, v) / depth, where depth *
// skew blocks stay in cache. Compared with rung 0: bitwise, for every depth, block and number of threads;
// norms equal rung 2's. Source: Alappat et al., "Level-based blocking for sparse matrices: sparse
// matrix-power-vector multiplication", IEEE TPDS 34 (2023), with blocks of rows for levels.
#if defined(JACOBI_CSR_BLOCKED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_BLOCKED
#undef JACOBI_CSR_BLOCKED
#else
#define JACOBI_CSR_BLOCKED
#endif

#include "sweep/csr/3_threads.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct BlockedRows {
  /// One member's part of one pass: steps[s] on block f - s skew for every front f.
  static void pass(SparseWorkspace<T>& w, std::span<const Step> steps, T* u, T* v, const Member& me) {
    const Index blocks = (w.pieces + w.block - 1) / w.block, depth = static_cast<Index>(steps.size());
    for (Index f = 0; f < blocks + (depth - 1) * w.skew; ++f) {
      for (Index s = 0; s < depth; ++s) {
        const Index block = f - s * w.skew;
        if (block < 0) break;
        if (block >= blocks) continue;
        const Weights<T> step(steps[static_cast<std::size_t>(s)]);
        const T* const from = s % 2 == 0 ? u : v;
        T* const to = s % 2 == 0 ? v : u;
        share(w, block * w.block, std::min(w.pieces, (block + 1) * w.block), me,
              [&](Index piece) HWY_ATTR { w.partials[piece] = sweep_piece(w, piece, from, to, step); });
      }
      me.wait();
    }
  }
  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      T *u = w.u, *v = w.v;
      for (std::size_t first = 0; first < steps.size(); first += static_cast<std::size_t>(w.depth)) {
        const auto these =
            steps.subspan(first, std::min(steps.size() - first, static_cast<std::size_t>(w.depth)));
        pass(w, these, u, v, me);
        if (these.size() % 2 == 1) std::swap(u, v);
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, "blocked", steps.size(), team);
    return want == Want::update && !steps.empty() ? total(w) : norms(w, want);
  }
  static Norms norms(SparseWorkspace<T>& w, Want want) { return TeamRows<T>::norms(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
