// What a pass of rung paired adds up: sums of one iterate, of the next one, or of both with one load of each
// entry, by rows, by columns, and of packed rows.
#if defined(JACOBI_DENSE_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_PAIRS_INL
#undef JACOBI_DENSE_PAIRS_INL
#else
#define JACOBI_DENSE_PAIRS_INL
#endif

#include <hwy/cache_control.h>

#include "sweep/dense/entries-inl.hpp"
#include "sweep/dense/lane_sums-inl.hpp"
#include "sweep/dense/paired/paired.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Which sums a pass takes: of the iterate at hand, of the next one, or of both with one load of each entry.
enum class Sums { at_hand, next, both };
constexpr bool takes_at_hand(Sums sums) { return sums != Sums::next; }
constexpr bool takes_next(Sums sums) { return sums != Sums::at_hand; }

/// What whole vectors leave of x in front of its end `to`, behind zeros. Others may write what lies before.
template <class T>
HWY_INLINE typename Vector<T>::V rest_of_x(const T* x, Index to) {
  const typename Vector<T>::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), rest = to % lanes;
  HWY_ALIGN T values[hn::MaxLanes(d)] = {};
  std::copy(x + to - rest, x + to, values + lanes - rest);
  return hn::Load(d, values);
}

/// Adds the sums of lanes of s to `Rows` rows from row i on; those of the next iterate begin at OfNext.
template <Sums sums, int Rows, int OfNext, class T, class S>
HWY_INLINE void add_to_rows(const PairedWorkspace<T, S>& w, Index i, const typename Vector<T>::V (&s)[8]) {
  const typename Vector<T>::Tag d;
  HWY_ALIGN T sum[8 + hn::MaxLanes(d)];
  sum_lanes<8>(d, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7],
               [&](Index k, auto v) HWY_ATTR { hn::StoreU(v, d, sum + k); });
  for (int k = 0; k < Rows; ++k) {
    if constexpr (takes_at_hand(sums)) w.now[0][i + k] += sum[k];
    if constexpr (takes_next(sums)) w.ahead[0][i + k] += sum[OfNext + k];
  }
}

/// Adds the sums over columns from ... to - 1 of `Rows` rows from row i on, four where both are taken, else
/// eight. `from` is a multiple of whole vectors, and so is `to`, or the rests of x and y are taken as well.
/// What is asked for are the rows that come next, at the same place.
template <Sums sums, int Rows, bool AsksAhead, class T, class S>
HWY_INLINE void pair_of_rows(const PairedWorkspace<T, S>& w, Index i, Index from, Index to, const T* x,
                             const T* y, typename Vector<T>::V rest_x, typename Vector<T>::V rest_y) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  constexpr int of_next = sums == Sums::both ? 4 : 0;
  const S* row[Rows];
  typename A::V s[8];
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) s[k] = A::set(T(0));
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) row[k] = w.a + (i + k) * w.leading;
  const auto add = [&](Index j, typename A::V xj, typename A::V yj) HWY_ATTR {
    JACOBI_UNROLL
    for (int k = 0; k < Rows; ++k) {
      const typename A::V entries = loaded_once(load_entries(d, row[k] + j));
      if constexpr (AsksAhead) hwy::Prefetch(row[k] + Rows * w.leading + j);
      if constexpr (takes_at_hand(sums)) s[k] = A::fma(entries, xj, s[k]);
      if constexpr (takes_next(sums)) s[of_next + k] = A::fma(entries, yj, s[of_next + k]);
    }
  };
  Index j = from;
  for (; j + lanes <= to; j += lanes) add(j, A::load(x + j), A::load(y + j));
  if (j < to) add(to - lanes, rest_x, rest_y);
  add_to_rows<sums, Rows, of_next>(w, i, s);
}

