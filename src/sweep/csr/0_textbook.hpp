// Rung 0, textbook: compressed rows as they come; sweep, norm and copy every time.
// Bytes per row with e entries: e (value + column), offset, b, s, x three times for sweep, two each for norm
// and copy: 8 words beside the matrix.
// Compared with: itself; every other rung must give its bits on the same instruction set.
#if defined(JACOBI_CSR_TEXTBOOK) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_TEXTBOOK
#undef JACOBI_CSR_TEXTBOOK
#else
#define JACOBI_CSR_TEXTBOOK
#endif

#include "sweep/csr/row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Norms of u - v, b - A u or D^-1 (b - A u), row after row.
template <class T>
Norms measure_rows(SparseWorkspace<T>& w, Want want) {
  if (want == Want::nothing) return {};
  for (Index s = 0; s < w.pieces; ++s) {
    if (want == Want::update) {
      w.partials[s] = update_of_piece(w, s);
      continue;
    }
    EightSums sums;
    for_rows(w, s, w.u, [&](Index i, T r) {
      sums.add(static_cast<int>(i % EightSums::width),
               static_cast<double>(want == Want::residual ? r : r * w.scale[i]));
    });
    w.partials[s] = sums.total();
  }
  return total(w);
}

template <class T>
struct TextbookRows {
  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    Norms update;
    for (const Step& given : steps) {
      const Weights<T> step(given);
      if (step.kind == StepKind::three_term)
        std::swap(w.u, w.v);  // the recurrence still needs x_(n-1), which a copy would overwrite
      else
        std::copy_n(w.u, w.rows, w.v);
      for (Index s = 0; s < w.pieces; ++s)
        for_rows(w, s, w.v, [&](Index i, T r) HWY_ATTR {
          w.u[i] = updated<Scalar<T>>(step, r * w.scale[i], w.v[i], [&] { return w.u[i]; });
        });
      update = measure_rows(w, Want::update);
    }
    record(w, "textbook", steps.size(), 1);
    return want == Want::update ? update : measure_rows(w, want);
  }
  static Norms norms(SparseWorkspace<T>& w, Want want) { return measure_rows(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
