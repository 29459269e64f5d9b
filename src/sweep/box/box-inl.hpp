// Box stencils: rungs textbook, one unknown after the other, and threads, vectors along lines.
// One unknown's update, the order of operations of both:
//   r = fma(-c, u, ...) over the neighbours in order of planes, lines and places along them, the unknown
//   itself among them, coefficients of 0 left out, begun with b; plain: u + r s; weighted: fma(omega, r s,
//   u); three-term: fma(rho, weighted - out, out); s = 1 / divisor.
// Words per update: u, b, out: 3; textbook measures and copies every time, 7.
// Compared with rung 0: bitwise, for every number of threads; norms within rounding.
#if defined(JACOBI_BOX_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_BOX_STENCIL_INL
#undef JACOBI_BOX_STENCIL_INL
#else
#define JACOBI_BOX_STENCIL_INL
#endif

#include <algorithm>

#include "core/team.hpp"
#include "sweep/box/box.hpp"
#include "sweep/targets.hpp"
#include "sweep/update-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// b - A u of one unknown.
template <class T>
HWY_INLINE T box_residual(const BoxWorkspace<T>& w, T b, const T* u) {
  T r = b;
  for (int t = 0; t < w.terms; ++t) r = Scalar<T>::fma(w.minus[t], u[w.shift[t]], r);
  return r;
}

template <class T>
struct TextbookBox {
  using Value = T;
  using W = BoxWorkspace<T>;

  /// visit(place, r) -> what is summed up, for all unknowns.
  template <class Visit>
  static void each(W& w, const T* u, Visit&& visit) {
    for (Index s = 0; s < w.pieces; ++s) {
      const BoxPiece piece = w.piece(s);
      w.partials[s] = sum_up(piece.count, [&](Index i) HWY_ATTR {
        return static_cast<double>(
            visit(piece.first + i, box_residual(w, w.b[piece.row + i], u + piece.first + i)));
      });
    }
  }
  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    each(w, w.u, [&](Index p, T r) HWY_ATTR {
      return want == Want::update ? w.u[p] - w.v[p] : want == Want::residual ? r : r * w.scale;
    });
    return w.total();
  }
  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    Norms update;
    for (const Step& given : steps) {
      const Weights<T> step(given);
      if (step.kind == StepKind::three_term)
        std::swap(w.u, w.v);  // the recurrence still needs x_(n-1), which a copy would overwrite
      else
        std::copy_n(w.u, w.padded, w.v);
      each(w, w.v, [&](Index p, T r) HWY_ATTR {
        return w.u[p] = updated<Scalar<T>>(step, r * w.scale, w.v[p], [&] { return w.u[p]; });
      });
      for (Index s = 0; s < w.pieces; ++s) w.renew(w.piece(s), w.u);
      update = norms(w, Want::update);
    }
    w.record(steps.size(), 1);
    return want == Want::update ? update : norms(w, want);
  }
};

/// The first `count` lanes; memory beside them is another thread's, or nobody's.
template <class T>
HWY_INLINE void store_some(typename Vector<T>::V value, T* to, Index count) {
  const typename Vector<T>::Tag tag;
  if (count == Vector<T>::lanes()) return hn::StoreU(value, tag, to);
  T all[HWY_MAX_BYTES / sizeof(T)];
  hn::StoreU(value, tag, all);
  std::copy_n(all, count, to);
}
template <class T>
HWY_INLINE typename Vector<T>::V load_some(const T* from, Index count) {
  if (count == Vector<T>::lanes()) return Vector<T>::load(from);
  T all[HWY_MAX_BYTES / sizeof(T)] = {};
  std::copy_n(from, count, all);
  return Vector<T>::load(all);
}