/// The same of a panel of packed rows, `entries` of columns from ... to - 1 and of zeros behind the last one.
template <Sums sums, class T, class S>
HWY_INLINE void pair_of_panels(const PairedWorkspace<T, S>& w, const S* entries, Index i, Index from,
                               Index to, const T* x, const T* y) {
  using A = Vector<T>;
  const typename A::Tag d;
  constexpr int rows = Packed::rows, columns = Packed::columns, lanes = static_cast<int>(A::lanes());
  static_assert(columns % lanes == 0);
  typename A::V s[8];
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) s[k] = A::set(T(0));
  for (Index j = from; j < to; j += columns, entries += rows * columns) JACOBI_UNROLL
  for (int c = 0; c < columns; c += lanes) {
    const auto xj = A::load(x + j + c), yj = A::load(y + j + c);
    JACOBI_UNROLL
    for (int k = 0; k < rows; ++k) {
      const S* const at = entries + k * columns + c;
      if (c == 0 && k * columns * sizeof(S) % 64 == 0) hwy::Prefetch(at + Packed::ahead / sizeof(S));
      const typename A::V value = loaded_once(load_entries(d, at));
      if constexpr (takes_at_hand(sums)) s[k] = A::fma(value, xj, s[k]);
      if constexpr (takes_next(sums)) s[rows + k] = A::fma(value, yj, s[rows + k]);
    }
  }
  if (i + rows <= w.rows) return add_to_rows<sums, rows, rows>(w, i, s);
  for (; i < w.rows; ++i) {  // what is behind the last row stays 0, whatever x has become
    add_to_rows<sums, 1, rows>(w, i, s);
    JACOBI_UNROLL
    for (int k = 0; k < 7; ++k) s[k] = s[k + 1];
  }
}

/// The same of `Count` columns from column j on, to the sums of a group, for rows first ... last - 1, at
/// least a vector of them. Of each column in turn a vector, or, where nothing is asked for ahead, a line as
/// far as registers go. The last vector ends with the last row, and adds zeros to what it shares with the one
/// before.
template <Sums sums, int Count, bool AsksAhead, class T, class S>
HWY_INLINE void pair_of_columns(const PairedWorkspace<T, S>& w, int group, Index j, Index first, Index last,
                                const T* x, const T* y) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  constexpr int fit = has_32_registers ? 4 : 2, filled = 64 / static_cast<int>(sizeof(S) * A::lanes());
  constexpr int line = AsksAhead ? 1 : std::clamp(filled, 1, fit);
  T *const now = w.now[group], *const ahead = w.ahead[group];
  const S* column[Count];
  typename A::V xj[Count], yj[Count];
  JACOBI_UNROLL
  for (int k = 0; k < Count; ++k) {
    column[k] = w.a + (j + k) * w.leading;
    xj[k] = A::set(x[j + k]);
    yj[k] = A::set(y[j + k]);
  }
  const auto add = [&](auto vectors, Index i, auto entries_at) HWY_ATTR {
    constexpr int count = decltype(vectors)::value;
    typename A::V s[count], t[count];
    JACOBI_UNROLL
    for (int m = 0; m < count; ++m)
      s[m] = A::load(now + i + m * lanes), t[m] = A::load(ahead + i + m * lanes);
    JACOBI_UNROLL
    for (int k = 0; k < Count; ++k) {
      JACOBI_UNROLL
      for (int m = 0; m < count; ++m) {
        const S* const from = column[k] + i + m * lanes;
        const typename A::V entries = loaded_once(entries_at(from));
        if constexpr (AsksAhead) hwy::Prefetch(from + Count * w.leading);
        if constexpr (takes_at_hand(sums)) s[m] = A::fma(entries, xj[k], s[m]);
        if constexpr (takes_next(sums)) t[m] = A::fma(entries, yj[k], t[m]);
      }
    }
    JACOBI_UNROLL
    for (int m = 0; m < count; ++m) {
      if constexpr (takes_at_hand(sums)) hn::StoreU(s[m], d, now + i + m * lanes);
      if constexpr (takes_next(sums)) hn::StoreU(t[m], d, ahead + i + m * lanes);
    }
  };
  const auto all_of = [&](const S* from) HWY_ATTR { return load_entries(d, from); };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, line> of_a_line;
  Index i = first;
  for (; i + line * lanes <= last; i += line * lanes) add(of_a_line, i, all_of);
  for (; i + lanes <= last; i += lanes) add(one, i, all_of);
  if (i == last) return;
  const auto taken = hn::FirstN(d, static_cast<std::size_t>(i + lanes - last));
  add(one, last - lanes,
      [&](const S* from) HWY_ATTR { return hn::IfThenZeroElse(taken, load_entries(d, from)); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
