// Sums of lanes, several vectors at once.
#if defined(JACOBI_DENSE_LANE_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_LANE_SUMS_INL
#undef JACOBI_DENSE_LANE_SUMS_INL
#else
#define JACOBI_DENSE_LANE_SUMS_INL
#endif

#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The sum of the lanes of each of eight vectors, or of four neighbouring pairs of them, each as if it stood
/// alone: take(k, v) for the vectors v of sums from the k-th on. Vectors longer than all sums hold them
/// several times.
template <int Sums, class D, class V, class Take>
HWY_INLINE void sum_lanes([[maybe_unused]] D d, V s0, V s1, V s2, V s3, V s4, V s5, V s6, V s7, Take&& take) {
#if HWY_TARGET == HWY_SCALAR  // one lane has no neighbours
  const V all[] = {s0, s1, s2, s3, s4, s5, s6, s7};
  for (int k = 0; k < 8; k += 8 / Sums) take(k * Sums / 8, Sums == 8 ? all[k] : hn::Add(all[k], all[k + 1]));
#else
  const auto pairs = [d](V a, V b) HWY_ATTR {  // of a in the lower half, of b in the upper one
    return hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
  };
  const auto two = [&](V a, V b) HWY_ATTR { return Sums == 8 ? pairs(a, b) : hn::Add(a, b); };
  const V a = two(s0, s1), b = two(s2, s3), c = two(s4, s5), e = two(s6, s7);
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  if (4 * lanes == Sums) return take(0, a), take(lanes, b), take(2 * lanes, c), take(3 * lanes, e);
  if (2 * lanes == Sums) return take(0, pairs(a, b)), take(lanes, pairs(c, e));
  V all = pairs(pairs(a, b), pairs(c, e));
  for (Index length = lanes; length > Sums; length /= 2) all = pairs(all, all);
  take(0, all);
#endif
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
