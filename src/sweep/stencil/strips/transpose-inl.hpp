/// How a line goes into strips and back: by transposing as many vectors as they have lanes.
#if defined(JACOBI_TRANSPOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_TRANSPOSE_INL
#undef JACOBI_TRANSPOSE_INL
#else
#define JACOBI_TRANSPOSE_INL
#endif

#include <array>
#include <type_traits>

#include "sweep/stencil/order/lanes-inl.hpp"
#include "sweep/stencil/strips/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
HWY_INLINE __m512d chosen(__m512d a, __m512i from, __m512d b) { return _mm512_permutex2var_pd(a, from, b); }
HWY_INLINE __m512 chosen(__m512 a, __m512i from, __m512 b) { return _mm512_permutex2var_ps(a, from, b); }

/// Vectors i and i + Apart exchange their entries j + Apart and j, where neither i nor j counts Apart.
template <int Apart, class V, std::size_t lanes>
HWY_INLINE void exchange(V (&v)[lanes]) {
  using Number = std::conditional_t<lanes == 8, std::int64_t, std::int32_t>;
  alignas(64) static constexpr auto from = [] {
    std::array<Number, 2 * lanes> entry{};
    for (int j = 0; j < static_cast<int>(lanes); ++j) {
      const bool odd = (j & Apart) != 0;
      entry[j] = odd ? static_cast<int>(lanes) + j - Apart : j;
      entry[lanes + j] = odd ? static_cast<int>(lanes) + j : j + Apart;
    }
    return entry;
  }();
  const __m512i low = _mm512_load_si512(from.data()), high = _mm512_load_si512(from.data() + lanes);
  JACOBI_UNROLL
  for (std::size_t i = 0; i < lanes; ++i) {
    if (i & Apart) continue;
    const V a = v[i], b = v[i + Apart];
    v[i].raw = chosen(a.raw, low, b.raw);
    v[i + Apart].raw = chosen(a.raw, high, b.raw);
  }
}
#elif HWY_TARGET == HWY_AVX2
/// The same.
template <int Apart, class V, std::size_t lanes>
HWY_INLINE void exchange(V (&v)[lanes]) {
  const hn::DFromV<V> d;
  const hn::ScalableTag<double> wide;
  JACOBI_UNROLL
  for (std::size_t i = 0; i < lanes; ++i) {
    if (i & Apart) continue;
    const V a = v[i], b = v[i + Apart];
    if constexpr (2 * Apart == lanes) {
      v[i] = hn::ConcatLowerLower(d, b, a);
      v[i + Apart] = hn::ConcatUpperUpper(d, b, a);
    } else if constexpr (4 * Apart == lanes) {
      v[i] = hn::BitCast(d, hn::InterleaveLower(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
      v[i + Apart] = hn::BitCast(d, hn::InterleaveUpper(wide, hn::BitCast(wide, a), hn::BitCast(wide, b)));
    } else {
      v[i] = hn::OddEven(hn::DupEven(b), a);
      v[i + Apart] = hn::OddEven(b, hn::DupOdd(a));
    }
  }
}
#endif
/// Entry j of vector i goes to entry i of vector j.
template <class V, std::size_t lanes>
HWY_INLINE void transpose([[maybe_unused]] V (&v)[lanes]) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  exchange<1>(v);
  exchange<2>(v);
  if constexpr (lanes > 4) exchange<4>(v);
  if constexpr (lanes > 8) exchange<8>(v);
#endif
}

template <class T>
constexpr RegisterTile register_tile = register_tile_of(hn::MaxLanes(typename Vector<T>::Tag()),
                                                        has_32_registers);

/// Lines of the natural order, in strips.
template <class T>
struct StripLines {
  using A = Vector<T>;
  using Grid = StripsGrid<T>;
  static constexpr Index lanes = register_tile<T>.lanes;

  /// Columns of a line, `lanes` at a time, by vectors of its natural order: visit(column, place in the line).
  template <class Visit>
  static HWY_INLINE void for_each_block(const Segment<T>& part, Visit&& visit) {
    for (Index c = 0; c < part.strip; c += lanes) {
      const Index column = std::min(c, part.strip - lanes);
      visit(column * lanes, [&](Index lane) HWY_ATTR { return lane * part.strip + column; });
    }
  }
  /// A line, `from` its unknown 0, into strips; and back.
  static HWY_NOINLINE void lift_line(const Segment<T>& part, const T* from, T* to) {
    for_each_block(part, [&](Index column, auto&& place) HWY_ATTR {
      typename A::V block[lanes];
      JACOBI_UNROLL
      for (Index l = 0; l < lanes; ++l) block[l] = A::load(from + part.low + place(l));
      transpose(block);
      JACOBI_UNROLL
      for (Index l = 0; l < lanes; ++l) hn::StoreU(block[l], typename A::Tag(), to + column + l * lanes);
    });
  }
  static void take_line(const Segment<T>& part, const T* from, T* to) {
    lift_line(part, from, to);
    join(part, to);
  }
  static void lower_line(const Segment<T>& part, const T* from, T* to) {
    lower_line(
        part, [&](Index i) HWY_ATTR { return A::load(from + i); }, to);
  }
  template <class Load>
  static HWY_INLINE void lower_line(const Segment<T>& part, Load&& load, T* to) {
    HWY_ALIGN T line[Grid::longest * 5 / 4 + lanes * lanes];
    for_each_block(part, [&](Index column, auto&& place) HWY_ATTR {
      typename A::V block[lanes];
      JACOBI_UNROLL
      for (Index l = 0; l < lanes; ++l) block[l] = load(column + l * lanes);
      transpose(block);
      JACOBI_UNROLL
      for (Index l = 0; l < lanes; ++l) hn::StoreU(block[l], typename A::Tag(), line + place(l));
    });
    std::copy_n(line + (part.first - part.low), part.last - part.first, to + part.first);
  }

  /// Beside a line's strips, the neighbouring ones: lane l goes on with lane l + 1, and begins with l - 1.
  static void join(const Segment<T>& part, T* line) {
    const typename A::Tag tag;
    const auto all_but_last = hn::FirstN(tag, lanes - 1), all_but_first = hn::Not(hn::FirstN(tag, 1));
    JACOBI_UNROLL
    for (int k = 0; k < register_tile<T>.levels; ++k) {
      const auto low = A::load(line + k * lanes), high = A::load(line + (part.strip - k - 1) * lanes);
      store_some(joined<1>(low, low), all_but_last, line + (part.strip + k) * lanes);
      store_some(joined<lanes - 1>(high, high), all_but_first, line - (k + 1) * lanes);
    }
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
