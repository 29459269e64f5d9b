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

#include "core/team.hpp"
#include "sweep/stencil/red_black/half-inl.hpp"
#include "sweep/stencil/red_black/red_black.hpp"
#include "sweep/stencil/skewing/bands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Residual or correction of both colours of a piece.
template <class T, int D, Kind K>
struct HalfMeasure {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, Want want) {
    using A = Vector<T>;
    const Index lanes = A::lanes();
    T* const colours[2] = {std::min(w.u, w.v), std::max(w.u, w.v)};
    const bool residual = want == Want::residual;
    const T diagonal = residual ? w.diagonal : T(1);
    LaneSums<T> sums;
    Partial rest;
    for (int colour = 0; colour < 2; ++colour) {
      const HalfLine<T, D> line(w, piece.position, piece.count, colours[1 - colour], colours[colour]);
      const auto measured = [&]<class B>(B, Index j) HWY_ATTR {
        const auto correction = B::sub(plain_value<K, B>(w, line, j), B::load(line.out + j));
        return B::mul(correction, K == Kind::variable && residual ? B::load(w.diagonals + line.at + j)
                                                                  : B::set(diagonal));
      };
      Index i = line.first;
      for (; i + lanes <= line.last; i += lanes) sums.add(measured(A(), i));
      rest += sum_up(line.last - i,
                     [&](Index j) HWY_ATTR { return static_cast<double>(measured(Scalar<T>(), i + j)); });
    }
    rest += sums.total();
    return rest;
  }
};

/// Of the points of one colour, by those of the other.
template <class T, int D>
BlockKernels<T, D> half_kernels(const Workspace<T, D>& w, StepKind step) {
  const bool one_g = w.has_one_g && w.kind == Kind::equal && step == StepKind::plain;
  return {one_g ? HalfLoop<T, D, Kind::equal, StepKind::plain, false, true>::run
                : select<PlainHalf, T, D>(w.kind, step),
          select<MeasuredHalf, T, D>(w.kind, step), nullptr};
}

template <class T, int D>
struct RedBlack {
  static void advance(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps) {
    Tiled<T, D>::run_all(w, own, steps, {}, half_kernels<T, D>);
  }
  static void advance_measured(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps,
                               std::span<Norms> updates) {
    Tiled<T, D>::run_measured(w, own, steps, updates, half_kernels<T, D>);
  }
  static Norms norms(Workspace<T, D>& w, Want want) {
    if (want == Want::nothing) return {};
    const auto measure = select<HalfMeasure, T, D>(w.kind);
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = measure(w, w.piece(s), want); });
    });
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
