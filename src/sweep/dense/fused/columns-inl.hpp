// Residuals by columns: several columns pass over r, a piece of each after the other, or r stays in
// registers.
#if defined(JACOBI_DENSE_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_COLUMNS_INL
#undef JACOBI_DENSE_COLUMNS_INL
#else
#define JACOBI_DENSE_COLUMNS_INL
#endif

#include "sweep/dense/entries-inl.hpp"
#include "sweep/dense/fused/fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// r -= `Count` columns from j on times their unknowns, for rows i ... last as far as pieces of whole
/// vectors go, one of each column after the other; returns the first row left. All addresses stand in
/// registers before the loop: where they are found in it, loads leave the order that prefetchers know.
template <int Count, class T, class S>
HWY_INLINE Index pieces_of_columns(const DenseWorkspace<T, S>& w, const T* x, Index j, Index i, Index last) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  constexpr int piece = most_sums / 2;
  T* const r = w.r;
  const S* column[Count];
  typename A::V unknown[Count], sum[piece];
  JACOBI_UNROLL
  for (int k = 0; k < Count; ++k) column[k] = w.a + (j + k) * w.leading, unknown[k] = A::set(x[j + k]);
  for (; i + piece * lanes <= last; i += piece * lanes) {
    JACOBI_UNROLL
    for (int m = 0; m < piece; ++m) sum[m] = A::load(r + i + m * lanes);
    JACOBI_UNROLL
    for (int k = 0; k < Count; ++k) JACOBI_UNROLL
    for (int m = 0; m < piece; ++m)
      sum[m] = hn::NegMulAdd(load_entries(d, column[k] + i + m * lanes), unknown[k], sum[m]);
    JACOBI_UNROLL
    for (int m = 0; m < piece; ++m) hn::StoreU(sum[m], d, r + i + m * lanes);
  }
  return i;
}

/// The same, one vector of D at a time.
template <int Count, class D, class T, class S>
HWY_INLINE Index columns_at_once(D d, const DenseWorkspace<T, S>& w, const T* x, Index j, Index i,
                                 Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  T* const r = w.r;
  const S* column[Count];
  T unknown[Count];
  JACOBI_UNROLL
  for (int k = 0; k < Count; ++k) column[k] = w.a + (j + k) * w.leading, unknown[k] = x[j + k];
  for (; i + lanes <= last; i += lanes) {
    auto sum = hn::LoadU(d, r + i);
    JACOBI_UNROLL
    for (int k = 0; k < Count; ++k)
      sum = hn::NegMulAdd(load_entries(d, column[k] + i), hn::Set(d, unknown[k]), sum);
    hn::StoreU(sum, d, r + i);
  }
  return i;
}

/// r of these rows less the columns from j on as far as so many at once go before `to`; returns the first
/// column left.
template <int Count, class T, class S>
HWY_INLINE Index columns(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last, Index j,
                         Index to) {
  for (; j + Count <= to; j += Count) {
    const Index i = Count > 1 ? pieces_of_columns<Count>(w, x, j, first, last) : first;
    each_width<T>(i, last, [&](auto d, Index from, Index end) HWY_ATTR {
      return columns_at_once<Count>(d, w, x, j, from, end);
    });
  }
  return j;
}

/// vectors_held() of two iterates, as far as the columns before `end` go, with one load of each entry: what
/// they leave of b to w.r for x and to w.rest for y.
template <int Count, class T, class S>
HWY_INLINE void vectors_of_both(const FusedWorkspace<T, S>& w, const T* x, const T* y, Index i, Index last,
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
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  if (last - first < lanes) return short_columns(w, x, first, last);
  in_vectors<U>(lanes, first, last, [&](auto count, Index i, Index end) HWY_ATTR {
    constexpr int vectors = decltype(count)::value;
    if constexpr (vectors == U)
      if (end - i == U * lanes) return vectors_held<U, true>(w, b, x, i, end, from);
    vectors_held<vectors, false>(w, b, x, i, end, from);
  });
}

/// r of a panel of at least a vector of rows, in a sweep from x to y that knows y in all rows before, and in
/// w.rest what these leave of b in the sweep from y on.
template <int U, class T, class S>
HWY_INLINE void panel_of_both(const FusedWorkspace<T, S>& w, const T* x, const T* y, Index first,
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
