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

/// Rungs of one thread that go from one array to the other, line after line. LineSweeps::of: the loop over a
/// piece, which measures the update in passing where LineSweeps::fuses.
template <class LineSweeps, class T, int D>
struct BetweenTwoArrays {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    bool measured = false;
    for (std::size_t j = 0; j < steps.size(); ++j) {
      measured = LineSweeps::fuses && want == Want::update && j + 1 == steps.size();
      const PieceSweep<T, D> sweep = LineSweeps::of(w, kind_of(steps[j]), measured);
      for (Index s = 0; s < w.pieces; ++s) w.partials[s] = sweep(w, w.piece(s), w.u, w.v, steps[j]);
      std::swap(w.u, w.v);
    }
    record(w, steps.size(), 1);
    return measured ? w.total() : measure_serially(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) { return measure_serially(w, want); }
};

struct PlainLines {
  static constexpr bool fuses = false;
  template <class T, int D>
  static PieceSweep<T, D> of(const Workspace<T, D>& w, StepKind step, bool) {
    return select<PlainLoop>(w, step);
  }
};

template <class T, int D>
using NoCopy = BetweenTwoArrays<PlainLines, T, D>;

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
