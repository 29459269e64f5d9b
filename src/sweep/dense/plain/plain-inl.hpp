// Rungs 0, textbook: two plain loops, entry after entry of a row, whichever way the matrix lies; 1 to 4,
// simd-U, and 5, threads: U vectors at once (entries-inl.hpp); 6, blas: r = b, then gemv (gemm for several
// right-hand sides) of the BLAS with its own threads, then the update, for which r makes 3 more words per
// row. Compared with rung 0: within |r - r_0| <= 2 (n + 2) u (|b| + |A| |x|), u the unit of rounding, as all
// dense rungs; those that add one entry of a row after the other, as simd-U do by columns, its bits.
#if defined(JACOBI_DENSE_PLAIN_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_PLAIN_INL
#undef JACOBI_DENSE_PLAIN_INL
#else
#define JACOBI_DENSE_PLAIN_INL
#endif

#include "core/blas.hpp"
#include "sweep/dense/entries-inl.hpp"
#include "sweep/dense/plain/plain.hpp"
#include "sweep/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct TextbookEntries : DenseKernel {
  using W = DenseWorkspace<T>;
  static Index pieces(const W&) { return 1; }
  static void residuals(const W& w, const T* x, Index first, Index last, bool) {
    residuals_of_entries(w, x, first, last);
  }
};

template <class T, int U, bool parallel = false>
struct SimdEntries : DenseKernel {
  using W = DenseWorkspace<T>;
  static Index most_threads(const W& w) { return parallel ? w.pieces : 1; }
  static Index pieces(const W& w) { return w.by_rows ? 1 : w.pieces; }

  static void residuals(const W& w, const T* x, Index first, Index last, bool) {
    if (!w.by_rows) return column_blocks<U>(w, x, first, last);
    if (w.rows < Vector<T>::lanes()) return residuals_of_entries(w, x, first, last);
    const auto end = end_of_x<T>(x, w.rows);
    for (Index i = first; i < last; ++i)
      w.r[i] = row_residual<U>(w.a + i * w.leading, x, w.rows, w.b[i], end);
  }
};

template <class T>
struct BlasEntries : DenseKernel {
  using W = DenseWorkspace<T>;
  static int own_threads(const W& w) { return w.threads; }
  static Index pieces(const W& w) { return w.pieces; }
  static void residuals(const W& w, const T* x, Index first, Index last, bool) {
    std::copy(w.b + first, w.b + last, w.r + first);
    subtract_product(w.by_rows, w.rows, w.a, w.leading, x, w.r, w.width, w.threads);
  }
};

namespace {

template <class T, class... Entries>
DensePlainKernels<T> dense_plain_table() {
  return {{kernels_of<DenseSweep<T, Entries>>(target_name(HWY_TARGET))...}};
}
template <class T>
DensePlainKernels<T> dense_plain_rungs() {
  return dense_plain_table<T, TextbookEntries<T>, SimdEntries<T, 1>, SimdEntries<T, 2>, SimdEntries<T, 4>,
                           SimdEntries<T, 8>, SimdEntries<T, 8, true>, BlasEntries<T>>();
}

TypeTables<DensePlainKernels> dense_plain_here() {
  return {dense_plain_rungs<double>(), dense_plain_rungs<float>()};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
