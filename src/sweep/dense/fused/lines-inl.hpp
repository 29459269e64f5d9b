// Several right-hand sides: a line of them per row, so that vectors hold right-hand sides instead of rows,
// and an entry of A, sent to all lanes, serves a vector of updates: A is read once for all. Eight rows (or
// columns) at a time share the loads of x (or r). Entries are added in their order: the bits of rung 0.
#if defined(JACOBI_DENSE_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_LINES_INL
#undef JACOBI_DENSE_LINES_INL
#else
#define JACOBI_DENSE_LINES_INL
#endif

#include "sweep/dense/fused/fused.hpp"
#include "sweep/dense/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// r of `Rows` rows from row i on for a vector of right-hand sides from c on: x is loaded once for all of
/// them. By columns, where these are near: eight rows are a cache line of each.
template <int Rows, class T, class S>
HWY_INLINE void rows_of_lines(const DenseWorkspace<T, S>& w, const T* x, Index i, Index c) {
  using A = Vector<T>;
  constexpr Index width = 64 / sizeof(T);
  T* const r = w.r + i * width + c;
  const T* const b = w.b + i * width + c;
  const Index down = w.by_rows ? w.leading : 1, along = w.by_rows ? 1 : w.leading;
  const S* const a = w.a + i * down;
  typename A::V sum[Rows];
  for (int k = 0; k < Rows; ++k) sum[k] = A::load(b + k * width);
  for (Index j = 0; j < w.rows; ++j) {
    const auto xj = A::load(x + j * width + c);
    for (int k = 0; k < Rows; ++k)
      sum[k] = hn::NegMulAdd(A::set(static_cast<T>(value_of(a[k * down + j * along]))), xj, sum[k]);
  }
  for (int k = 0; k < Rows; ++k) hn::StoreU(sum[k], typename A::Tag(), r + k * width);
}

/// r -= `Count` columns from j on times their unknowns, for rows first ... last and a vector of right-hand
/// sides from c on.
template <int Count, class T, class S>
HWY_INLINE void columns_of_lines(const DenseWorkspace<T, S>& w, const T* x, Index j, Index first, Index last,
                                 Index c) {
  using A = Vector<T>;
  constexpr Index width = 64 / sizeof(T);
  const Index leading = w.leading;
  const S* const a = w.a + j * leading;
  typename A::V xj[Count];
  for (int k = 0; k < Count; ++k) xj[k] = A::load(x + (j + k) * width + c);
  for (Index i = first; i < last; ++i) {
    T* const r = w.r + i * width + c;
    auto sum = A::load(r);
    for (int k = 0; k < Count; ++k)
      sum = hn::NegMulAdd(A::set(static_cast<T>(value_of(a[k * leading + i]))), xj[k], sum);
    hn::StoreU(sum, typename A::Tag(), r);
  }
}

/// r of rows first ... last for all right-hand sides.
template <class T, class S>
void residuals_of_lines(const FusedWorkspace<T, S>& w, const T* x, Index first, Index last) {
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  const bool near = w.by_rows || w.level <= 2;
  if (!near) std::copy(w.b + first * w.width, w.b + last * w.width, w.r + first * w.width);
  for (Index c = 0; c < w.width; c += lanes) {
    if (near) {
      Index i = first;
      for (; i + 8 <= last; i += 8) rows_of_lines<8>(w, x, i, c);
      for (; i < last; ++i) rows_of_lines<1>(w, x, i, c);
    } else {
      Index j = 0;
      for (; j + 8 <= w.rows; j += 8) columns_of_lines<8>(w, x, j, first, last, c);
      for (; j < w.rows; ++j) columns_of_lines<1>(w, x, j, first, last, c);
    }
  }
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
