/// Norms by a pass of their own: update, residual, correction; used where a rung does not fuse them.
#if defined(JACOBI_MEASURE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MEASURE_INL
#undef JACOBI_MEASURE_INL
#else
#define JACOBI_MEASURE_INL
#endif

#include "core/team.hpp"
#include "sweep/stencil/order/select-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Correction, or residual: D times the correction.
template <class T, int D, Kind K>
struct MeasureLoop {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
    const bool residual = want == Want::residual;
    const T diagonal = residual ? w.diagonal : T(1);
    return sum_up(piece.count, [&](Index i) HWY_ATTR {
      const Index p = piece.first + i;
      const T correction = plain_value<K, Scalar<T>>(w, w.u, p) - w.u[p];
      return static_cast<double>(correction * (K == Kind::variable && residual ? w.diagonals[p] : diagonal));
    });
  }
};

template <class T, int D>
HWY_NOINLINE Partial measure_update(const Workspace<T, D>& w, const Piece<D>& piece) {
  const T *u = w.u + piece.first, *v = w.v + piece.first;
  return sum_up(piece.count, [&](Index i) HWY_ATTR { return static_cast<double>(u[i] - v[i]); });
}

template <class T, int D>
Partial measure_piece(const Workspace<T, D>& w, Index s, Want want) {
  if (want == Want::update) return measure_update(w, w.piece(s));
  return select<MeasureLoop, T, D>(w.kind)(w, w.piece(s), want);
}

template <class T, int D>
Norms measure_serially(Workspace<T, D>& w, Want want) {
  if (want == Want::nothing) return {};
  for (Index s = 0; s < w.pieces; ++s) w.partials[s] = measure_piece(w, s, want);
  return w.total();
}

/// The same by all threads: the same bits.
template <class T, int D>
Norms measure_by_team(Workspace<T, D>& w, Want want) {
  if (want == Want::nothing) return {};
  run_team(w.threads, [&](const Member& me) HWY_ATTR {
    me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = measure_piece(w, s, want); });
  });
  return w.total();
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
