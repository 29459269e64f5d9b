// The only rung of a matrix-free operator: the caller's product, whole, then a pass over the vectors.
// One row's update, p = (A x)_i as the caller's function gives it:
//   c = (b_i - p) s; plain: x_i + c; weighted: fma(omega, c, x_i); three-term: fma(rho, weighted - out_i,
//   out_i); s = 1 / divisor, rounded once.
// Beside the product 5 words per row, 6 of a three-term step. The same bits for every number of threads.
#if defined(JACOBI_MATRIX_FREE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MATRIX_FREE_INL
#undef JACOBI_MATRIX_FREE_INL
#else
#define JACOBI_MATRIX_FREE_INL
#endif

#include "core/team.hpp"
#include "sweep/matrix_free/sweeps.hpp"
#include "sweep/targets.hpp"
#include "sweep/update-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct FreeSweeps {
  using Value = T;
  using W = FreeWorkspace<T>;

  /// visit(i) -> what is summed up of row i, for all rows; returns the number of threads.
  template <class Visit>
  static int each_row(W& w, Visit&& visit) {
    return run_team(static_cast<int>(std::min<Index>(w.threads, w.pieces)), [&](const Member& me) HWY_ATTR {
      me.share(w.pieces, [&](Index s) HWY_ATTR {
        const Run rows = w.piece(s, free_piece);
        w.partials[s] = sum_up(rows.count, [&](Index k) HWY_ATTR { return visit(rows.first + k); });
      });
    });
  }

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    int team = 1;
    for (const Step& given : steps) {
      const Weights<T> step(given);
      w.multiply(w.u);
      const T* const u = w.u;
      T* const out = w.v;
      team = each_row(w, [&](Index i) HWY_ATTR {
        const T value =
            updated<Scalar<T>>(step, (w.b[i] - w.r[i]) * w.scale[i], u[i], [&] { return out[i]; });
        out[i] = value;
        return static_cast<double>(value - u[i]);
      });
      std::swap(w.u, w.v);
      w.record(1, team);
    }
    if (steps.empty()) w.record(0, team);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    if (want == Want::update) {
      each_row(w, [&](Index i) HWY_ATTR { return static_cast<double>(w.u[i] - w.v[i]); });
      return w.total();
    }
    w.multiply(w.u);
    const bool scaled = want == Want::correction;
    each_row(w, [&](Index i) HWY_ATTR {
      const T r = w.b[i] - w.r[i];
      return static_cast<double>(scaled ? r * w.scale[i] : r);
    });
    return w.total();
  }
};

namespace {

TypeTables<FreeKernels> free_here() {
  const char* const simd = target_name(HWY_TARGET);
  return {FreeKernels<double>{kernels_of<FreeSweeps<double>>(simd)},
          FreeKernels<float>{kernels_of<FreeSweeps<float>>(simd)}};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
