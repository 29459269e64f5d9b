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

struct FusedLines {
  static constexpr bool fuses = true;
  template <class T, int D>
  static PieceSweep<T, D> of(const Workspace<T, D>& w, StepKind step, bool measured) {
    return measured ? select<FusedLoop>(w, step) : select<PlainLoop>(w, step);
  }
};

template <class T, int D>
using Fused = BetweenTwoArrays<FusedLines, T, D>;

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
