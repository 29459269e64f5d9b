/// The kernels of lines from the last to the first, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/backward/backward.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/backward/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/layout/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D, Kind K, StepKind S>
struct BackwardLoop {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, const T* u, T* out, Step step) {
    const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
    for (Index p = piece.first + piece.count; p-- > piece.first;)
      out[p] = new_value<K, S, Scalar<T>>(w, u, out, p, omega, rho);
    w.renew_ghosts(piece, out);
    return {};
  }
};

template <class T, int D>
struct MakeBackwardKernels {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    for (const Step& step : steps) {
      const auto sweep = select<BackwardLoop, T, D>(w.kind, kind_of(step));
      run_team(w.threads, [&](const Member& me) HWY_ATTR {
        me.share(w.pieces, [&](Index s) { sweep(w, w.piece(s), w.u, w.v, step); });
      });
      std::swap(w.u, w.v);
    }
    record(w, steps.size(), w.threads);
    return measure_by_team(w, want);
  }
  static BackwardKernels<T, D> table() { return {advance, measure_by_team<T, D>}; }
};

Tables<BackwardKernels> backward_here() { return make_tables<BackwardKernels, MakeBackwardKernels>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_GRID_KERNELS(backward, BackwardKernels)

}  // namespace jacobi::sweep
#endif
