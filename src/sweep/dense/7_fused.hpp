// Rung 7, fused: A streams through once, update and norm are taken from L1. By rows, four at once, each the
// next one of a band of its own: four sums each where there are 32 registers, 5 loads per 4 multiply-adds,
// every load instruction walking on from row to row of its band as prefetchers want it; or one after the
// other; every other sweep may go backwards, from the rows that the one before left in cache; from L1 eight
// rows, one sum each: 9 loads per 8. By columns: eight or four at once pass over a part of r that stays in
// cache, a piece of each after the other: 9 loads and a store per 8; or r stays in registers, as in rung
// simd-8. Which of these, the first sweeps find out (ways.hpp): the bits are the same. Compared with rung 0:
// by columns bitwise, by rows within its bound, and always the same bits for every number of threads.
#if defined(JACOBI_DENSE_FUSED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_FUSED
#undef JACOBI_DENSE_FUSED
#else
#define JACOBI_DENSE_FUSED
#endif

#include <hwy/cache_control.h>

#include <array>

#include "machine/kernels.hpp"
#include "sweep/dense/1_simd.hpp"
#include "sweep/dense/lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// out[k] = the sum of the lanes of the k-th of eight vectors, or of four neighbouring pairs of them, each as
/// if it stood alone. Writes whole vectors, none over another.
template <int Sums, class D, class V>
HWY_INLINE void store_sums(D d, V s0, V s1, V s2, V s3, V s4, V s5, V s6, V s7, hn::TFromD<D>* out) {
  const auto store = [&](V v, std::size_t at) HWY_ATTR { hn::StoreU(v, d, out + at); };
#if HWY_TARGET == HWY_SCALAR  // one lane has no neighbours
  const V all[] = {s0, s1, s2, s3, s4, s5, s6, s7};
  for (int k = 0; k < 8; k += 8 / Sums) store(Sums == 8 ? all[k] : hn::Add(all[k], all[k + 1]), k * Sums / 8);
#else
  const auto pairs = [d](V a, V b) HWY_ATTR {  // of a in the lower half, of b in the upper one
    return hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
  };
  const auto two = [&](V a, V b) HWY_ATTR { return Sums == 8 ? pairs(a, b) : hn::Add(a, b); };
  const V a = two(s0, s1), b = two(s2, s3), c = two(s4, s5), e = two(s6, s7);
  const std::size_t lanes = hn::Lanes(d);
  if (4 * lanes == Sums) return store(a, 0), store(b, lanes), store(c, 2 * lanes), store(e, 3 * lanes);
  if (2 * lanes == Sums) return store(pairs(a, b), 0), store(pairs(c, e), lanes);
  V all = pairs(pairs(a, b), pairs(c, e));
  for (std::size_t length = lanes; length > Sums; length /= 2) all = pairs(all, all);
  store(all, 0);
#endif
}

/// The sum of the lanes, added as store_sums adds them.
template <class D, class V>
HWY_INLINE hn::TFromD<D> sum_of_lanes([[maybe_unused]] D d, V v) {
#if HWY_TARGET != HWY_SCALAR
  for (std::size_t length = hn::Lanes(d); length > 1; length /= 2)
    v = hn::Add(hn::ConcatEven(d, v, v), hn::ConcatOdd(d, v, v));
#endif
  return hn::GetLane(hn::Vec<D>(v));
}

using machine::bytes_ahead;

/// sum[k] = (A x) of `Rows` rows at once, `stride` entries from each to the next: `Sums` sums of lanes for
/// each row. Writes whole vectors where there are several rows. The bits do not depend on whether these are 1
/// or 4.
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
  constexpr int left = Rows == 8 ? 1 : 2;
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) JACOBI_UNROLL
  for (int m = left; m < Sums; ++m) s[k][m % left] = A::add(s[k][m % left], s[k][m]);
  if constexpr (Rows == 8)
    store_sums<8>(d, s[0][0], s[1][0], s[2][0], s[3][0], s[4][0], s[5][0], s[6][0], s[7][0], sum);
  else if constexpr (Rows == 4)
    store_sums<4>(d, s[0][0], s[0][1], s[1][0], s[1][1], s[2][0], s[2][1], s[3][0], s[3][1], sum);
  else
    *sum = sum_of_lanes(d, A::add(s[0][0], s[0][1]));
}

