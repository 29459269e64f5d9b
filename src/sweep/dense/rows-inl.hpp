// Residuals by rows, several rows at once: a sum of lanes, or four, for each.
#if defined(JACOBI_DENSE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_ROWS_INL
#undef JACOBI_DENSE_ROWS_INL
#else
#define JACOBI_DENSE_ROWS_INL
#endif

#include <hwy/cache_control.h>

#include <array>

#include "machine/kernels.hpp"
#include "sweep/dense/1_simd.hpp"

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

/// The sum of the lanes, added as sum_lanes adds them.
template <class D, class V>
HWY_INLINE hn::TFromD<D> sum_of_lanes([[maybe_unused]] D d, V v) {
#if HWY_TARGET != HWY_SCALAR
  for (std::size_t length = hn::Lanes(d); length > 1; length /= 2)
    v = hn::Add(hn::ConcatEven(d, v, v), hn::ConcatOdd(d, v, v));
#endif
  return hn::GetLane(hn::Vec<D>(v));
}

using machine::bytes_ahead;

/// sum[k] = (A x) of four rows at once, `stride` entries from each to the next, or of one: `Sums` sums of
/// lanes for each row, to the same bits either way. Four are written as whole vectors.
template <int Rows, int Sums, bool AsksAhead, class T, class S>
HWY_INLINE void rows_at_once(const S* a, Index stride, const T* x, Index n, typename Vector<T>::V end_of_x,
                             T* sum) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  typename A::V s[Rows][Sums];
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) JACOBI_UNROLL
  for (int m = 0; m < Sums; ++m) s[k][m] = A::set(T(0));
  const auto add = [&](typename A::V& to, const S* entries, const T* unknowns) HWY_ATTR {
    if constexpr (AsksAhead) hwy::Prefetch(entries + bytes_ahead / sizeof(S));
    to = A::fma(load_entries(d, entries), A::load(unknowns), to);
  };
  const S* row[Rows];
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) row[k] = a + k * stride;
  Index j = 0;
  for (; j + Sums * lanes <= n; j += Sums * lanes) JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) JACOBI_UNROLL
  for (int m = 0; m < Sums; ++m) add(s[k][m], row[k] + j + m * lanes, x + j + m * lanes);
  for (; j + lanes <= n; j += lanes) JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) add(s[k][0], row[k] + j, x + j);
  if (n % lanes != 0) JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) s[k][0] = A::fma(load_entries(d, row[k] + n - lanes), end_of_x, s[k][0]);
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) JACOBI_UNROLL
  for (int m = 2; m < Sums; ++m) s[k][m % 2] = A::add(s[k][m % 2], s[k][m]);
  if constexpr (Rows == 4)
    sum_lanes<4>(d, s[0][0], s[0][1], s[1][0], s[1][1], s[2][0], s[2][1], s[3][0], s[3][1],
                 [&](Index k, auto v) HWY_ATTR { hn::StoreU(v, d, sum + k); });
  else
    *sum = sum_of_lanes(d, A::add(s[0][0], s[0][1]));
}

/// r of rows first ... last - 1: four at once, one of each of four bands, or one after the other.
template <int Rows, bool AsksAhead, class T, class S>
HWY_INLINE void rows_together(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last,
                              bool backward) {
  const Index groups = (last - first) / 4 * 4 / Rows, apart = Rows == 4 ? groups : 1;
  const auto end = end_of_x<T>(x, w.rows);
  HWY_ALIGN T sum[4 + hn::MaxLanes(typename Vector<T>::Tag())];
  for (Index turn = 0; turn < groups; ++turn) {
    const Index i = first + (backward ? groups - 1 - turn : turn);
    rows_at_once<Rows, most_sums / 4, AsksAhead>(w.a + i * w.leading, apart * w.leading, x, w.rows, end, sum);
    for (Index k = 0; k < Rows; ++k) w.r[i + k * apart] = w.b[i + k * apart] - sum[k];
  }
  // as many rows are left over, with one sum each, whether one or four are taken at once
  for (Index i = first + groups * Rows; i < last; ++i)
    w.r[i] = row_residual<1>(w.a + i * w.leading, x, w.rows, w.b[i], end);
}

/// Whether eight_rows sums rows of n entries: shorter than a vector only where nothing behind them is read.
template <class T, class S>
HWY_INLINE bool sums_eight_rows(Index n) {
  return n >= static_cast<Index>(hn::Lanes(typename Vector<T>::Tag())) ||
         (has_masked_loads && std::is_same_v<T, S>);
}

