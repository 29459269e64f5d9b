// Residuals by columns: several columns pass over r, a piece of each after the other, or r stays in
// registers.
#if defined(JACOBI_DENSE_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_COLUMNS_INL
#undef JACOBI_DENSE_COLUMNS_INL
#else
#define JACOBI_DENSE_COLUMNS_INL
#endif

#include <hwy/cache_control.h>

#include <array>

#include "machine/kernels.hpp"
#include "sweep/dense/1_simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

using machine::bytes_ahead;

/// r -= `Columns` columns from j on times their unknowns, for rows i ... last as far as `Lines` whole vectors
/// go, so many of one column, then of the next one; returns the first row left. All addresses stand in
/// registers before the loop: where they are found in it, loads leave the order that prefetchers know.
template <int Columns, int Lines, bool AsksAhead, class T, class S>
HWY_INLINE Index pieces_of_columns(const DenseWorkspace<T, S>& w, const T* x, Index j, Index i, Index last) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  T* const r = w.r;
  const S* column[Columns];
  typename A::V unknown[Columns], sum[Lines];
  JACOBI_UNROLL
  for (int k = 0; k < Columns; ++k) column[k] = w.a + (j + k) * w.leading, unknown[k] = A::set(x[j + k]);
  for (; i + Lines * lanes <= last; i += Lines * lanes) {
    JACOBI_UNROLL
    for (int m = 0; m < Lines; ++m) sum[m] = A::load(r + i + m * lanes);
    JACOBI_UNROLL
    for (int k = 0; k < Columns; ++k) JACOBI_UNROLL
    for (int m = 0; m < Lines; ++m) {
      const S* const entries = column[k] + i + m * lanes;
      if constexpr (AsksAhead) hwy::Prefetch(entries + bytes_ahead / sizeof(S));
      sum[m] = hn::NegMulAdd(load_entries(d, entries), unknown[k], sum[m]);
    }
    JACOBI_UNROLL
    for (int m = 0; m < Lines; ++m) hn::StoreU(sum[m], d, r + i + m * lanes);
  }
  return i;
}

/// The same, one vector of D at a time.
template <int Columns, class D, class T, class S>
HWY_INLINE Index columns_at_once(D d, const DenseWorkspace<T, S>& w, const T* x, Index j, Index i,
                                 Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(d)), leading = w.leading;
  T* const r = w.r;
  const S* const a = w.a + j * leading;
  const auto unknown = [&](int k) HWY_ATTR { return hn::Set(d, k < Columns ? x[j + k] : T(0)); };
  const auto x0 = unknown(0), x1 = unknown(1), x2 = unknown(2), x3 = unknown(3);
  const auto x4 = unknown(4), x5 = unknown(5), x6 = unknown(6), x7 = unknown(7);
  for (; i + lanes <= last; i += lanes) {
    auto sum = hn::LoadU(d, r + i);
    const auto subtract = [&](int k, hn::Vec<D> xk) HWY_ATTR {
      sum = hn::NegMulAdd(load_entries(d, a + k * leading + i), xk, sum);
    };
    subtract(0, x0);
    if constexpr (Columns > 1) subtract(1, x1), subtract(2, x2), subtract(3, x3);
    if constexpr (Columns > 4) subtract(4, x4), subtract(5, x5), subtract(6, x6), subtract(7, x7);
    hn::StoreU(sum, d, r + i);
  }
  return i;
}

/// Lanes `from`, from + 1, ... of a vector in lanes 0, 1, ..., and 0 after them.
template <class D, class V>
HWY_INLINE V from_lane([[maybe_unused]] D d, V v, [[maybe_unused]] Index from) {
#if HWY_TARGET != HWY_SCALAR
  using Lane = hwy::MakeSigned<hn::TFromD<D>>;
  constexpr std::size_t most = hn::MaxLanes(d);
  static constexpr auto turned = [] {
    std::array<Lane, 2 * most> lane{};
    for (std::size_t k = 0; k < 2 * most; ++k) lane[k] = static_cast<Lane>(k % most);
    return lane;
  }();
  const auto wanted = hn::IndicesFromVec(d, hn::LoadU(hn::Rebind<Lane, D>(), turned.data() + from));
  v = hn::IfThenElseZero(hn::FirstN(d, hn::Lanes(d) - static_cast<std::size_t>(from)),
                         hn::TableLookupLanes(v, wanted));
#endif
  return v;
}

/// Where the m-th of `Count` vectors of rows i ... last - 1 begins, counted from i: the last one ends with
/// the last row, and may begin in the one before: its sums are the same.
template <int Count>
HWY_INLINE Index begin_of_vector(int m, Index lanes, Index i, Index last) {
  return m + 1 < Count ? m * lanes : last - i - lanes;
}
/// Stores `Count` such vectors; the last one as a whole, 0 after the last row: what reads it waits for no
/// other store.
template <int Count, class T, class V>
HWY_INLINE void store_vectors(V (&sum)[Count], T* to, Index i, Index last) {
  const typename Vector<T>::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), behind = Count * lanes - (last - i);
  if (behind > 0) sum[Count - 1] = from_lane(d, sum[Count - 1], behind);
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) hn::StoreU(sum[m], d, to + i + m * lanes);
}

