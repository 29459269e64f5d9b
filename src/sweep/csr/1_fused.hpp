// Rung 1, fused: the arrays change roles, the update norm is summed in the sweep; reads A once, copies
// nothing of it: 1.0 times the memory of the matrix, and five vectors.
// Bytes per row with e entries: e (value + column), offset, b, s, u, out: 4 words beside the matrix.
// Compared with rung 0: bitwise; norms within rounding.
#if defined(JACOBI_CSR_FUSED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_FUSED
#undef JACOBI_CSR_FUSED
#else
#define JACOBI_CSR_FUSED
#endif

#include "sweep/csr/0_textbook.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct FusedRows {
  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    for (const Step& given : steps) {
      const Weights<T> step(given);
      const T* const u = w.u;
      T* const out = w.v;
      for (Index s = 0; s < w.pieces; ++s) {
        EightSums sums;
        for_rows(w, s, u, [&](Index i, T r) HWY_ATTR {
          const T value = updated<Scalar<T>>(step, r * w.scale[i], u[i], [&] { return out[i]; });
          out[i] = value;
          sums.add(static_cast<int>(i % EightSums::width), static_cast<double>(value - u[i]));
        });
        w.partials[s] = sums.total();
      }
      std::swap(w.u, w.v);
    }
    record(w, "fused", steps.size(), 1);
    return want == Want::update && !steps.empty() ? total(w) : measure_rows(w, want);
  }
  static Norms norms(SparseWorkspace<T>& w, Want want) { return measure_rows(w, want); }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
