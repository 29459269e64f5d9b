// Residuals of rows from entries as they are stored, which plain rungs and others share. By rows: U sums of
// lanes per row, so that additions need not wait for each other. By columns: vectors of rows held in
// registers, x_j broadcast to all. Loads per multiply-add: by rows 2 (entry, x); by columns 1 + 1 / U.
#if defined(JACOBI_DENSE_ENTRIES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_ENTRIES_INL
#undef JACOBI_DENSE_ENTRIES_INL
#else
#define JACOBI_DENSE_ENTRIES_INL
#endif

#include <array>

#include "sweep/dense/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// r of unknowns first ... last - 1, entry after entry of a row, the matrix in either layout.
template <class T, class S>
HWY_INLINE void residuals_of_entries(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  const Index down = w.by_rows ? w.leading : 1, along = w.by_rows ? 1 : w.leading;
  for (Index p = first; p < last; ++p) {
    const S* const row = w.a + p / w.width * down;
    const T* const column = x + p % w.width;
    T r = w.b[p];
    for (Index j = 0; j < w.rows; ++j) r = Scalar<T>::fma(-value_of(row[j * along]), column[j * w.width], r);
    w.r[p] = r;
  }
}

/// A vector of entries, from whatever they are stored as.
template <class D>
HWY_INLINE hn::Vec<D> load_entries(D d, const hn::TFromD<D>* from) {
  return hn::LoadU(d, from);
}
template <class D>
HWY_INLINE hn::Vec<D> load_entries(D d, const Bf16* from) {
  const hn::Rebind<std::uint16_t, D> narrow;
  const hn::Rebind<std::uint32_t, D> wide;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(wide, hn::LoadU(narrow, &from->bits))));
}

/// v in a register: a compiler may load twice what is used twice.
template <class V>
HWY_INLINE V loaded_once(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Whether the first lanes of a vector can be loaded and nothing behind them read.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
constexpr bool has_masked_loads = true;
#else
constexpr bool has_masked_loads = false;
#endif
/// The lanes of `where`, its first ones, else 0; where there are no such loads, the whole vector.
template <class D, class Mask>
HWY_INLINE hn::Vec<D> load_only(D d, [[maybe_unused]] Mask where, const hn::TFromD<D>* from) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(where, d, from);
#else
  return hn::LoadU(d, from);
#endif
}

/// The last vector of x, zeros for what whole vectors before it have taken: the entries of a row that fill no
/// vector are multiplied with it by a load that overlaps those before. Reads nothing beyond the row, which a
/// masked load does on some instruction sets. Needs rows >= lanes; nothing to add where lanes divide rows.
template <class T>
HWY_INLINE typename Vector<T>::V end_of_x(const T* x, Index rows) {
  const typename Vector<T>::Tag d;
  const std::size_t lanes = hn::Lanes(d), taken = lanes - static_cast<std::size_t>(rows) % lanes;
  return hn::IfThenZeroElse(hn::FirstN(d, taken), hn::LoadU(d, x + rows - static_cast<Index>(lanes)));
}

/// b less the row times x, in U sums.
template <int U, class T, class S>
HWY_INLINE T row_residual(const S* row, const T* x, Index n, T b, typename Vector<T>::V end) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  typename A::V s[U];
  JACOBI_UNROLL
  for (int k = 0; k < U; ++k) s[k] = A::set(T(0));
  Index j = 0;
  for (; j + U * lanes <= n; j += U * lanes) JACOBI_UNROLL
  for (int k = 0; k < U; ++k)
    s[k] = A::fma(load_entries(d, row + j + k * lanes), A::load(x + j + k * lanes), s[k]);
  for (; j + lanes <= n; j += lanes) s[0] = A::fma(load_entries(d, row + j), A::load(x + j), s[0]);
  if (n % lanes != 0) s[0] = A::fma(load_entries(d, row + n - lanes), end, s[0]);
  JACOBI_UNROLL
  for (int k = 0; k < U / 2; ++k) s[k] = A::add(s[k], s[k + U / 2]);
  JACOBI_UNROLL
  for (int apart = 1; apart < U / 2; apart *= 2) JACOBI_UNROLL
  for (int k = 0; k + apart < U / 2; k += 2 * apart) s[k] = A::add(s[k], s[k + apart]);
  return b - A::lane_sum(s[0]);
}

/// Vectors of r that stay in registers beside those that are passing through: half of the registers.
constexpr int most_sums = has_32_registers ? 16 : 8;

/// Where the m-th of `Count` vectors of rows i ... last - 1 begins, counted from i: the last one ends with
/// the last row, and may begin in the one before: its sums are the same.
template <int Count>
HWY_INLINE Index begin_of_vector(int m, Index lanes, Index i, Index last) {
  return m + 1 < Count ? m * lanes : last - i - lanes;
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

/// r of `Count` vectors of rows from row i on to the last one, in registers while the columns from `from` on
/// pass: what these leave of b. Whole: they end with the last row.
template <int Count, bool whole, class T, class S>
HWY_INLINE void vectors_held(const DenseWorkspace<T, S>& w, const T* b, const T* x, Index i, Index last,
                             Index from) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const auto at = [&](int m)
                      HWY_ATTR { return whole ? m * lanes : begin_of_vector<Count>(m, lanes, i, last); };
  typename A::V sum[Count];
  JACOBI_UNROLL
  for (int m = 0; m < Count; ++m) sum[m] = A::load(b + i + at(m));
  const S* column = w.a + i + from * w.leading;
  for (Index j = from; j < w.rows; ++j, column += w.leading) {
    const auto unknown = A::set(x[j]);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) sum[m] = hn::NegMulAdd(load_entries(d, column + at(m)), unknown, sum[m]);
  }
  store_vectors<Count>(sum, w.r, i, whole ? i + Count * lanes : last);
}

/// run(tag, i, last) -> next i for rows from first to last: in whole vectors, then in halves of them, down to
/// single rows.
template <class T, class Run>
HWY_INLINE void each_width(Index i, Index last, Run&& run) {
  i = run(typename Vector<T>::Tag(), i, last);
  if (i == last) return;
  i = run(hn::CappedTag<T, 8>(), i, last);
  i = run(hn::CappedTag<T, 4>(), i, last);
  i = run(hn::CappedTag<T, 2>(), i, last);
  run(hn::CappedTag<T, 1>(), i, last);
}

/// r of these rows: U vectors in registers, then half as many, down to single rows.
template <int U, class T, class S>
HWY_INLINE void column_blocks(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  if constexpr (U > 1) {
    const Index block = U * static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
    for (; first + block <= last; first += block) vectors_held<U, true>(w, w.b, x, first, last, 0);
    return column_blocks<U / 2>(w, x, first, last);
  }
  each_width<T>(first, last, [&](auto d, Index i, Index end) HWY_ATTR {
    const Index width = static_cast<Index>(hn::Lanes(d));
    for (; i + width <= end; i += width) {
      auto sum = hn::LoadU(d, w.b + i);
      const S* column = w.a + i;
      for (Index j = 0; j < w.rows; ++j, column += w.leading)
        sum = hn::NegMulAdd(load_entries(d, column), hn::Set(d, x[j]), sum);
      hn::StoreU(sum, d, w.r + i);
    }
    return i;
  });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
