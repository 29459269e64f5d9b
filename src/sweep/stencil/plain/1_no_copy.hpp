// Rung 1, no-copy: the two arrays change roles instead of being copied; the norm is taken when asked for.
// Words per update: u, g, out: 3 (24 bytes in double); a measured sweep reads 2 more.
// Compared with rung 0: bitwise; norms within rounding (eight sums instead of one).
#if defined(JACOBI_NO_COPY) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_NO_COPY
#undef JACOBI_NO_COPY
#else
#define JACOBI_NO_COPY
#endif

#include "sweep/stencil/plain/0_textbook.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, int D>
struct NoCopy {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    for (const Step& step : steps) {
      const auto sweep = select<PlainLoop, T, D>(w.kind, kind_of(step));
      for (Index s = 0; s < w.pieces; ++s) sweep(w, w.piece(s), w.u, w.v, step);
      std::swap(w.u, w.v);
    }
    record(w, steps.size(), 1);
    return measure_serially(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) { return measure_serially(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
