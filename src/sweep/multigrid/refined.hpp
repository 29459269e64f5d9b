/// Multigrid cycles in float inside a refinement in double.
#pragma once
#include "jacobi/stencil.hpp"
#include "sweep/multigrid/bound.hpp"

namespace jacobi::sweep {

/// x of a grid in double: every cycle solves for its correction in float, e on A e = size (b - A x), and a
/// pass in double takes it up and makes the residual anew, so that x meets tolerances of double. `size`, a
/// power of two, keeps the residual near 1 as it falls. Bytes per unknown: 32 of that pass, and half of those
/// of cycles in double. Source: Wilkinson, "Rounding Errors in Algebraic Processes" (1963), iterative
/// refinement.
template <int D>
class RefinedCycles {
 public:
  /// fine: the grid in double, without coarser ones; it must live as long. Throws: UsageError where the
  /// diagonal is out of float's range; BackendError where memory lacks.
  RefinedCycles(const Stencil<double, D>& a, const Plan& plan, Diffusion<D> finest,
                MultigridWorkspace<double, D>& fine);

  Norms advance(std::span<const Step> steps, Want want);
  Norms norms(Want want);
  /// x or b have been set from outside; the last sweep moved x by `update`.
  void restart(const Norms& update) {
    ready_ = false;
    update_ = update;
  }
  const std::vector<GridLevel<float, D>>& levels() const { return grids_.w.levels; }

 private:
  void refine(bool adds);

  MultigridWorkspace<double, D>& fine_;
  BoundGrids<float, D> grids_;
  MultigridFunctions<float, D> cycles_;
  MultigridFunctions<double, D> outer_;
  double size_ = 1;
  bool ready_ = false;  ///< the residual is that of x
  Norms update_;        ///< of the last sweep of a cycle
};

}  // namespace jacobi::sweep
