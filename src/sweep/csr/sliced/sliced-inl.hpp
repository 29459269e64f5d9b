// Rung 6, sliced: for entries scattered over a vector that L2 does not hold. Slice after slice of the
// columns, whose unknowns stay in L2, adds to the residuals of all rows; then the rows are updated. Bytes per
// row with e entries: e (value + 4), and for each slice 2 words of the residual; b, s, u, out. Compared with
// rung 0: bitwise, as a row meets its columns in ascending order; norms within rounding.
#if defined(JACOBI_CSR_SLICED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_SLICED_INL
#undef JACOBI_CSR_SLICED_INL
#else
#define JACOBI_CSR_SLICED_INL
#endif

#include "core/team.hpp"
#include "sweep/csr/algorithm.hpp"
#include "sweep/csr/sliced/slices.hpp"
#include "sweep/targets.hpp"
#include "sweep/update-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// r -= A u for one slab and slice.
template <class T>
void add_slice(const Slices<T>& m, Index slab, Index slice, const T* u, T* r) {
  const Index cell = slab * m.slices + slice;
  const T* const x = u + slice * slab_rows;
  T* const to = r + slab * slab_rows;
  const std::uint16_t *row = m.row.get(), *column = m.column.get();
  const T* value = m.values.get();
  for (Index k = m.start[cell]; k < m.start[cell + 1]; ++k)
    to[row[k]] = Scalar<T>::fma(-value[k], x[column[k]], to[row[k]]);
}

template <class T>
struct SlicedSweep {
  using Value = T;
  using W = SlicedWorkspace<T>;
  static constexpr Index pieces = slab_rows / piece_rows;  ///< of a slab

  /// w.r = b - A u, then w.partials[piece] = use(its rows) for all pieces of the member's slabs.
  template <class Use>
  static void residuals(W& w, const T* u, const Member& me, Use&& use) {
    me.share(w.slices.slabs, [&](Index slab) {
      const Run rows = w.piece(slab, slab_rows);
      std::copy_n(w.b + rows.first, rows.count, w.r + rows.first);
    });
    for (Index slice = 0; slice < w.slices.slices; ++slice)
      me.share(w.slices.slabs, [&](Index slab) HWY_ATTR { add_slice(w.slices, slab, slice, u, w.r); });
    me.share(w.slices.slabs, [&](Index slab) {
      for (Index s = slab * pieces; s < std::min(w.pieces, (slab + 1) * pieces); ++s)
        w.partials[s] = use(w.piece(s, piece_rows));
    });
  }

  static void sweep(W& w, const T* u, T* out, const Weights<T> step, const Member& me) {
    residuals(w, u, me, [&](const Run& rows) HWY_ATTR {
      return sum_up(rows.count, [&](Index k) HWY_ATTR {
        const Index i = rows.first + k;
        const T value = updated<Scalar<T>>(step, w.r[i] * w.scale[i], u[i], [&] { return out[i]; });
        out[i] = value;
        return static_cast<double>(value - u[i]);
      });
    });
  }

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        sweep(w, j % 2 == 0 ? w.u : w.v, j % 2 == 0 ? w.v : w.u, Weights<T>(steps[j]), me);
        me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    w.record(steps.size(), team);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      if (want == Want::update)
        return me.share(w.pieces, [&](Index s) { w.partials[s] = update_over(w, w.piece(s, piece_rows)); });
      residuals(w, w.u, me, [&](const Run& rows) HWY_ATTR {
        return sum_up(rows.count, [&](Index k) HWY_ATTR {
          const Index i = rows.first + k;
          return static_cast<double>(want == Want::residual ? w.r[i] : w.r[i] * w.scale[i]);
        });
      });
    });
    return w.total();
  }

  static void product(const W& w, const Run& slab, const T* b, const T* x, T* y, bool negative) {
    std::copy(b, b + slab.count, y + slab.first);
    for (Index slice = 0; slice < w.slices.slices; ++slice)
      add_slice(w.slices, slab.first / slab_rows, slice, x, y);
    if (negative)
      for (Index i = slab.first; i < slab.first + slab.count; ++i) y[i] = -y[i];
  }
};

namespace {

TypeTables<SlicedKernels> sliced_here() {
  return {kernels_of<SlicedSweep<double>>(target_name(HWY_TARGET)),
          kernels_of<SlicedSweep<float>>(target_name(HWY_TARGET))};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
