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
#include "sweep/dense/entries-inl.hpp"
#include "sweep/dense/lane_sums-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

using machine::bytes_ahead;

/// sum[k] = (A x) of four rows, `stride` entries from each to the next: `Sums` sums of lanes for each row,
/// written as whole vectors.
template <int Sums, bool AsksAhead, class T, class S>
HWY_INLINE void four_rows(const S* a, Index stride, const T* x, Index n, typename Vector<T>::V end_of_x,
                          T* sum) {
  using A = Vector<T>;
  constexpr int rows = 4;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  typename A::V s[rows][Sums];
  JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) JACOBI_UNROLL
  for (int m = 0; m < Sums; ++m) s[k][m] = A::set(T(0));
  const auto add = [&](typename A::V& to, const S* entries, const T* unknowns) HWY_ATTR {
    if constexpr (AsksAhead) hwy::Prefetch(entries + bytes_ahead / sizeof(S));
    to = A::fma(load_entries(d, entries), A::load(unknowns), to);
  };
  const S* row[rows];
  JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) row[k] = a + k * stride;
  Index j = 0;
  for (; j + Sums * lanes <= n; j += Sums * lanes) JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) JACOBI_UNROLL
  for (int m = 0; m < Sums; ++m) add(s[k][m], row[k] + j + m * lanes, x + j + m * lanes);
  for (; j + lanes <= n; j += lanes) JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) add(s[k][0], row[k] + j, x + j);
  if (n % lanes != 0) JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) s[k][0] = A::fma(load_entries(d, row[k] + n - lanes), end_of_x, s[k][0]);
  JACOBI_UNROLL
  for (int k = 0; k < rows; ++k) JACOBI_UNROLL
  for (int m = 2; m < Sums; ++m) s[k][m % 2] = A::add(s[k][m % 2], s[k][m]);
  sum_lanes<4>(d, s[0][0], s[0][1], s[1][0], s[1][1], s[2][0], s[2][1], s[3][0], s[3][1],
               [&](Index k, auto v) HWY_ATTR { hn::StoreU(v, d, sum + k); });
}

/// r of rows first ... last - 1: four at once, one of each of four bands, those left over one by one.
template <bool AsksAhead, class T, class S>
HWY_INLINE void rows_of_bands(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last,
                              bool backward) {
  const Index apart = (last - first) / 4;
  const auto end = end_of_x<T>(x, w.rows);
  HWY_ALIGN T sum[4 + hn::MaxLanes(typename Vector<T>::Tag())];
  for (Index turn = 0; turn < apart; ++turn) {
    const Index i = first + (backward ? apart - 1 - turn : turn);
    four_rows<most_sums / 4, AsksAhead>(w.a + i * w.leading, apart * w.leading, x, w.rows, end, sum);
    for (Index k = 0; k < 4; ++k) w.r[i + k * apart] = w.b[i + k * apart] - sum[k];
  }
  for (Index i = first + 4 * apart; i < last; ++i)
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
  if (!sums_eight_rows<T, S>(w.rows)) return residuals_of_entries(w, x, first, last);
  each_residual_of_rows(w, x, first, last,
                        [&](Index i, auto r) HWY_ATTR { hn::StoreU(r, typename Vector<T>::Tag(), w.r + i); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
