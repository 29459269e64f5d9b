// Beside the ladder, red-black: the blocks of rung 6 on a chequerboard, where level t overwrites level t - 2
// of its colour: the two colours take the part of its two arrays. Words per update: 6 / k and the overlap of
// tiles; a sweep updates half of the unknowns.
// Compared with rung 0: plain steps bitwise, colour by colour; norms within rounding, of what it returns.
#if defined(JACOBI_RED_BLACK) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_RED_BLACK
#undef JACOBI_RED_BLACK
#else
#define JACOBI_RED_BLACK
#endif

#include "sweep/stencil/6_tiled.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Residual or correction of entry i of a line, or of a vector of them.
template <Kind K, class A, class T, int D>
HWY_INLINE typename A::V measured(const Workspace<T, D>& w, const HalfLine<T, D>& line, Index i, Want want) {
  const auto correction = A::sub(plain_value<K, A>(w, line, i), A::load(line.out + i));
  if (want == Want::correction) return correction;
  return A::mul(K == Kind::variable ? A::load(w.diagonals + line.at + i) : A::set(w.diagonal), correction);
}

/// Of both colours of a piece.
template <Kind K, class T, int D>
Partial measure_half(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
  using A = Vector<T>;
  const Index lanes = static_cast<Index>(hn::Lanes(typename A::Tag()));
  T* const colours[2] = {std::min(w.u, w.v), std::max(w.u, w.v)};
  LaneSums<T> sums;
  Partial rest;
  for (int colour = 0; colour < 2; ++colour) {
    const HalfLine<T, D> line(w, piece.position, piece.count, colours[1 - colour], colours[colour]);
    Index i = line.first;
    for (; i + lanes <= line.last; i += lanes) sums.add(measured<K, A>(w, line, i, want));
    rest += sum_up(line.last - i, [&](Index j) HWY_ATTR {
      return static_cast<double>(measured<K, Scalar<T>>(w, line, i + j, want));
    });
  }
  rest += sums.total();
  return rest;
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
