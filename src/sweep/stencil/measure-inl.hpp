/// Norms by a pass of their own: update, residual, correction; used where a rung does not fuse them.
#if defined(JACOBI_MEASURE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MEASURE_INL
#undef JACOBI_MEASURE_INL
#else
#define JACOBI_MEASURE_INL
#endif

#include "sweep/stencil/point-inl.hpp"
#include "sweep/team.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <Kind K, class T, int D>
Partial measure_piece(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
  const T *u = w.u + piece.first, *v = w.v + piece.first;
  if (want == Want::update)
    return sum_up(piece.count, [&](Index i) HWY_ATTR { return static_cast<double>(u[i] - v[i]); });
  const auto correction = [&](Index i)
                              HWY_ATTR { return plain_value<K, Scalar<T>>(w, w.u, piece.first + i) - u[i]; };
  if (want == Want::correction)
    return sum_up(piece.count, [&](Index i) HWY_ATTR { return static_cast<double>(correction(i)); });
  return sum_up(piece.count, [&](Index i) HWY_ATTR {
    const T diagonal = K == Kind::variable ? w.diagonals[piece.first + i] : w.diagonal;
    return static_cast<double>(diagonal * correction(i));
  });
}

template <class T, int D>
Partial measure_piece(const Workspace<T, D>& w, Index s, Want want) {
  switch (w.kind) {
    case Kind::equal:
      return measure_piece<Kind::equal>(w, w.piece(s), want);
    case Kind::lines:
      return measure_piece < D == 2 ? Kind::lines : Kind::equal > (w, w.piece(s), want);
    case Kind::constant:
      return measure_piece<Kind::constant>(w, w.piece(s), want);
    case Kind::variable:
      return measure_piece<Kind::variable>(w, w.piece(s), want);
  }
  return {};
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
