// Rungs 0, textbook, and 1, fused: compressed rows as they come, the matrix where it is.
// One row's update, the order of operations that every algorithm here keeps:
//   r = fma(-a_ij, x_j, ...) over the entries of row i as they lie in the matrix, begun with b_i;
//   plain: x_i + r s; weighted: fma(omega, r s, x_i); three-term: fma(rho, weighted - out_i, out_i);
// s = 1 / divisor, rounded once.
// Bytes per row with e entries: e (value + column), offset, b, s, and x: textbook sweeps, measures and copies
// every time, 8 words beside the matrix; fused swaps the arrays and sums the update norm in the sweep, 4
// words.
// Compared with rung 0: bitwise, as all others; norms within rounding.
#if defined(JACOBI_CSR_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_ROWS_INL
#undef JACOBI_CSR_ROWS_INL
#else
#define JACOBI_CSR_ROWS_INL
#endif

#include <algorithm>

#include "sweep/csr/rows/rows.hpp"
#include "sweep/targets.hpp"
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

/// visit(i, r_i) -> what is summed up of row i, for the rows of a piece.
template <class T, class Visit>
HWY_INLINE Partial for_rows(const RowsWorkspace<T>& w, Index piece, const T* u, Visit&& visit) {
  EightSums sums;
  w.matrix->visit([&](auto offsets, auto columns, auto values) HWY_ATTR {
    const Run rows = w.piece(piece, piece_rows);
    for (Index i = rows.first; i < rows.first + rows.count; ++i)
      sums.add(static_cast<int>(i % EightSums::width),
               static_cast<double>(
                   visit(i, residual_of_row(offsets.data(), columns.data(), values.data(), i, w.b[i], u))));
  });
  return sums.total();
}

/// Norms of u - v, b - A u or D^-1 (b - A u), row after row.
template <class T>
Norms measure_rows(RowsWorkspace<T>& w, Want want) {
  if (want == Want::nothing) return {};
  for (Index s = 0; s < w.pieces; ++s)
    w.partials[s] =
        want == Want::update
            ? update_over(w, w.piece(s, piece_rows))
            : for_rows(w, s, w.u, [&](Index i, T r) { return want == Want::residual ? r : r * w.scale[i]; });
  return w.total();
}

template <class T>
struct TextbookRows {
  using Value = T;
  using W = RowsWorkspace<T>;
  static Norms norms(W& w, Want want) { return measure_rows(w, want); }
  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    Norms update;
    for (const Step& given : steps) {
      const Weights<T> step(given);
      if (step.kind == StepKind::three_term)
        std::swap(w.u, w.v);  // the recurrence still needs x_(n-1), which a copy would overwrite
      else
        std::copy_n(w.u, w.rows, w.v);
      for (Index s = 0; s < w.pieces; ++s)
        for_rows(w, s, w.v, [&](Index i, T r) HWY_ATTR {
          return w.u[i] = updated<Scalar<T>>(step, r * w.scale[i], w.v[i], [&] { return w.u[i]; });
        });
      update = measure_rows(w, Want::update);
    }
    w.record(steps.size(), 1);
    return want == Want::update ? update : measure_rows(w, want);
  }
};

template <class T>
struct FusedRows {
  using Value = T;
  using W = RowsWorkspace<T>;
  static Norms norms(W& w, Want want) { return measure_rows(w, want); }
  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    for (const Step& given : steps) {
      const Weights<T> step(given);
      const T* const u = w.u;
      T* const out = w.v;
      for (Index s = 0; s < w.pieces; ++s)
        w.partials[s] = for_rows(w, s, u, [&](Index i, T r) HWY_ATTR {
          const T value = updated<Scalar<T>>(step, r * w.scale[i], u[i], [&] { return out[i]; });
          out[i] = value;
          return value - u[i];
        });
      std::swap(w.u, w.v);
    }
    w.record(steps.size(), 1);
    return want == Want::update && !steps.empty() ? w.total() : measure_rows(w, want);
  }
};

namespace {

template <class T>
RowsKernels<T> rows_table() {
  const char* const simd = target_name(HWY_TARGET);
  return {{kernels_of<TextbookRows<T>>(simd), kernels_of<FusedRows<T>>(simd)}};
}

TypeTables<RowsKernels> rows_here() { return {rows_table<double>(), rows_table<float>()}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
