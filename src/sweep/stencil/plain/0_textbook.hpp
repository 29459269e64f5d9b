// Rung 0, textbook: sweep, norm and copy, every time, as the method is written down.
// Words per update: sweep u, g, out; norm u, v; copy u, v: 7 (56 bytes in double).
// Compared with: itself; every other rung must give its bits on the same instruction set.
#if defined(JACOBI_TEXTBOOK) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_TEXTBOOK
#undef JACOBI_TEXTBOOK
#else
#define JACOBI_TEXTBOOK
#endif

#include <algorithm>
#include <span>

#include "sweep/stencil/layout/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The plain loop over a piece; the compiler vectorises it.
template <class T, int D, Kind K, StepKind S>
struct PlainLoop {
  static Partial run(const Workspace<T, D>& shared, const Piece<D>& piece, const T* u, T* out, Step step) {
    const Sources<T, D> w = shared;
    T* HWY_RESTRICT to = out;
    const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
    const Index first = piece.first, last = piece.first + piece.count;
#pragma GCC ivdep
    for (Index p = first; p < last; ++p) to[p] = new_value<K, S, Scalar<T>>(w, u, to, p, omega, rho);
    shared.renew_ghosts(piece, out);
    return {};
  }
};

/// || u - v || in one running sum, entry after entry.
template <class T, int D>
Norms running_norm(const Workspace<T, D>& w) {
  double squares = 0, max = 0;
  for (Index s = 0; s < w.pieces; ++s) {
    const Piece<D>& piece = w.piece(s);
    for (Index p = piece.first; p < piece.first + piece.count; ++p) {
      const double d = static_cast<double>(w.u[p] - w.v[p]);
      squares += d * d;
      max = std::max(max, std::abs(d));
    }
  }
  return {std::sqrt(squares), std::isnan(squares) ? squares : max};
}

/// x_n to where x_(n-1) was.
template <class T, int D>
void copy_iterate(const Workspace<T, D>& w) {
  for (Index s = 0; s < w.pieces; ++s) {
    const Piece<D>& piece = w.piece(s);
    std::copy_n(w.u + piece.first, piece.count, w.v + piece.first);
    w.renew_ghosts(piece, w.v);
  }
}

template <class T, int D>
struct Textbook {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    Norms update;
    for (const Step& step : steps) {
      const auto sweep = select<PlainLoop>(w, kind_of(step));
      if (kind_of(step) == StepKind::three_term)
        std::swap(w.u, w.v);  // the recurrence still needs x_(n-1), which a copy would overwrite
      else
        copy_iterate(w);
      for (Index s = 0; s < w.pieces; ++s) sweep(w, w.piece(s), w.v, w.u, step);
      update = running_norm(w);
    }
    record(w, steps.size(), 1);
    return want == Want::update ? update : measure_serially(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) {
    return want == Want::update ? running_norm(w) : measure_serially(w, want);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
