// Rungs 1 to 4, simd-U, and 5, threads: U vectors at once. By rows: U sums of lanes per row, so that
// additions need not wait for each other. By columns: U vectors of rows held in registers, x_j broadcast to
// all. Loads per multiply-add: by rows 2 (entry, x); by columns 1 + 1 / U. Compared with rung 0: by columns
// bitwise, by rows within its bound.
#if defined(JACOBI_DENSE_SIMD) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_SIMD
#undef JACOBI_DENSE_SIMD
#else
#define JACOBI_DENSE_SIMD
#endif

#include "sweep/dense/0_textbook.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

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

template <int U, class T, class S>
HWY_INLINE T row_residual(const S* row, const T* x, Index n, T b, typename Vector<T>::V end) {
  using A = Vector<T>;
  const Index lanes = static_cast<Index>(hn::Lanes(typename A::Tag()));
  auto s0 = A::set(T(0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  const auto step = [&](typename A::V& s, Index j)
                        HWY_ATTR { s = A::fma(load_entries(typename A::Tag(), row + j), A::load(x + j), s); };
  Index j = 0;
  for (; j + U * lanes <= n; j += U * lanes) {
    step(s0, j);
    if constexpr (U > 1) step(s1, j + lanes);
    if constexpr (U > 2) {
      step(s2, j + 2 * lanes);
      step(s3, j + 3 * lanes);
    }
    if constexpr (U > 4) {
      step(s4, j + 4 * lanes);
      step(s5, j + 5 * lanes);
      step(s6, j + 6 * lanes);
      step(s7, j + 7 * lanes);
    }
  }
  for (; j + lanes <= n; j += lanes) step(s0, j);
  if (n % lanes != 0) s0 = A::fma(load_entries(typename A::Tag(), row + n - lanes), end, s0);
  if constexpr (U > 4)
    s0 = A::add(A::add(s0, s4), A::add(A::add(s1, s5), A::add(A::add(s2, s6), A::add(s3, s7))));
  if constexpr (U == 4) s0 = A::add(A::add(s0, s2), A::add(s1, s3));
  if constexpr (U == 2) s0 = A::add(s0, s1);
  return b - A::lane_sum(s0);
}

/// r of U vectors of rows from row i on, as wide as tag D: b less the columns from `from` on.
template <int U, class D, class T, class S>
HWY_INLINE void column_block(D d, const DenseWorkspace<T, S>& w, const T* b, const T* x, Index i,
                             Index from) {
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  const auto first = [&](int k) HWY_ATTR { return hn::LoadU(d, b + i + k * lanes); };
  auto s0 = first(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
  auto s8 = s0, s9 = s0, s10 = s0, s11 = s0, s12 = s0, s13 = s0, s14 = s0, s15 = s0;
  if constexpr (U > 1) s1 = first(1);
  if constexpr (U > 2) s2 = first(2), s3 = first(3);
  if constexpr (U > 4) s4 = first(4), s5 = first(5), s6 = first(6), s7 = first(7);
  if constexpr (U > 8) s8 = first(8), s9 = first(9), s10 = first(10), s11 = first(11);
  if constexpr (U > 8) s12 = first(12), s13 = first(13), s14 = first(14), s15 = first(15);
  const S* column = w.a + i + from * w.leading;
  for (Index j = from; j < w.rows; ++j, column += w.leading) {
    const auto xj = hn::Set(d, x[j]);
    const auto step = [&](hn::Vec<D>& s, int k)
                          HWY_ATTR { s = hn::NegMulAdd(load_entries(d, column + k * lanes), xj, s); };
    step(s0, 0);
    if constexpr (U > 1) step(s1, 1);
    if constexpr (U > 2) step(s2, 2), step(s3, 3);
    if constexpr (U > 4) step(s4, 4), step(s5, 5), step(s6, 6), step(s7, 7);
    if constexpr (U > 8) step(s8, 8), step(s9, 9), step(s10, 10), step(s11, 11);
    if constexpr (U > 8) step(s12, 12), step(s13, 13), step(s14, 14), step(s15, 15);
  }
  const auto store = [&](hn::Vec<D> s, int k) HWY_ATTR { hn::StoreU(s, d, w.r + i + k * lanes); };
  store(s0, 0);
  if constexpr (U > 1) store(s1, 1);
  if constexpr (U > 2) store(s2, 2), store(s3, 3);
  if constexpr (U > 4) store(s4, 4), store(s5, 5), store(s6, 6), store(s7, 7);
  if constexpr (U > 8) store(s8, 8), store(s9, 9), store(s10, 10), store(s11, 11);
  if constexpr (U > 8) store(s12, 12), store(s13, 13), store(s14, 14), store(s15, 15);
}

/// Vectors of r that stay in registers beside those that are passing through: half of the registers.
constexpr int most_sums = has_32_registers ? 16 : 8;

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

/// r of these rows: U vectors in registers, then half as many.
template <int U, class T, class S>
HWY_INLINE void column_blocks(const DenseWorkspace<T, S>& w, const T* x, Index first, Index last) {
  const typename Vector<T>::Tag d;
  const Index block = U * static_cast<Index>(hn::Lanes(d));
  for (; first + block <= last; first += block) column_block<U>(d, w, w.b, x, first, 0);
  if constexpr (U > 1) return column_blocks<U / 2>(w, x, first, last);
  each_width<T>(first, last, [&](auto tag, Index i, Index end) HWY_ATTR {
    const Index width = static_cast<Index>(hn::Lanes(tag));
    for (; i + width <= end; i += width) column_block<1>(tag, w, w.b, x, i, 0);
    return i;
  });
}

template <class T, int U, bool Parallel = false>
struct SimdEntries {
  using W = DenseWorkspace<T>;
  using Tag = typename Vector<T>::Tag;
  static constexpr const char* name = Parallel ? "threads"
                                      : U == 1 ? "simd-1"
                                      : U == 2 ? "simd-2"
                                      : U == 4 ? "simd-4"
                                               : "simd-8";
  static constexpr bool has_ways = false;
  static Index most_threads(const W& w) { return Parallel ? w.pieces : 1; }
  static int own_threads(const W&) { return 0; }
  static Index pieces(const W& w) { return w.by_rows ? 1 : w.pieces; }

  static void residuals(const W& w, const T* x, Index first, Index last) {
    const Index lanes = static_cast<Index>(hn::Lanes(Tag()));
    if (w.by_rows && w.rows < lanes) return TextbookEntries<T>::residuals(w, x, first, last);
    if (w.by_rows) {
      const auto end = end_of_x<T>(x, w.rows);
      for (Index i = first; i < last; ++i)
        w.r[i] = row_residual<U>(w.a + i * w.leading, x, w.rows, w.b[i], end);
      return;
    }
    column_blocks<U>(w, x, first, last);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
