/// What every ladder is written with: arithmetic on values and on vectors, sums for norms, kinds of steps.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_VECTOR_INL
#undef JACOBI_VECTOR_INL
#else
#define JACOBI_VECTOR_INL
#endif

#include <cmath>

#include "sweep/partial.hpp"
#include "sweep/step_kind.hpp"

/// Before a loop of a constant number of turns, after which an array of vectors stands in registers.
#undef JACOBI_UNROLL
#define JACOBI_UNROLL _Pragma("GCC unroll 32")

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64
inline constexpr bool has_32_registers = true;
#else
inline constexpr bool has_32_registers = false;
#endif

/// Arithmetic on one value; a multiply-add is fused exactly where the vectors' one is.
template <class T>
struct Scalar {
  using V = T;
  static HWY_INLINE T load(const T* p) { return *p; }
  static HWY_INLINE T set(T value) { return value; }
  static HWY_INLINE T add(T a, T b) { return a + b; }
  static HWY_INLINE T sub(T a, T b) { return a - b; }
  static HWY_INLINE T mul(T a, T b) { return a * b; }
  static HWY_INLINE T fma(T a, T b, T c) {
#if HWY_NATIVE_FMA
    return std::fma(a, b, c);
#else
    return a * b + c;
#endif
  }
};

/// A vector that arrays and structs may hold.
#if HWY_TARGET == HWY_SVE_256  // of a size that the compiler is told: -msve-vector-bits
template <class T>
struct SizedVector;
template <>
struct SizedVector<float> {
  typedef svfloat32_t type __attribute__((arm_sve_vector_bits(256)));
};
template <>
struct SizedVector<double> {
  typedef svfloat64_t type __attribute__((arm_sve_vector_bits(256)));
};
template <>
struct SizedVector<std::uint64_t> {
  typedef svuint64_t type __attribute__((arm_sve_vector_bits(256)));
};
#else
template <class T>
struct SizedVector {
  using type = hn::Vec<hn::ScalableTag<T> >;
};
#endif

/// Arithmetic on a vector of T.
template <class T>
struct Vector {
  using Tag = hn::ScalableTag<T>;
  using V = typename SizedVector<T>::type;
  static constexpr Index lanes() { return static_cast<Index>(hn::MaxLanes(Tag())); }
  static HWY_INLINE V load(const T* p) { return hn::LoadU(Tag(), p); }
  static HWY_INLINE V set(T value) { return hn::Set(Tag(), value); }
  static HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
  static HWY_INLINE V sub(V a, V b) { return hn::Sub(a, b); }
  static HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
  static HWY_INLINE V fma(V a, V b, V c) { return hn::MulAdd(a, b, c); }
  /// v in the lanes of `where`, else 0.
  static HWY_INLINE V only(hn::Mask<Tag> where, hn::Vec<Tag> v) { return hn::IfThenElseZero(where, v); }
  static HWY_INLINE T lane_sum(hn::Vec<Tag> v) { return hn::GetLane(hn::SumOfLanes(Tag(), v)); }
  static HWY_INLINE T lane_max(hn::Vec<Tag> v) { return hn::GetLane(hn::MaxOfLanes(Tag(), v)); }
};

/// Eight independent sums, so that the additions of neighbours do not wait for each other.
struct EightSums {
  static constexpr int width = 8;
  HWY_INLINE void add(int lane, double value) {
    squares[lane] += value * value;
    const double size = std::abs(value);
    max[lane] = size > max[lane] ? size : max[lane];
  }
  HWY_INLINE Partial total() const {
    Partial sum;
    for (int l = 0; l < width; ++l) {
      sum.squares += squares[l];
      sum.max = max[l] > sum.max ? max[l] : sum.max;
    }
    return sum;
  }
  double squares[width] = {};
  double max[width] = {};
};

/// Sums value(i), i = 0 ... count - 1, in blocks of eight.
template <class Value>
HWY_INLINE Partial sum_up(Index count, Value&& value) {
  EightSums sums;
  Index i = 0;
  for (; i + EightSums::width <= count; i += EightSums::width)
    for (int l = 0; l < EightSums::width; ++l) sums.add(l, value(i + l));
#pragma GCC unroll 1  // at most seven, in every loop that measures
  for (int l = 0; i < count; ++i, ++l) sums.add(l, value(i));
  return sums.total();
}

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
    return {Vector<double>::lane_sum(hn::Add(low, high)), static_cast<double>(A::lane_max(max))};
  }
  typename Vector<double>::V low, high;
  typename A::V max;
};

/// Sums `count` values, of which vector(i) gives those from i on: whole vectors, then the rest, as sweeps
/// that measure do.
template <class T, class Value>
HWY_INLINE Partial sum_vectors(Index count, Value&& vector) {
  using A = Vector<T>;
  const typename A::Tag tag;
  const Index lanes = A::lanes(), whole = count - count % lanes;
  LaneSums<T> sums, rest;
  for (Index i = 0; i < whole; i += lanes) sums.add(vector(i));
  rest.add(A::only(hn::FirstN(tag, static_cast<std::size_t>(count - whole)), vector(whole)));
  Partial sum = sums.total();
  sum += rest.total();
  return sum;
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
