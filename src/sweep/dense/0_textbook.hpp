// Rung 0, textbook: two plain loops, entry after entry of a row, whichever way the matrix lies.
// Compared with: itself; the other rungs give its values within |r - r_0| <= 2 (n + 2) u (|b| + |A| |x|), u
// the unit of rounding; those that add one entry of a row after the other, its bits.
#if defined(JACOBI_DENSE_TEXTBOOK) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_TEXTBOOK
#undef JACOBI_DENSE_TEXTBOOK
#else
#define JACOBI_DENSE_TEXTBOOK
#endif

#include "sweep/dense/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// b_p - sum_j a_ij x_j for unknown p of row i, the matrix in either layout.
template <class T, class S>
HWY_INLINE void residual_of_entries(const DenseWorkspace<T, S>& w, const T* x, Index p) {
  const Index down = w.by_rows ? w.leading : 1, along = w.by_rows ? 1 : w.leading;
  const S* const row = w.a + p / w.width * down;
  const T* const column = x + p % w.width;
  T r = w.b[p];
  for (Index j = 0; j < w.rows; ++j) r = Scalar<T>::fma(-value_of(row[j * along]), column[j * w.width], r);
  w.r[p] = r;
}

template <class T, class S = T>
struct TextbookEntries {
  using W = DenseWorkspace<T, S>;
  static constexpr const char* name = "textbook";
  static constexpr bool has_ways = false;
  static Index most_threads(const W&) { return 1; }
  static int own_threads(const W&) { return 0; }
  static Index pieces(const W&) { return 1; }
  static void residuals(const W& w, const T* x, Index first, Index last) {
    for (Index i = first; i < last; ++i) residual_of_entries(w, x, i);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
