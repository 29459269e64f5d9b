// Beside the ladder, red-black: the blocks of rung 6 on a chequerboard, where level t overwrites level t - 2
// of its colour anyway: the two colours take the part of its two arrays. Words per update: 3 / k and the
// overlap of tiles; a sweep updates half of the unknowns. Compared with rung 0: plain steps bitwise, colour
// by colour; norms of the update are those of half a sweep.
#if defined(JACOBI_RED_BLACK) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_RED_BLACK
#undef JACOBI_RED_BLACK
#else
#define JACOBI_RED_BLACK
#endif

#include "sweep/stencil/6_tiled.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Residual or correction of both colours, x by x.
template <Kind K, class T, int D>
Partial measure_half(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
  const T* const red = std::min(w.u, w.v);
  const T* const black = red + w.half;
  const auto own = [&](bool is_black) {
    T* const to = const_cast<T*>(is_black ? black : red);
    return HalfLine<T, D>(w, piece.position, piece.count, is_black ? red : black, to);
  };
  const HalfLine<T, D> lines[2] = {own(false), own(true)};
  const HalfLine<T, D>& even = lines[lines[0].shift];  // whose shift is 0
  const HalfLine<T, D>& odd = lines[1 - lines[0].shift];
  return sum_up(piece.count, [&](Index i) HWY_ATTR {
    const Index x = piece.position[0] + i;
    const HalfLine<T, D>& line = x % 2 == 0 ? even : odd;
    const T correction = plain_value<K, Scalar<T>>(w, line, x >> 1) - line.out[x >> 1];
    if (want == Want::correction) return static_cast<double>(correction);
    return static_cast<double>((K == Kind::variable ? w.diagonals[line.at + (x >> 1)] : w.diagonal) *
                               correction);
  });
}

template <class T, int D, Kind K, StepKind S>
struct HalfMeasure {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
    return measure_half<K>(w, piece, want);
  }
};

template <class T, int D>
struct RedBlack {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    Tiled<T, D>::run_all(w, steps, {});
    return norms(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) {
    if (want == Want::nothing) return {};
    const auto measure = select<HalfMeasure, T, D>(w.kind, StepKind::plain);
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = measure(w, w.piece(s), want); });
    });
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
