/// Vectors shifted by lanes, written in part, and addressed by few registers.
#if defined(JACOBI_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_LANES_INL
#undef JACOBI_LANES_INL
#else
#define JACOBI_LANES_INL
#endif

#include <cstdint>

#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Lanes From ... of `low`, then the first ones of `high`. Where the processor has no instruction for it, it
/// is not used. (The unmasked intrinsics read an undefined value, says GCC.)
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr bool has_shift = true;
template <int From>
HWY_ATTR hn::Vec<hn::ScalableTag<double>> joined(hn::Vec<hn::ScalableTag<double>> low,
                                                 hn::Vec<hn::ScalableTag<double>> high) {
  return {_mm512_castsi512_pd(
      _mm512_maskz_alignr_epi64(0xff, _mm512_castpd_si512(high.raw), _mm512_castpd_si512(low.raw), From))};
}
template <int From>
HWY_ATTR hn::Vec<hn::ScalableTag<float>> joined(hn::Vec<hn::ScalableTag<float>> low,
                                                hn::Vec<hn::ScalableTag<float>> high) {
  return {_mm512_castsi512_ps(
      _mm512_maskz_alignr_epi32(0xffff, _mm512_castps_si512(high.raw), _mm512_castps_si512(low.raw), From))};
}
#elif HWY_TARGET == HWY_AVX2
inline constexpr bool has_shift = false;  // it takes two
template <int From, class V>
HWY_INLINE V joined(V low, V high) {
  const hn::DFromV<V> d;
  constexpr int bytes = sizeof(hn::TFromV<V>);
  static_assert(From == 1 || From == hn::MaxLanes(d) - 1);
  const V middle = hn::ConcatLowerUpper(d, high, low);
  if constexpr (From == 1) return hn::CombineShiftRightBytes<bytes>(d, middle, low);
  return hn::CombineShiftRightBytes<16 - bytes>(d, high, middle);
}
#else
inline constexpr bool has_shift = false;
template <int From, class V>
V joined(V low, V) {
  return low;
}
#endif

/// Writes some lanes of memory whose others no other thread touches: with AVX2 a store under a mask takes
/// six cycles, a load, a choice and a store two (on a Zen 3).
template <class T>
HWY_INLINE void store_some(typename Vector<T>::V value, hn::Mask<hn::ScalableTag<T>> inside, T* to) {
  const hn::ScalableTag<T> d;
#if HWY_TARGET == HWY_AVX2
  hn::StoreU(hn::IfThenElse(inside, value, hn::LoadU(d, to)), d, to);
#else
  hn::BlendedStore(value, inside, d, to);
#endif
}

/// A distance that the compiler keeps in a register of its own: base[i] + distance then costs one register
/// per line and one per array instead of one for each line of each array.
template <class T>
HWY_INLINE Index distance(const T* to, const T* from) {
  return (reinterpret_cast<std::intptr_t>(to) - reinterpret_cast<std::intptr_t>(from)) /
         static_cast<Index>(sizeof(T));
}
HWY_INLINE void step_on(Index& index, Index by) {
  index += by;
#if HWY_COMPILER_GCC
  asm volatile("" : "+r"(index));
#endif
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
