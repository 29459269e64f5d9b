// Rung 4, simd: vectors by hand (Highway), the last one laid back over its neighbour; the norm in the same
// pass. Words per update: u, g, out: 3, measured or not. One vector costs 2 D + 1 loads, 1 store, 2 D
// operations. Compared with rung 0: bitwise; norms within rounding (one sum per lane).
#if defined(JACOBI_SIMD_RUNG) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_SIMD_RUNG
#undef JACOBI_SIMD_RUNG
#else
#define JACOBI_SIMD_RUNG
#endif

#include <algorithm>

#include "sweep/stencil/plain/2_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The rest of a line one by one: what the vectors cannot take without touching a ghost that another thread
/// renews.
template <Kind K, StepKind S, class T, int D>
HWY_INLINE void sweep_rest(const Sources<T, D>& w, Index p, Index last, const T* u, T* out, T omega, T rho,
                           Partial& sum) {
  for (; p < last; ++p) {
    out[p] = new_value<K, S, Scalar<T>>(w, u, out, p, omega, rho);
    const double d = static_cast<double>(out[p] - u[p]);
    sum.squares += d * d;
    sum.max = std::max(sum.max, std::abs(d));
  }
}

template <class T, int D, Kind K, StepKind S, bool Measured>
HWY_INLINE Partial sweep_vectors(const Workspace<T, D>& shared, const Piece<D>& piece, const T* u, T* out,
                                 Step step) {
  const Sources<T, D> w = shared;
  using A = Vector<T>;
  const typename A::Tag tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  const T omega = static_cast<T>(step.omega), rho = static_cast<T>(step.rho);
  const Index last = piece.first + piece.count;
  LaneSums<T> sums;
  Index p = piece.first;
  for (; p + lanes <= last; p += lanes) {
    const auto value = new_value<K, S, A>(w, u, out, p, omega, rho);
    hn::StoreU(value, tag, out + p);
    if constexpr (Measured) sums.add(A::sub(value, A::load(u + p)));
  }
  // The last vector ends with the line and computes some values twice, which give the same bits: unless the
  // step reads what it has just overwritten, or the line is shorter than a vector.
  if (S != StepKind::three_term && p < last && piece.count >= lanes) {
    const Index start = last - lanes;
    const auto value = new_value<K, S, A>(w, u, out, start, omega, rho);
    hn::StoreU(value, tag, out + start);
    if constexpr (Measured) {
      const auto counted = hn::FirstN(tag, static_cast<std::size_t>(p - start));
      sums.add(A::only(hn::Not(counted), A::sub(value, A::load(u + start))));
    }
    p = last;
  }
  Partial sum = Measured ? sums.total() : Partial{};
  sweep_rest<K, S>(w, p, last, u, out, omega, rho, sum);
  shared.renew_ghosts(piece, out);
  return sum;
}

template <class T, int D, Kind K, StepKind S>
struct VectorLoop {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, const T* u, T* out, Step step) {
    return sweep_vectors<T, D, K, S, false>(w, piece, u, out, step);
  }
};

template <class T, int D, Kind K, StepKind S>
struct MeasuredVectorLoop {
  static Partial run(const Workspace<T, D>& w, const Piece<D>& piece, const T* u, T* out, Step step) {
    return sweep_vectors<T, D, K, S, true>(w, piece, u, out, step);
  }
};

struct VectorLines {
  static constexpr bool fuses = true;
  template <class T, int D>
  static PieceSweep<T, D> of(const Workspace<T, D>& w, StepKind step, bool measured) {
    return measured ? select<MeasuredVectorLoop>(w, step) : select<VectorLoop>(w, step);
  }
};

template <class T, int D>
using Simd = BetweenTwoArrays<VectorLines, T, D>;

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
