// Rung 4, simd: vectors by hand (Highway), masked at the end of a line; the norm in the same pass.
// Words per update: u, g, out: 3, measured or not. One vector costs 2 D + 1 loads, 1 store, 2 D operations.
// Compared with rung 0: bitwise; norms within rounding (one sum per lane).
#if defined(JACOBI_SIMD_RUNG) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_SIMD_RUNG
#undef JACOBI_SIMD_RUNG
#else
#define JACOBI_SIMD_RUNG
#endif

#include "sweep/stencil/2_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Sums of squares in double and magnitudes, one per lane.
template <class T>
struct LaneSums {
  using A = Vector<T>;
  using Wide = hn::ScalableTag<double>;
  HWY_INLINE LaneSums() : low(hn::Zero(Wide())), high(hn::Zero(Wide())), max(A::set(T(0))) {}
  HWY_INLINE void add(typename A::V d) {
    max = hn::Max(max, hn::Abs(d));
    if constexpr (sizeof(T) == sizeof(double)) {
      low = hn::MulAdd(d, d, low);
    } else {
#if HWY_TARGET == HWY_SCALAR  // one lane has no halves
      const auto a = hn::PromoteTo(Wide(), d);
      low = hn::MulAdd(a, a, low);
#else
      const hn::Half<typename A::Tag> half;
      const auto a = hn::PromoteTo(Wide(), hn::LowerHalf(half, d));
      const auto b = hn::PromoteTo(Wide(), hn::UpperHalf(half, d));
      low = hn::MulAdd(a, a, low);
      high = hn::MulAdd(b, b, high);
#endif
    }
  }
  HWY_INLINE Partial total() const {
    return {hn::GetLane(hn::SumOfLanes(Wide(), hn::Add(low, high))),
            static_cast<double>(hn::GetLane(hn::MaxOfLanes(typename A::Tag(), max)))};
  }
  hn::Vec<Wide> low, high;
  typename A::V max;
};

template <class T, int D, Kind K, StepKind S, bool Measured>
HWY_INLINE Partial sweep_vectors(const Workspace<T, D>& w, const Piece<D>& piece, const T* u, T* out,
                                 Step step) {
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
  if (p < last) {  // reads into the padding, writes only what belongs to the line
    const auto mine = hn::FirstN(tag, static_cast<std::size_t>(last - p));
    const auto value = new_value<K, S, A>(w, u, out, p, omega, rho);
    hn::BlendedStore(value, mine, tag, out + p);
    if constexpr (Measured) sums.add(hn::IfThenElseZero(mine, A::sub(value, A::load(u + p))));
  }
  w.renew_ghosts(piece, out);
  return Measured ? sums.total() : Partial{};
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

/// The sweep for step j: the last one measures where the update norm is wanted.
template <class T, int D>
PieceSweep<T, D> vector_sweep(const Workspace<T, D>& w, std::span<const Step> steps, std::size_t j,
                              Want want) {
  const bool measured = want == Want::update && j + 1 == steps.size();
  return measured ? select<MeasuredVectorLoop, T, D>(w.kind, kind_of(steps[j]))
                  : select<VectorLoop, T, D>(w.kind, kind_of(steps[j]));
}

template <class T, int D>
struct Simd {
  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    for (std::size_t j = 0; j < steps.size(); ++j) {
      const auto sweep = vector_sweep(w, steps, j, want);
      for (Index s = 0; s < w.pieces; ++s) w.partials[s] = sweep(w, w.piece(s), w.u, w.v, steps[j]);
      std::swap(w.u, w.v);
    }
    record(w, "simd", steps.size(), 1);
    if (want == Want::update && !steps.empty()) return w.total();
    return measure_serially(w, want);
  }
  static Norms norms(Workspace<T, D>& w, Want want) { return measure_serially(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