/// r of rows first ... last - 1: eight neighbours at once, or four, one of each of four bands, or one after
/// the other.
template <int Rows, bool AsksAhead, class T, class S>
HWY_INLINE void rows_together(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last,
                              bool backward) {
  [[maybe_unused]] const hn::CappedTag<T, Rows> d;
  constexpr bool in_bands = Rows == 4;
  constexpr int sums = Rows == 8 ? 1 : most_sums / 4;
  // as many rows are left over, with one sum each, whether one or four are taken at once
  constexpr Index at_least = std::max(Rows, 4);
  const Index groups = (last - first) / at_least * at_least / Rows, apart = in_bands ? groups : 1;
  const auto end = end_of_x<T>(x, w.rows);
  HWY_ALIGN T sum[8 + hn::MaxLanes(typename Vector<T>::Tag())];
  for (Index turn = 0; turn < groups; ++turn) {
    const Index g = backward ? groups - 1 - turn : turn, i = first + g * (in_bands ? 1 : Rows);
    rows_at_once<Rows, sums, AsksAhead>(w.a + i * w.leading, apart * w.leading, x, w.rows, end, sum);
    if constexpr (Rows < 8)
      for (Index k = 0; k < Rows; ++k) w.r[i + k * apart] = w.b[i + k * apart] - sum[k];
    else
      for (Index k = 0; k < Rows; k += static_cast<Index>(hn::Lanes(d)))
        hn::StoreU(hn::Sub(hn::LoadU(d, w.b + i + k), hn::LoadU(d, sum + k)), d, w.r + i + k);
  }
  for (Index i = first + groups * Rows; i < last; ++i)
    w.r[i] = row_residual<1>(w.a + i * w.leading, x, w.rows, w.b[i], end);
}

/// r of rows shorter than a vector: eight at once, each under a mask, and written as whole vectors, 0 after
/// the last row. Where a load under a mask costs more than another, or reads beyond it, one entry after the
/// other.
template <class T, class S>
HWY_INLINE void short_rows(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (std::is_same_v<T, S>) {
    const typename Vector<T>::Tag d;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto eight = hn::FirstN(d, 8);
    const auto in_row = hn::FirstN(d, static_cast<std::size_t>(w.rows));
    const auto unknowns = hn::MaskedLoad(in_row, d, x);
    HWY_ALIGN T sum[8 + hn::MaxLanes(d)];
    for (Index i = first; i < last; i += 8) {
      const auto row = [&](Index k) HWY_ATTR {
        if (i + k >= last) return hn::Zero(d);
        return hn::Mul(hn::MaskedLoad(in_row, d, w.a + (i + k) * w.leading), unknowns);
      };
      store_sums<8>(d, row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7), sum);
      for (Index k = 0; k < 8; k += lanes) {
        const auto sums = hn::IfThenElseZero(eight, hn::LoadU(d, sum + k));
        hn::StoreU(hn::Sub(hn::LoadU(d, w.b + i + k), sums), d, w.r + i + k);
      }
    }
    return;
  }
#endif
  TextbookEntries<T, S>::residuals(w, x, first, last);
}

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

/// r of `Count` vectors of rows from row i to the last one, in registers while all columns pass. The last
/// vector ends with the last row and may begin in the one before: its sums are the same. It is stored as a
/// whole vector, 0 after the last row: what reads it waits for no other store.
template <int Count, class T, class S>
HWY_INLINE void vectors_held(const DenseWorkspace<T, S>& w, const T* x, Index i, Index last) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), behind = Count * lanes - (last - i);
  const auto at = [&](int m) HWY_ATTR { return m * lanes - (m + 1 < Count ? 0 : behind); };
  typename A::V sum[Count];
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) sum[m] = A::load(w.b + i + at(m));
  const S* column = w.a + i;
  for (Index j = 0; j < w.rows; ++j, column += w.leading) {
    const auto unknown = A::set(x[j]);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) sum[m] = hn::NegMulAdd(load_entries(d, column + at(m)), unknown, sum[m]);
  }
  if (behind > 0) sum[Count - 1] = from_lane(d, sum[Count - 1], behind);
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) hn::StoreU(sum[m], d, w.r + i + m * lanes);
}
/// The same for so many vectors, `Most` at most.
template <int Most, class T, class S>
HWY_INLINE void vectors_held(Index count, const DenseWorkspace<T, S>& w, const T* x, Index i, Index last) {
  if (count == Most) return vectors_held<Most>(w, x, i, last);
  if constexpr (Most > 1) vectors_held<Most - 1>(count, w, x, i, last);
}

/// r of fewer rows than a vector has lanes, of short_rows' kind.
template <class T, class S>
HWY_INLINE void short_columns(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (std::is_same_v<T, S>) {
    using A = Vector<T>;
    const typename A::Tag d;
    const auto inside = hn::FirstN(d, static_cast<std::size_t>(last - first));
    auto sum = A::load(w.b + first);
    const S* column = w.a + first;
    for (Index j = 0; j < w.rows; ++j, column += w.leading)
      sum = hn::NegMulAdd(hn::MaskedLoad(inside, d, column), A::set(x[j]), sum);
    hn::StoreU(sum, d, w.r + first);
    return;
  }
#endif
  column_blocks<1>(w, x, first, last);
}

/// r of these rows, U vectors at a time, the last ones in equal parts: a few alone would wait for each
/// other's additions.
template <int U, class T, class S>
HWY_INLINE void rows_held(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  const typename Vector<T>::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), block = U * lanes;
  if (last - first < lanes) return short_columns(w, x, first, last);
  for (; last - first >= 2 * block || last - first == block; first += block) column_block<U>(d, w, x, first);
  while (first < last) {
    const Index left = (last - first + lanes - 1) / lanes, count = left > U ? (left + 1) / 2 : left;
    const Index end = std::min(first + count * lanes, last);
    vectors_held<U>(count, w, x, first, end);
    first = end;
  }
}

