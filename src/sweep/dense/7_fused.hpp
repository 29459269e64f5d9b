// Rung 7, fused: A streams through once, update and norm are taken from L1. By rows: four rows at once, each
// the next one of a band of its own, two sums each: 6 loads per 4 multiply-adds, and every load instruction
// walks on from row to row of its band as prefetchers want it; from L1 eight rows, one sum each: 9 loads per
// 8. By columns: eight columns at once pass over a part of r that stays in L1: 9 loads and a store per 8, and
// eight long streams instead of jumps from column to column; a matrix in L2 does not mind these: there r
// stays in registers, as in rung simd-8. Compared with rung 0: by columns bitwise, by rows within its bound,
// and always the same bits for every number of threads.
#if defined(JACOBI_DENSE_FUSED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_FUSED
#undef JACOBI_DENSE_FUSED
#else
#define JACOBI_DENSE_FUSED
#endif

#include "sweep/dense/1_simd.hpp"
#include "sweep/dense/lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// out[0] ... out[3] = the sums of the lanes of four vectors, neighbours first: each as if it stood alone.
/// Writes a whole vector.
template <class D, class V>
HWY_INLINE void store_sums([[maybe_unused]] D d, V s0, V s1, V s2, V s3, hn::TFromD<D>* out) {
#if HWY_TARGET == HWY_SCALAR  // one lane has no neighbours
  out[0] = hn::GetLane(s0), out[1] = hn::GetLane(s1), out[2] = hn::GetLane(s2), out[3] = hn::GetLane(s3);
#else
  const auto pairs = [d](V a, V b) HWY_ATTR {  // of a in the lower half, of b in the upper one
    return hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
  };
  const V low = pairs(s0, s1), high = pairs(s2, s3);
  if (hn::Lanes(d) == 2) {
    hn::StoreU(low, d, out);
    hn::StoreU(high, d, out + 2);
    return;
  }
  V all = pairs(low, high);
  for (std::size_t length = hn::Lanes(d); length > 4; length /= 2) all = pairs(all, all);
  hn::StoreU(all, d, out);
#endif
}

