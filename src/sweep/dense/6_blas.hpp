// Rung 6, blas: r = b, then gemv (gemm for several right-hand sides) of the BLAS with its own threads, then
// the update. r makes 3 more words per row. Compared with rung 0: within its bound.
#if defined(JACOBI_DENSE_BLAS) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_BLAS
#undef JACOBI_DENSE_BLAS
#else
#define JACOBI_DENSE_BLAS
#endif

#include "core/blas.hpp"
#include "sweep/dense/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct BlasEntries {
  using W = DenseWorkspace<T>;
  static constexpr const char* name = "blas";
  static constexpr bool has_ways = false;
  static Index most_threads(const W&) { return 1; }
  static int own_threads(const W& w) { return w.threads; }
  static Index pieces(const W& w) { return w.pieces; }
  static void residuals(const W& w, const T* x, Index first, Index last) {
    std::copy(w.b + first, w.b + last, w.r + first);
    subtract_product(w.by_rows, w.rows, w.a, w.leading, x, w.r, w.width, w.threads);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
