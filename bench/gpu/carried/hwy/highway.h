/// The part of Google Highway that the host's sweeps are written in, for vectors of one lane: where Highway
/// is not installed, they check the device. Slow, and the bits of every target with fma.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define HWY_NAMESPACE N_ONE_LANE
#define HWY_BEFORE_NAMESPACE() static_assert(true)
#define HWY_AFTER_NAMESPACE() static_assert(true)
#define HWY_INLINE inline
#define HWY_NOINLINE
#define HWY_ATTR
#define HWY_RESTRICT __restrict__
#define HWY_ALIGN alignas(16)
#define HWY_MAX_BYTES 16
#define HWY_ONCE 1
#define HWY_EXPORT(function) static_assert(true)
#define HWY_DYNAMIC_DISPATCH(function) HWY_NAMESPACE::function
#define HWY_AVX3 1  // targets are compared only
#define HWY_AVX2 2
#define HWY_SCALAR 4
#define HWY_EMU128 8
#define HWY_TARGET HWY_SCALAR
#define HWY_NATIVE_FMA 1
#define HWY_ARCH_X86 0
#define HWY_COMPILER_GCC 0
#define HWY_COMPILER_CLANG 0

namespace hwy::HWY_NAMESPACE {

template <class T>
struct One {  ///< a tag
  using Value = T;
};
template <class T>
struct Lane {  ///< a vector
  T value;
};
struct Flag {  ///< a mask
  bool on;
};

template <class T>
using ScalableTag = One<T>;
template <class T, std::size_t>
using CappedTag = One<T>;
template <class D>
using TFromD = typename D::Value;
template <class D>
using Vec = Lane<TFromD<D>>;
template <class V>
using DFromV = One<decltype(V::value)>;
template <class U, class>
using Rebind = One<U>;
template <class D>
using RebindToSigned = One<std::conditional_t<sizeof(TFromD<D>) == 8, std::int64_t, std::int32_t>>;

template <class T>
constexpr std::size_t Lanes(One<T>) {
  return 1;
}
template <class T>
constexpr std::size_t MaxLanes(One<T>) {
  return 1;
}

template <class T, class U>
Lane<T> Set(One<T>, U value) {
  return {static_cast<T>(value)};
}
template <class T>
Lane<T> Zero(One<T>) {
  return {T(0)};
}
template <class T>
Lane<T> Load(One<T>, const T* p) {
  return {*p};
}
template <class T>
Lane<T> LoadU(One<T>, const T* p) {
  return {*p};
}
template <class T>
void StoreU(Lane<T> v, One<T>, T* p) {
  *p = v.value;
}
template <class T>
void BlendedStore(Lane<T> v, Flag m, One<T>, T* p) {
  if (m.on) *p = v.value;
}
template <class T>
void LoadInterleaved2(One<T>, const T* p, Lane<T>& a, Lane<T>& b) {
  a.value = p[0], b.value = p[1];
}
template <class T>
void StoreInterleaved2(Lane<T> a, Lane<T> b, One<T>, T* p) {
  p[0] = a.value, p[1] = b.value;
}
template <class T, class I>
Lane<T> GatherIndex(One<T>, const T* p, Lane<I> at) {
  return {p[at.value]};
}

template <class T>
Lane<T> Add(Lane<T> a, Lane<T> b) {
  return {static_cast<T>(a.value + b.value)};
}
template <class T>
Lane<T> Sub(Lane<T> a, Lane<T> b) {
  return {static_cast<T>(a.value - b.value)};
}
template <class T>
Lane<T> Mul(Lane<T> a, Lane<T> b) {
  return {static_cast<T>(a.value * b.value)};
}
template <class T>
Lane<T> MulAdd(Lane<T> a, Lane<T> b, Lane<T> c) {
  return {std::fma(a.value, b.value, c.value)};
}
template <class T>
Lane<T> NegMulAdd(Lane<T> a, Lane<T> b, Lane<T> c) {
  return {std::fma(-a.value, b.value, c.value)};
}
template <class T>
Lane<T> Neg(Lane<T> a) {
  return {-a.value};
}
template <class T>
Lane<T> Abs(Lane<T> a) {
  return {std::abs(a.value)};
}
template <class T>
Lane<T> Max(Lane<T> a, Lane<T> b) {
  return {a.value > b.value ? a.value : b.value};
}
template <int N, class T>
Lane<T> ShiftLeft(Lane<T> a) {
  return {static_cast<T>(a.value << N)};
}
template <class T, class U>
Lane<T> BitCast(One<T>, Lane<U> a) {
  static_assert(sizeof(T) == sizeof(U));
  Lane<T> result;
  std::memcpy(&result.value, &a.value, sizeof(T));
  return result;
}
template <class T, class U>
Lane<T> PromoteTo(One<T>, Lane<U> a) {
  return {static_cast<T>(a.value)};
}

template <class T>
T GetLane(Lane<T> a) {
  return a.value;
}
template <class T>
Lane<T> SumOfLanes(One<T>, Lane<T> a) {
  return a;
}
template <class T>
Lane<T> MaxOfLanes(One<T>, Lane<T> a) {
  return a;
}

template <class T>
Flag FirstN(One<T>, std::size_t n) {
  return {n > 0};
}
template <class>
using Mask = Flag;
inline Flag Not(Flag a) { return {!a.on}; }
inline Flag AndNot(Flag a, Flag b) { return {!a.on && b.on}; }
template <class T>
Flag RebindMask(One<T>, Flag a) {
  return a;
}
template <class T>
Flag Gt(Lane<T> a, Lane<T> b) {
  return {a.value > b.value};
}
template <class T>
Lane<T> IfThenElse(Flag m, Lane<T> a, Lane<T> b) {
  return m.on ? a : b;
}
template <class T>
Flag Eq(Lane<T> a, Lane<T> b) {
  return {a.value == b.value};
}
template <class T>
Lane<T> IfThenElseZero(Flag m, Lane<T> a) {
  return {m.on ? a.value : T(0)};
}
template <class T>
Lane<T> IfThenZeroElse(Flag m, Lane<T> a) {
  return {m.on ? T(0) : a.value};
}

}  // namespace hwy::HWY_NAMESPACE