/// r of `Rows` rows, a[k] and r[at[k]] those of the k-th: eight sums of lanes, 8 / Rows for each row, so that
/// a row's order of additions depends on nothing but Rows.
template <int Rows, class T, class S>
HWY_INLINE void rows_at_once(const DenseWorkspace<T, S>& w, const T* x, const Index (&at)[Rows],
                             typename Vector<T>::V end_of_x) {
  using A = Vector<T>;
  const typename A::Tag d;
  constexpr Index sums = 8 / Rows;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), n = w.rows;
  const S* a[Rows];
  for (int k = 0; k < Rows; ++k) a[k] = w.a + at[k] * w.leading;
  const auto add = [&](typename A::V& s, int k, Index j) HWY_ATTR {
    s = A::fma(load_entries(d, a[k / sums] + j + k % sums * lanes), A::load(x + j + k % sums * lanes), s);
  };
  auto s0 = A::set(T(0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  Index j = 0;
  for (; j + sums * lanes <= n; j += sums * lanes) {
    add(s0, 0, j), add(s1, 1, j), add(s2, 2, j), add(s3, 3, j);
    add(s4, 4, j), add(s5, 5, j), add(s6, 6, j), add(s7, 7, j);
  }
  const auto add_last = [&](typename A::V& s, int k) HWY_ATTR {
    if (j + lanes <= n) add(s, k, j);
    if (n % lanes != 0) s = A::fma(load_entries(d, a[k / sums] + n - lanes), end_of_x, s);
  };
  add_last(s0, 0), add_last(s2, 2), add_last(s4, 4), add_last(s6, 6);
  if constexpr (sums == 1) add_last(s1, 1), add_last(s3, 3), add_last(s5, 5), add_last(s7, 7);
  HWY_ALIGN T sum[2][std::max<std::size_t>(4, hn::MaxLanes(d))];
  if constexpr (sums == 1) {
    store_sums(d, s0, s1, s2, s3, sum[0]);
    store_sums(d, s4, s5, s6, s7, sum[1]);
  } else {
    store_sums(d, A::add(s0, s1), A::add(s2, s3), A::add(s4, s5), A::add(s6, s7), sum[0]);
  }
  for (int k = 0; k < Rows; ++k) w.r[at[k]] = w.b[at[k]] - sum[k / 4][k % 4];
}

/// r of rows first ... last - 1, one of each of `Rows` bands at once; bands overlap where they do not divide.
template <int Rows, class T, class S>
HWY_INLINE void rows_in_bands(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  const Index height = (last - first + Rows - 1) / Rows;
  const auto end = end_of_x<T>(x, w.rows);
  Index at[Rows];
  for (int k = 0; k < Rows; ++k) at[k] = std::min(first + k * height, last - height);
  for (Index i = 0; i < height; ++i) {
    rows_at_once<Rows>(w, x, at, end);
    for (int k = 0; k < Rows; ++k) ++at[k];
  }
}

/// r -= `Columns` columns from j on times their unknowns, for rows i ... last as far as whole vectors of D
/// go; returns the first row left.
template <int Columns, class D, class T, class S>
HWY_INLINE Index columns_at_once(D d, const DenseWorkspace<T, S>& w, const T* x, Index j, Index i,
                                 Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const S* const a = w.a + j * w.leading;
  const auto unknown = [&](int k) HWY_ATTR { return hn::Set(d, k < Columns ? x[j + k] : T(0)); };
  const auto x0 = unknown(0), x1 = unknown(1), x2 = unknown(2), x3 = unknown(3);
  const auto x4 = unknown(4), x5 = unknown(5), x6 = unknown(6), x7 = unknown(7);
  for (; i + lanes <= last; i += lanes) {
    auto sum = hn::LoadU(d, w.r + i);
    const auto subtract = [&](int k, hn::Vec<D> xk) HWY_ATTR {
      sum = hn::NegMulAdd(load_entries(d, a + k * w.leading + i), xk, sum);
    };
    subtract(0, x0);
    if constexpr (Columns > 1) subtract(1, x1), subtract(2, x2), subtract(3, x3);
    if constexpr (Columns > 4) subtract(4, x4), subtract(5, x5), subtract(6, x6), subtract(7, x7);
    hn::StoreU(sum, d, w.r + i);
  }
  return i;
}

template <class T, class S = T>
struct FusedEntries {
  using W = DenseWorkspace<T, S>;
  static constexpr const char* name = "fused";
  static constexpr bool parallel = true;
  static int own_threads(const W&) { return 0; }
  /// By rows: a piece per band. By columns: as many rows as fill half of L1 with r.
  static Index pieces(const W& w) {
    constexpr Index rows = 16384 / sizeof(T);
    if (w.by_rows) return w.level == 1 ? 1 : 4;
    return rows / dense_piece;
  }

  static void residuals(const W& w, const T* x, Index first, Index last) {
    const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
    if (w.width > 1) return residuals_of_lines(w, x, first / w.width, last / w.width);
    if (w.by_rows && w.rows < lanes) return TextbookEntries<T, S>::residuals(w, x, first, last);
    if (w.by_rows && w.level == 1) return rows_in_bands<8>(w, x, first, last);
    if (w.by_rows) return rows_in_bands<4>(w, x, first, last);
    if (w.level == 1) return column_blocks<8>(w, x, first, last);
    if (w.level == 2) return column_blocks<most_sums>(w, x, first, last);
    std::copy(w.b + first, w.b + last, w.r + first);
    if (w.level == 3) return columns<4>(w, x, first, last);
    columns<8>(w, x, first, last);
  }

 private:
  template <int AtOnce>
  static void columns(const W& w, const T* x, Index first, Index last, Index j = 0) {
    for (; j + AtOnce <= w.rows; j += AtOnce)
      each_width<T>(first, last, [&](auto d, Index i, Index end) HWY_ATTR {
        return columns_at_once<AtOnce>(d, w, x, j, i, end);
      });
    if constexpr (AtOnce > 1) columns<1>(w, x, first, last, j);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
