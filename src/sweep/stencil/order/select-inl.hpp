/// How rungs pick the instance of a sweep, and note what ran.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_POINT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_POINT_INL
#undef JACOBI_POINT_INL
#else
#define JACOBI_POINT_INL
#endif

#include "sweep/stencil/layout/workspace.hpp"
#include "sweep/stencil/order/order-inl.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
/// How a piece is swept; returns its partial norms where the sweep measures them.
template <class T, int D>
using PieceSweep = Partial (*)(const Workspace<T, D>& w, const Piece<D>& piece, const T* u, T* out,
                               Step step);

/// Picks the instance of a sweep for the operator and the step; Sweep<T, D, Kind, StepKind>::run.
template <template <class, int, Kind, StepKind> class Sweep, class T, int D>
auto select(Kind kind, StepKind step) {
  constexpr auto P = StepKind::plain, W = StepKind::weighted, R = StepKind::three_term;
  constexpr auto E = Kind::equal, C = Kind::constant, V = Kind::variable;
  using Function = decltype(&Sweep<T, D, E, P>::run);
  constexpr auto L = D == 2 ? Kind::lines : E;
  static constexpr Function table[4][3] = {
      {Sweep<T, D, E, P>::run, Sweep<T, D, E, W>::run, Sweep<T, D, E, R>::run},
      {Sweep<T, D, L, P>::run, Sweep<T, D, L, W>::run, Sweep<T, D, L, R>::run},
      {Sweep<T, D, C, P>::run, Sweep<T, D, C, W>::run, Sweep<T, D, C, R>::run},
      {Sweep<T, D, V, P>::run, Sweep<T, D, V, W>::run, Sweep<T, D, V, R>::run}};
  return table[static_cast<int>(kind)][static_cast<int>(step)];
}

/// The same for what a plan may ask not to divide.
template <template <class, int, Kind, StepKind> class Sweep, class T, int D>
auto select(const Workspace<T, D>& w, StepKind step) {
  return w.undivided ? &Sweep<T, D, Kind::variable, StepKind::undivided>::run
                     : select<Sweep, T, D>(w.kind, step);
}

/// Picks what is the same for every step; Loop<T, D, Kind>::run.
template <template <class, int, Kind> class Loop, class T, int D>
auto select(Kind kind) {
  static constexpr decltype(&Loop<T, D, Kind::equal>::run) table[4] = {
      Loop<T, D, Kind::equal>::run,
      Loop < T,
      D,
      D == 2 ? Kind::lines : Kind::equal > ::run,
      Loop<T, D, Kind::constant>::run,
      Loop<T, D, Kind::variable>::run};
  return table[static_cast<int>(kind)];
}

/// Notes, where it happens, what ran; names are the registry's.
template <class T, int D>
void record(Workspace<T, D>& w, std::size_t sweeps, int threads) {
  w.ran.simd = target_name(HWY_TARGET);
  w.ran.threads = threads;
  w.ran.sweeps += static_cast<Index>(sweeps);
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
