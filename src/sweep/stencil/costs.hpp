/// What one update of an unknown takes of a core.
#pragma once
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::sweep {

/// Values loaded, and operations that are made; a subtraction counts as an addition.
struct Costs {
  double loads = 0, adds = 0, fmas = 0;
};

/// Of order-inl.hpp as written, D dimensions. Neighbours that weigh the same: 2 D - 1 additions, 1 fused
/// multiply-add; else 2 D fused multiply-adds. Loads: 2 D neighbours, g, and 2 D coefficients if they vary. A
/// batch of 1D problems: as in 1D. Weighted: one subtraction and one fused multiply-add more.
template <class T, int D>
Costs costs_as_written(const Stencil<T, D>& a, bool weighted) {
  const Kind kind = coefficients_of(a).kind;
  const int more = weighted ? 1 : 0;
  if (kind == Kind::lines) return {3, 1.0 + more, 1.0 + more};
  return {2.0 * D + 1 + (kind == Kind::variable ? 2 * D : 0), (kind == Kind::equal ? 2.0 * D - 1 : 0) + more,
          (kind == Kind::equal ? 1 : 2.0 * D) + more};
}

/// Four lines at a time share loads (box-inl.hpp): 2.5 fewer where coefficients are the same everywhere.
/// Three of the four take a sum of two neighbours from the line before, where all neighbours weigh the same.
template <class T, int D>
Costs costs_of_lines_together(const Stencil<T, D>& a, bool weighted) {
  Costs costs = costs_as_written(a, weighted);
  const Kind kind = coefficients_of(a).kind;
  if (D > 1 && (kind == Kind::equal || kind == Kind::constant)) costs.loads -= 2.5;
  if (D > 1 && kind == Kind::equal) costs.adds -= 0.75;
  return costs;
}

}  // namespace jacobi::sweep
