/// What the growth test's algorithms on matrices share: rows by themselves, from the last to the first. The
/// test copies the file into either folder, hence a guard by name: #pragma once tells files by their places.
#ifndef JACOBI_GROWTH_ROWS
#define JACOBI_GROWTH_ROWS
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep::growth {

template <class T>
T fused(T a, T b, T c) {
#ifdef __FMA__
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// E: a workspace E::W, `piece` rows whose norms are taken together, and residual(w, x, i) of row i.
template <class T, class E>
struct Rows {
  using W = typename E::W;

  static Norms measure(W& w, Want want) {
    if (want == Want::nothing) return {};
    return each(w, [&](Index i, T r) {
      return want == Want::update ? w.u[i] - w.v[i] : want == Want::residual ? r : r * w.scale[i];
    });
  }
  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    for (const Step& step : steps) {
      const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
      each(w, [&](Index i, T r) {
        const T c = r * w.scale[i], value = omega == 1 && rho == 1 ? w.u[i] + c : fused(omega, c, w.u[i]);
        return w.v[i] = rho == 1 ? value : fused(rho, value - w.v[i], w.v[i]);
      });
      std::swap(w.u, w.v);
    }
    w.record(steps.size(), 1);
    return measure(w, want);
  }

 private:
  /// visit(i, residual of row i); the norms of what it returns.
  template <class Visit>
  static Norms each(W& w, Visit&& visit) {
    for (Index s = w.pieces; s-- > 0;) {
      w.partials[s] = {};
      for (Index i = std::min(w.rows, (s + 1) * E::piece); i-- > s * E::piece;) {
        const auto value = static_cast<double>(visit(i, E::residual(w, w.u, i)));
        w.partials[s] += {value * value, std::abs(value)};
      }
    }
    return w.total();
  }
};

}  // namespace jacobi::sweep::growth
#endif
