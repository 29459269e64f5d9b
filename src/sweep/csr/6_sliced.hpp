// Rung 6, sliced: for entries scattered over a vector that L2 does not hold. Slice after slice of the
// columns, whose unknowns stay in L2, adds to the residuals of all rows; then the rows are updated. Bytes per
// row with e entries: e (value + 4), and for each slice 2 words of the residual; b, s, u, out. Compared with
// rung 0: bitwise, as a row meets its columns in ascending order; norms within rounding.
#if defined(JACOBI_CSR_SLICED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_SLICED
#undef JACOBI_CSR_SLICED
#else
#define JACOBI_CSR_SLICED
#endif

#include "sweep/csr/3_threads.hpp"

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
struct SlicedRows {
  static constexpr Index pieces = slab_rows / piece_rows;  ///< of a slab

  /// w.r = b - A u, then w.partials[piece] = use(first row, rows) for all pieces of the member's slabs.
  template <class Use>
  static void residuals(SparseWorkspace<T>& w, const T* u, const Member& me, Use&& use) {
    const auto rows_of = [&](Index first, Index most) { return std::min(w.rows - first, most); };
    me.share(w.slices.slabs, [&](Index slab) {
      const Index first = slab * slab_rows;
      std::copy_n(w.b + first, rows_of(first, slab_rows), w.r + first);
    });
    for (Index slice = 0; slice < w.slices.slices; ++slice)
      me.share(w.slices.slabs, [&](Index slab) HWY_ATTR { add_slice(w.slices, slab, slice, u, w.r); });
    me.share(w.slices.slabs, [&](Index slab) {
      for (Index s = slab * pieces; s < std::min(w.pieces, (slab + 1) * pieces); ++s)
        w.partials[s] = use(s * piece_rows, rows_of(s * piece_rows, piece_rows));
    });
  }

  static void sweep(SparseWorkspace<T>& w, const T* u, T* out, const Weights<T> step, const Member& me) {
    residuals(w, u, me, [&](Index first, Index rows) HWY_ATTR {
      return sum_up(rows, [&](Index k) HWY_ATTR {
        const Index i = first + k;
        const T value = updated<Scalar<T>>(step, w.r[i] * w.scale[i], u[i], [&] { return out[i]; });
        out[i] = value;
        return static_cast<double>(value - u[i]);
      });
    });
  }

  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        sweep(w, j % 2 == 0 ? w.u : w.v, j % 2 == 0 ? w.v : w.u, Weights<T>(steps[j]), me);
        me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, "sliced", steps.size(), team);
    return want == Want::update && !steps.empty() ? total(w) : norms(w, want);
  }

  static Norms norms(SparseWorkspace<T>& w, Want want) {
    if (want == Want::nothing) return {};
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      if (want == Want::update)
        return share(w, 0, w.pieces, me, [&](Index s) { w.partials[s] = update_of_piece(w, s); });
      residuals(w, w.u, me, [&](Index first, Index rows) HWY_ATTR {
        return sum_up(rows, [&](Index k) HWY_ATTR {
          const T r = w.r[first + k];
          return static_cast<double>(want == Want::residual ? r : r * w.scale[first + k]);
        });
      });
    });
    return total(w);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