template <class T, class S = T>
struct FusedEntries {
  using W = DenseWorkspace<T, S>;
  static constexpr const char* name = "fused";
  static constexpr bool has_ways = true;
  /// Each thread reads at least 16 KiB; where no way alone is tried, of several right-hand sides, as much as
  /// two or three meetings take.
  static Index most_threads(const W& w) {
    if (w.way().alone) return 1;
    const Index least = w.width > 1 ? 131072 : 16384;
    return std::clamp<Index>(w.rows * w.unknowns() * static_cast<Index>(sizeof(S)) / least, 1, w.pieces);
  }
  static int own_threads(const W&) { return 0; }
  /// By rows: a piece per band. By columns: 64 KiB of r.
  static Index pieces(const W& w) {
    if (w.by_rows) return w.level == 1 ? 1 : 4;
    return 65536 / static_cast<Index>(sizeof(T)) / dense_piece;
  }

  static void residuals(const W& w, const T* x, Index first, Index last, bool backward = false) {
    const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
    // another thread's half of x is still in its cache: all of it is asked for at once
    if (w.level == 2 && w.threads > 1 && !w.way().alone)
      for (Index j = 0; j < w.unknowns(); j += 64 / static_cast<Index>(sizeof(T))) hwy::Prefetch(x + j);
    if (w.width > 1) return residuals_of_lines(w, x, first / w.width, last / w.width);
    if (w.by_rows && w.rows < lanes) return short_rows(w, x, first, last);
    const DenseWay& way = w.way();
    if (way.kind == DenseWay::neighbours) return rows_together<8, false>(w, x, first, last, backward);
    if (way.kind == DenseWay::held)
      return way.at_once == 4   ? rows_held<4>(w, x, first, last)
             : way.at_once == 8 ? rows_held<8>(w, x, first, last)
                                : rows_held<most_sums>(w, x, first, last);
    if (way.kind == DenseWay::halved)
      return way.at_once == 4 ? column_blocks<4>(w, x, first, last) : column_blocks<8>(w, x, first, last);
    return way.asks_ahead ? by_way<true>(w, x, first, last, backward)
                          : by_way<false>(w, x, first, last, backward);
  }

  /// r of these rows as far as columns from `from` to `to` go, once for each part of the columns in order.
  static void residuals_of_columns(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    if (from == 0) std::copy(w.b + first, w.b + last, w.r + first);
    return w.way().asks_ahead ? by_columns<true>(w, x, first, last, from, to)
                              : by_columns<false>(w, x, first, last, from, to);
  }

 private:
  template <bool AsksAhead>
  static void by_way(const W& w, const T* x, Index first, Index last, bool backward) {
    if (w.way().kind == DenseWay::bands) return rows_together<4, AsksAhead>(w, x, first, last, backward);
    if (w.way().kind == DenseWay::rows) return rows_together<1, AsksAhead>(w, x, first, last, backward);
    std::copy(w.b + first, w.b + last, w.r + first);
    by_columns<AsksAhead>(w, x, first, last, 0, w.rows);
  }
  template <bool AsksAhead>
  static void by_columns(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    return w.way().at_once == 4 ? in_pieces<4, AsksAhead>(w, x, first, last, from, to)
                                : in_pieces<8, AsksAhead>(w, x, first, last, from, to);
  }
  template <int AtOnce, bool AsksAhead>
  static void in_pieces(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    using A = Vector<T>;
    constexpr int line = std::max(1, static_cast<int>(64 / sizeof(T) / hn::MaxLanes(typename A::Tag())));
    switch (w.way().piece) {
      case DenseWay::line:
        return columns<AtOnce, line, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_fours:
        return columns<AtOnce, 4, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_short:
        return columns<AtOnce, most_sums / 2, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_long:
        return columns<AtOnce, most_sums, AsksAhead>(w, x, first, last, from, to);
    }
  }
  /// Columns `AtOnce`, in the end one by one; `Lines` vectors of each after the other, in the end one by one.
  template <int AtOnce, int Lines, bool AsksAhead>
  static void columns(const W& w, const T* x, Index first, Index last, Index j, Index to) {
    const auto rest = [&](auto at_once, Index i) HWY_ATTR {
      each_width<T>(i, last, [&](auto d, Index from, Index end) HWY_ATTR {
        return columns_at_once<decltype(at_once)::value>(d, w, x, j, from, end);
      });
    };
    for (; j + AtOnce <= to; j += AtOnce)
      rest(std::integral_constant<int, AtOnce>(),
           pieces_of_columns<AtOnce, Lines, AsksAhead>(w, x, j, first, last));
    for (; j < to; ++j) rest(std::integral_constant<int, 1>(), first);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
