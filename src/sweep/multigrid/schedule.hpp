/// Which passes a multigrid cycle makes over which grids, in which order; whoever makes them, and where.
#pragma once
#include <cstddef>
#include <span>

#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"

namespace jacobi::sweep {

/// What the sweeps of a pass start from: x; 0; x plus the coarse grid's correction; that alone.
enum class Start { keep, zero, correct, interpolate };

/// A pass: start, then weighted sweeps, then the residual: to the coarse grid's right-hand side, or measured.
struct PassTask {
  Start start = Start::keep;
  std::span<const Step> steps = {};
  bool restricts = false;
  bool nested = false;  ///< the start is a solution, to be interpolated smoothly
  bool ends = false;    ///< the last pass of a call: what its last sweep moves is measured
  Want want = Want::nothing;
  bool measures_residual() const { return want == Want::residual || want == Want::correction; }
  /// Of docs/multigrid.md, in sweeps of this grid.
  std::size_t work() const { return steps.size() + (restricts || measures_residual() ? 1 : 0); }
};

/// The coarsest grid couples no unknowns, so one plain sweep solves it.
inline constexpr Step plain_sweep[1] = {};

/// What a cycle is made of.
struct CycleShape {
  std::size_t grids = 1, pre = 2;
  Index visits = 1;
  bool variable = false;
};

/// Maker: pass(grid, task) makes a pass; on(grid, work) calls work() where passes over that grid and coarser
/// ones are made.
template <class Maker>
class Schedule {
 public:
  Schedule(Maker& maker, const CycleShape& shape) : maker_(maker), shape_(shape) {}

  /// x of the finest grid, taken once through the hierarchy.
  void cycle(std::span<const Step> steps, bool full, bool x_is_zero, bool ends, Want want) {
    steps_ = steps;
    Start start = x_is_zero ? Start::zero : Start::keep;
    const bool nested = full && !is_coarsest(0);
    if (nested) {
      maker_.pass(0, {start, {}, true});
      solve(1);
      start = x_is_zero ? Start::interpolate : Start::correct;
    }
    visit(0, start, nested, ends, want);
  }

 private:
  bool is_coarsest(std::size_t l) const { return l + 1 == shape_.grids; }
  std::span<const Step> before() const { return steps_.first(shape_.pre); }
  std::span<const Step> after() const { return steps_.subspan(shape_.pre); }

  /// Nested iteration: x of grid l from its right-hand side.
  void solve(std::size_t l) {
    maker_.on(l, [&] {
      if (is_coarsest(l)) return visit(l, Start::zero);
      maker_.pass(l, {Start::zero, {}, true});
      solve(l + 1);
      visit(l, Start::interpolate, true);
    });
  }

  /// nested: what is interpolated at the start is a solution. Where coefficients vary it need not be smooth.
  void visit(std::size_t l, Start start, bool nested = false, bool ends = false, Want want = Want::nothing) {
    maker_.on(l, [&] {
      if (is_coarsest(l)) return end(l, start, ends, want);
      maker_.pass(l, {start, before(), true, nested && !shape_.variable});
      for (Index v = 0; v < (is_coarsest(l + 1) ? 1 : shape_.visits); ++v)
        visit(l + 1, v == 0 ? Start::zero : Start::keep);
      const bool nothing_yet = shape_.pre == 0 && start == Start::zero;
      maker_.pass(l, {nothing_yet ? Start::interpolate : Start::correct, after(), false, false, ends, want});
    });
  }

  void end(std::size_t l, Start start, bool ends, Want want) {
    if (l == 0) return maker_.pass(l, {Start::keep, steps_, false, false, ends, want});
    maker_.pass(l, {start, plain_sweep});
  }

  Maker& maker_;
  const CycleShape shape_;
  std::span<const Step> steps_;
};

}  // namespace jacobi::sweep
