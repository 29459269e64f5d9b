/// One row's update, the order of operations that every rung keeps:
///   r = fma(-a_ij, x_j, ...) over the entries of row i as they lie in the matrix, begun with b_i;
///   plain: x_i + r s; weighted: fma(omega, r s, x_i); three-term: fma(rho, weighted - out_i, out_i);
/// s = 1 / divisor, rounded once.
#if defined(JACOBI_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_ROW_INL
#undef JACOBI_ROW_INL
#else
#define JACOBI_ROW_INL
#endif

#include <algorithm>

#include "sweep/csr/workspace.hpp"
#include "sweep/update-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// b_i - (A u)_i.
template <class T, class I>
HWY_INLINE T residual_of_row(const I* offsets, const I* columns, const T* values, Index i, T b, const T* u) {
  T r = b;
  for (I k = offsets[i]; k < offsets[i + 1]; ++k) r = Scalar<T>::fma(-values[k], u[columns[k]], r);
  return r;
}

/// visit(i, r_i) for the rows of a piece, on the matrix as it is.
template <class T, class Visit>
HWY_INLINE void for_rows(const SparseWorkspace<T>& w, Index piece, const T* u, Visit&& visit) {
  w.matrix->visit([&](auto offsets, auto columns, auto values) HWY_ATTR {
    const Index last = std::min(w.rows, (piece + 1) * piece_rows);
    for (Index i = piece * piece_rows; i < last; ++i)
      visit(i, residual_of_row(offsets.data(), columns.data(), values.data(), i, w.b[i], u));
  });
}

/// Notes, where it happens, what ran.
template <class T>
void record(SparseWorkspace<T>& w, const char* rung, std::size_t sweeps, int threads) {
  w.ran.rung = rung;
  w.ran.simd = target_name(HWY_TARGET);
  w.ran.threads = threads;
  w.ran.sweeps += static_cast<Index>(sweeps);
}

template <class T>
Norms total(const SparseWorkspace<T>& w) {
  return sum_of({w.partials, static_cast<std::size_t>(w.pieces)});
}

/// || u - v || of one piece.
template <class T>
Partial update_of_piece(const SparseWorkspace<T>& w, Index piece) {
  const Index first = piece * piece_rows, count = std::min(w.rows - first, piece_rows);
  const T *u = w.u + first, *v = w.v + first;
  return sum_up(count, [&](Index i) HWY_ATTR { return static_cast<double>(u[i] - v[i]); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
