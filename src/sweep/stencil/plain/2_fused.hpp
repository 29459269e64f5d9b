// Rung 2, fused: the update norm is summed while the sweep has both values in registers.
// Words per update: u, g, out: 3, measured or not.
// Compared with rung 0: bitwise; norms within rounding (eight sums instead of one).
#if defined(JACOBI_FUSED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_FUSED
#undef JACOBI_FUSED
#else
#define JACOBI_FUSED
#endif

#include "sweep/stencil/plain/1_no_copy.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, int D, Kind K, StepKind S>
struct FusedLoop {
  static Partial run(const Workspace<T, D>& shared, const Piece<D>& piece, const T* u, T* out, Step step) {
    const Sources<T, D> w = shared;
    const T* from = u + piece.first;
    T* HWY_RESTRICT to = out;
    const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
    const Partial sum = sum_up(piece.count, [&](Index i) HWY_ATTR {
      const T value = new_value<K, S, Scalar<T>>(w, u, to, piece.first + i, omega, rho);
      to[piece.first + i] = value;
      return static_cast<double>(value - from[i]);
    });
    shared.renew_ghosts(piece, out);
    return sum;
  }
};

template <class T, int D>
struct Fused {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    for (std::size_t j = 0; j < steps.size(); ++j) {
      const bool measured = want == Want::update && j + 1 == steps.size();
      const auto sweep = measured ? select<FusedLoop, T, D>(w.kind, kind_of(steps[j]))
                                  : select<PlainLoop, T, D>(w.kind, kind_of(steps[j]));
      for (Index s = 0; s < w.pieces; ++s) w.partials[s] = sweep(w, w.piece(s), w.u, w.v, steps[j]);
      std::swap(w.u, w.v);
    }
    record(w, steps.size(), 1);
    if (want == Want::update && !steps.empty()) return w.total();
    return measure_serially(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) { return measure_serially(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