/// r of `Count` vectors of rows from row i to the last one, in registers while the columns from `from` on
/// pass: what these leave of b.
template <int Count, class T, class S>
HWY_INLINE void vectors_held(const DenseWorkspace<T, S>& w, const T* b, const T* x, Index i, Index last,
                             Index from) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const auto at = [&](int m) HWY_ATTR { return begin_of_vector<Count>(m, lanes, i, last); };
  typename A::V sum[Count];
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) sum[m] = A::load(b + i + at(m));
  const S* column = w.a + i + from * w.leading;
  for (Index j = from; j < w.rows; ++j, column += w.leading) {
    const auto unknown = A::set(x[j]);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) sum[m] = hn::NegMulAdd(load_entries(d, column + at(m)), unknown, sum[m]);
  }
  store_vectors<Count>(sum, w.r, i, last);
}

/// The same of two iterates, as far as the columns before `end` go, with one load of each entry: what they
/// leave of b to w.r for x and to w.rest for y.
template <int Count, class T, class S>
HWY_INLINE void vectors_of_both(const DenseWorkspace<T, S>& w, const T* x, const T* y, Index i, Index last,
                                Index end) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const auto at = [&](int m) HWY_ATTR { return begin_of_vector<Count>(m, lanes, i, last); };
  typename A::V of_x[Count], of_y[Count];
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) of_x[m] = of_y[m] = A::load(w.b + i + at(m));
  const S* column = w.a + i;
  for (Index j = 0; j < end; ++j, column += w.leading) {
    const auto xj = A::set(x[j]), yj = A::set(y[j]);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) {
      const typename A::V entries = loaded_once(load_entries(d, column + at(m)));
      of_x[m] = hn::NegMulAdd(entries, xj, of_x[m]);
      of_y[m] = hn::NegMulAdd(entries, yj, of_y[m]);
    }
  }
  store_vectors<Count>(of_x, w.r, i, last);
  store_vectors<Count>(of_y, w.rest, i, last);
}

/// run(count) with a count, `Most` at most, known to the compiler.
template <int Most, class Run>
HWY_INLINE void with_count(Index count, Run&& run) {
  if (count == Most) return run(std::integral_constant<int, Most>());
  if constexpr (Most > 1) with_count<Most - 1>(count, run);
}

/// run(count, i, end) for these rows, U vectors at a time, the last ones in equal parts: a few alone would
/// wait for each other's additions.
template <int U, class Run>
HWY_INLINE void in_vectors(Index lanes, Index first, Index last, Run&& run) {
  const Index block = U * lanes;
  for (; last - first >= 2 * block || last - first == block; first += block)
    run(std::integral_constant<int, U>(), first, first + block);
  while (first < last) {
    const Index left = (last - first + lanes - 1) / lanes, count = left > U ? (left + 1) / 2 : left;
    const Index end = std::min(first + count * lanes, last);
    with_count<U>(count, [&](auto vectors) HWY_ATTR { run(vectors, first, end); });
    first = end;
  }
}

/// r of `Count` vectors of rows in registers while all columns pass: of the last vector the lanes of
/// `inside`, and 0 behind them, also where an unknown is beyond all bounds.
template <int Count, class T>
HWY_INLINE void masked_vectors(const T* a, Index leading, Index columns, const T* b, const T* x,
                               hn::Mask<typename Vector<T>::Tag> inside, typename Vector<T>::V (&r)[Count]) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) r[m] = A::load(b + m * lanes);
  for (Index j = 0; j < columns; ++j, a += leading) {
    const auto unknown = A::set(x[j]);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) {
      const T* const from = a + m * lanes;
      const typename A::V entries = m + 1 < Count ? A::load(from) : typename A::V(load_only(d, inside, from));
      r[m] = hn::NegMulAdd(entries, unknown, r[m]);
    }
  }
  r[Count - 1] = A::only(inside, r[Count - 1]);
}

/// r of fewer rows than a vector has lanes.
template <class T, class S>
HWY_INLINE void short_columns(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  if constexpr (has_masked_loads && std::is_same_v<T, S>) {
    const typename Vector<T>::Tag d;
    typename Vector<T>::V r[1];
    masked_vectors<1>(w.a + first, w.leading, w.rows, w.b + first, x,
                      hn::FirstN(d, static_cast<std::size_t>(last - first)), r);
    hn::StoreU(r[0], d, w.r + first);
    return;
  }
  column_blocks<1>(w, x, first, last);
}

/// r of these rows, U vectors at a time: what the columns from `from` on leave of b; of fewer rows than a
/// vector's, what all columns leave of w.b.
template <int U, class T, class S>
HWY_INLINE void rows_held(const DenseWorkspace<T, S>& w, const T* b, const T* x, Index first, Index last,
                          Index from) {
  const typename Vector<T>::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  if (last - first < lanes) return short_columns(w, x, first, last);
  in_vectors<U>(lanes, first, last, [&](auto count, Index i, Index end) HWY_ATTR {
    constexpr int vectors = decltype(count)::value;
    if constexpr (vectors == U)
      if (end - i == U * lanes) return column_block<U>(d, w, b, x, i, from);
    vectors_held<vectors>(w, b, x, i, end, from);
  });
}

/// r of a panel of at least a vector of rows, in a sweep from x to y that knows y in all rows before, and in
/// w.rest what these leave of b in the sweep from y on.
template <int U, class T, class S>
HWY_INLINE void panel_of_both(const DenseWorkspace<T, S>& w, const T* x, const T* y, Index first,
                              Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  in_vectors<U>(lanes, first, last, [&](auto count, Index i, Index end) HWY_ATTR {
    vectors_of_both<decltype(count)::value>(w, x, y, i, end, first);
  });
  rows_held<U>(w, w.r, x, first, last, first);
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
