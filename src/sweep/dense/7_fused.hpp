// Rung 7, fused: A streams through once, update and norm are taken from L1. By rows: eight rows at once
// share the loads of x: 9 loads per 8 multiply-adds, and eight sums in flight. By columns: eight columns at
// once pass over a part of r that stays in L1: 9 loads and a store per 8, and eight long streams instead of
// jumps from column to column; a matrix in L2 does not mind these: there r stays in registers, as in rung
// simd-8. Compared with rung 0: by columns bitwise, by rows within its bound, and always the same bits for
// every number of threads.
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

/// r of eight rows from row i on. Each has one sum of lanes, as a row alone has (row_residual<1>).
template <class T, class S>
HWY_INLINE void eight_rows(const DenseWorkspace<T, S>& w, const T* x, Index i, const RowEnd<T>& end) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const S *a0 = w.a + i * w.leading, *a1 = a0 + w.leading, *a2 = a1 + w.leading, *a3 = a2 + w.leading;
  const S *a4 = a3 + w.leading, *a5 = a4 + w.leading, *a6 = a5 + w.leading, *a7 = a6 + w.leading;
  auto s0 = A::set(T(0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  for (Index j = 0; j + lanes <= w.rows; j += lanes) {
    const auto xj = A::load(x + j);
    s0 = A::fma(load_entries(d, a0 + j), xj, s0);
    s1 = A::fma(load_entries(d, a1 + j), xj, s1);
    s2 = A::fma(load_entries(d, a2 + j), xj, s2);
    s3 = A::fma(load_entries(d, a3 + j), xj, s3);
    s4 = A::fma(load_entries(d, a4 + j), xj, s4);
    s5 = A::fma(load_entries(d, a5 + j), xj, s5);
    s6 = A::fma(load_entries(d, a6 + j), xj, s6);
    s7 = A::fma(load_entries(d, a7 + j), xj, s7);
  }
  T* const r = w.r + i;
  const T* const b = w.b + i;
  r[0] = b[0] - lane_sum(end.add(a0, s0));
  r[1] = b[1] - lane_sum(end.add(a1, s1));
  r[2] = b[2] - lane_sum(end.add(a2, s2));
  r[3] = b[3] - lane_sum(end.add(a3, s3));
  r[4] = b[4] - lane_sum(end.add(a4, s4));
  r[5] = b[5] - lane_sum(end.add(a5, s5));
  r[6] = b[6] - lane_sum(end.add(a6, s6));
  r[7] = b[7] - lane_sum(end.add(a7, s7));
}

/// r -= columns j ... j + 7 times their unknowns, for rows i ... last as far as whole vectors of D go;
/// returns the first row left.
template <class D, class T, class S>
HWY_INLINE Index eight_columns(D d, const DenseWorkspace<T, S>& w, const T* x, Index j, Index i, Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const S *a0 = w.a + j * w.leading, *a1 = a0 + w.leading, *a2 = a1 + w.leading, *a3 = a2 + w.leading;
  const S *a4 = a3 + w.leading, *a5 = a4 + w.leading, *a6 = a5 + w.leading, *a7 = a6 + w.leading;
  const auto x0 = hn::Set(d, x[j]), x1 = hn::Set(d, x[j + 1]), x2 = hn::Set(d, x[j + 2]);
  const auto x3 = hn::Set(d, x[j + 3]), x4 = hn::Set(d, x[j + 4]), x5 = hn::Set(d, x[j + 5]);
  const auto x6 = hn::Set(d, x[j + 6]), x7 = hn::Set(d, x[j + 7]);
  T* const r = w.r;
  for (; i + lanes <= last; i += lanes) {
    auto sum = hn::LoadU(d, r + i);
    sum = hn::NegMulAdd(load_entries(d, a0 + i), x0, sum);
    sum = hn::NegMulAdd(load_entries(d, a1 + i), x1, sum);
    sum = hn::NegMulAdd(load_entries(d, a2 + i), x2, sum);
    sum = hn::NegMulAdd(load_entries(d, a3 + i), x3, sum);
    sum = hn::NegMulAdd(load_entries(d, a4 + i), x4, sum);
    sum = hn::NegMulAdd(load_entries(d, a5 + i), x5, sum);
    sum = hn::NegMulAdd(load_entries(d, a6 + i), x6, sum);
    sum = hn::NegMulAdd(load_entries(d, a7 + i), x7, sum);
    hn::StoreU(sum, d, r + i);
  }
  return i;
}

/// The same of one column.
template <class D, class T, class S>
HWY_INLINE Index one_column(D d, const DenseWorkspace<T, S>& w, const T* x, Index j, Index i, Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const S* const column = w.a + j * w.leading;
  const auto xj = hn::Set(d, x[j]);
  for (; i + lanes <= last; i += lanes)
    hn::StoreU(hn::NegMulAdd(load_entries(d, column + i), xj, hn::LoadU(d, w.r + i)), d, w.r + i);
  return i;
}

template <class T, class S = T>
struct FusedEntries {
  using W = DenseWorkspace<T, S>;
  static constexpr const char* name = "fused";
  static constexpr bool parallel = true;
  static int own_threads(const W&) { return 0; }
  /// By columns: as many rows as fill half of L1 with r.
  static Index pieces(const W& w) {
    constexpr Index rows = 16384 / sizeof(T);
    return w.by_rows ? 1 : rows / dense_piece;
  }

  static void residuals(const W& w, const T* x, Index first, Index last) {
    const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
    if (w.width > 1) return residuals_of_lines(w, x, first / w.width, last / w.width);
    if (!w.by_rows && w.in_l2)  // for few rows fewer registers have been faster
      return w.rows <= 8 * lanes ? column_blocks<4>(w, x, first, last) : column_blocks<8>(w, x, first, last);
    if (!w.by_rows) return by_columns(w, x, first, last);
    if (w.rows < lanes) return TextbookEntries<T, S>::residuals(w, x, first, last);
    const RowEnd<T> end(x, w.rows);
    for (; first + 8 <= last; first += 8) eight_rows(w, x, first, end);
    for (; first < last; ++first)
      w.r[first] = row_residual<1>(w.a + first * w.leading, x, w.rows, w.b[first], end);
  }

 private:
  static void by_columns(const W& w, const T* x, Index first, Index last) {
    std::copy(w.b + first, w.b + last, w.r + first);
    Index j = 0;
    for (; j + 8 <= w.rows; j += 8)
      each_width<T>(first, last,
                    [&](auto d, Index i, Index end) HWY_ATTR { return eight_columns(d, w, x, j, i, end); });
    for (; j < w.rows; ++j)
      each_width<T>(first, last,
                    [&](auto d, Index i, Index end) HWY_ATTR { return one_column(d, w, x, j, i, end); });
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