/// (A x) of `Rows` rows at once, eight at most, a sum of lanes each: take(k, v) for vectors v of the sums of
/// rows k, ... of eight, 0 where there are none.
template <int Rows, class T, class S, class Take>
HWY_INLINE void short_sums(const std::array<const S*, Rows>& row, const T* x, Index n, Take&& take) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  typename A::V s[8];
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) s[k] = A::set(T(0));
  Index j = 0;
  for (; j + lanes <= n; j += lanes) {
    const auto unknowns = A::load(x + j);
    JACOBI_UNROLL
    for (int k = 0; k < Rows; ++k) s[k] = A::fma(load_entries(d, row[k] + j), unknowns, s[k]);
  }
  if (j < n) {
    constexpr bool masked = has_masked_loads && std::is_same_v<T, S>;
    const auto unknowns = masked ? A::load(x + j) : end_of_x<T>(x, n);
    const auto inside = hn::FirstN(d, static_cast<std::size_t>(n - j));
    JACOBI_UNROLL
    for (int k = 0; k < Rows; ++k) {
      if constexpr (masked)
        s[k] = A::fma(load_only(d, inside, row[k] + j), unknowns, s[k]);
      else
        s[k] = A::fma(load_entries(d, row[k] + n - lanes), unknowns, s[k]);
    }
  }
  sum_lanes<8>(d, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], take);
}

/// The same for eight rows from row i on.
template <class T, class S, class Take>
HWY_INLINE void eight_rows(const DenseWorkspace<T, S>& w, const T* x, Index i, Take&& take) {
  std::array<const S*, 8> row;
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) row[k] = w.a + (i + k) * w.leading;
  short_sums<8, T, S>(row, x, w.rows, take);
}
/// For the last ones, at most eight: `Rows` at once, or half as many where that is enough.
template <int Rows, class T, class S, class Take>
HWY_INLINE void last_rows(const DenseWorkspace<T, S>& w, const T* x, Index i, Index last, Take&& take) {
  if constexpr (Rows == 8)
    if (last - i <= 4) return last_rows<4>(w, x, i, last, take);
  std::array<const S*, Rows> row;
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) row[k] = w.a + std::min(i + k, last - 1) * w.leading;
  short_sums<Rows, T, S>(row, x, w.rows, take);
}

/// take(i, r) for the vectors r of residuals of rows first ... last - 1, eight rows at once: those from row i
/// on, 0 behind the last one.
template <class T, class S, class Take>
HWY_INLINE void each_residual_of_rows(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last,
                                      Take&& take) {
  using A = Vector<T>;
  const typename A::Tag d;
  const auto residual = [&](Index i, auto sums) HWY_ATTR {
    if (i >= last) return;
    const auto inside = hn::FirstN(d, static_cast<std::size_t>(last - i));
    take(i, A::only(inside, A::sub(A::load(w.b + i), sums)));
  };
  Index i = first;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) > 8) {  // twice the same eight sums in each vector
    typename A::V low, high;
    const auto keep_low = [&](Index, auto sums) HWY_ATTR { low = high = sums; };
    const auto keep_high = [&](Index, auto sums) HWY_ATTR { high = sums; };
    for (; i + 16 <= last; i += 16) {
      eight_rows(w, x, i, keep_low);
      eight_rows(w, x, i + 8, keep_high);
      residual(i, hn::ConcatUpperLower(d, high, low));
    }
    if (i == last) return;
    last_rows<8>(w, x, i, std::min(last, i + 8), keep_low);
    if (i + 8 < last) last_rows<8>(w, x, i + 8, last, keep_high);
    return residual(i, hn::ConcatUpperLower(d, high, low));
  }
#endif
  const auto each = [&](Index k, auto sums) HWY_ATTR { residual(i + k, sums); };
  for (; i + 8 <= last; i += 8) eight_rows(w, x, i, each);
  if (i < last) last_rows<8>(w, x, i, last, each);
}

/// r of rows first ... last - 1, eight at once.
template <class T, class S>
HWY_INLINE void rows_by_eight(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  if (!sums_eight_rows<T, S>(w.rows)) return TextbookEntries<T, S>::residuals(w, x, first, last);
  each_residual_of_rows(w, x, first, last,
                        [&](Index i, auto r) HWY_ATTR { hn::StoreU(r, typename Vector<T>::Tag(), w.r + i); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