/// take(i, r, count): the next `count` residuals of a run, from number i on; more than those only fill the
/// vector. b, u: at the run's first unknown.
template <class T, class Take>
HWY_INLINE void each_residual(const BoxWorkspace<T>& w, const T* b, const T* u, Index count, Take&& take) {
  using A = Vector<T>;
  using V = typename A::V;
  constexpr int together = 4;  // so that additions of one do not wait for those of another
  const Index lanes = A::lanes();
  Index i = 0;
  for (; i + together * lanes <= count; i += together * lanes) {
    V r[together];
    JACOBI_UNROLL
    for (int j = 0; j < together; ++j) r[j] = A::load(b + i + j * lanes);
    for (int t = 0; t < w.terms; ++t) {
      const V c = A::set(w.minus[t]);
      const T* const from = u + i + w.shift[t];
      JACOBI_UNROLL
      for (int j = 0; j < together; ++j) r[j] = A::fma(c, A::load(from + j * lanes), r[j]);
    }
    JACOBI_UNROLL
    for (int j = 0; j < together; ++j) take(i + j * lanes, r[j], lanes);
  }
  for (; i < count; i += lanes) {
    const Index left = std::min(lanes, count - i);
    V r = load_some(b + i, left);
    for (int t = 0; t < w.terms; ++t) r = A::fma(A::set(w.minus[t]), A::load(u + i + w.shift[t]), r);
    take(i, r, left);
  }
}

template <class T>
struct ThreadsBox {
  using Value = T;
  using W = BoxWorkspace<T>;
  using A = Vector<T>;
  using V = typename A::V;

  static void add(LaneSums<T>& sums, V value, Index count) {
    const typename A::Tag tag;
    sums.add(count == A::lanes() ? value : A::only(hn::FirstN(tag, static_cast<std::size_t>(count)), value));
  }

  template <bool Measured>
  static Partial sweep(const W& w, const BoxPiece& piece, const T* from, T* to, const Weights<T>& step) {
    const T* const u = from + piece.first;
    T* const out = to + piece.first;
    const V scale = A::set(w.scale);
    LaneSums<T> sums;
    each_residual(w, w.b + piece.row, u, piece.count, [&](Index i, V r, Index count) HWY_ATTR {
      const V old = A::load(u + i);
      const V value = updated<A>(step, A::mul(r, scale), old,
                                 [&]() HWY_ATTR { return load_some(static_cast<const T*>(out) + i, count); });
      store_some(value, out + i, count);
      if constexpr (Measured) add(sums, A::sub(value, old), count);
    });
    w.renew(piece, to);
    return Measured ? sums.total() : Partial{};
  }

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    const int team =
        run_team(static_cast<int>(std::min<Index>(w.threads, w.pieces)), [&](const Member& me) HWY_ATTR {
          for (std::size_t j = 0; j < steps.size(); ++j) {
            const bool measured = want == Want::update && j + 1 == steps.size();
            const Weights<T> step(steps[j]);
            const T* const from = j % 2 == 0 ? w.u : w.v;
            T* const to = j % 2 == 0 ? w.v : w.u;
            me.share(w.pieces, [&](Index s) HWY_ATTR {
              w.partials[s] = measured ? sweep<true>(w, w.piece(s), from, to, step)
                                       : sweep<false>(w, w.piece(s), from, to, step);
            });
            me.wait();
          }
        });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    w.record(steps.size(), team);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    const V scale = A::set(want == Want::correction ? w.scale : T(1));
    run_team(static_cast<int>(std::min<Index>(w.threads, w.pieces)), [&](const Member& me) HWY_ATTR {
      me.share(w.pieces, [&](Index s) HWY_ATTR {
        const BoxPiece piece = w.piece(s);
        const T *const u = w.u + piece.first, *const v = w.v + piece.first;
        LaneSums<T> sums;
        if (want == Want::update)
          for (Index i = 0; i < piece.count; i += A::lanes())
            add(sums, A::sub(A::load(u + i), A::load(v + i)), std::min(A::lanes(), piece.count - i));
        else
          each_residual(w, w.b + piece.row, u, piece.count,
                        [&](Index, V r, Index count) HWY_ATTR { add(sums, A::mul(r, scale), count); });
        w.partials[s] = sums.total();
      });
    });
    return w.total();
  }

  static void product(const W& w, const Run& run, const T* b, const T* x, T* y, bool negative) {
    T* const out = y + run.first;
    const V sign = A::set(negative ? T(-1) : T(1));
    each_residual(w, b, x + run.first, run.count,
                  [&](Index i, V r, Index count) HWY_ATTR { store_some(A::mul(r, sign), out + i, count); });
  }
};

namespace {

template <class T>
BoxKernels<T> box_table() {
  const char* const simd = target_name(HWY_TARGET);
  return {{kernels_of<TextbookBox<T>>(simd), kernels_of<ThreadsBox<T>>(simd)}};
}

TypeTables<BoxKernels> box_here() { return {box_table<double>(), box_table<float>()}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
