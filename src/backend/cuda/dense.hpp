/// Sweeps over a dense matrix on a device.
#pragma once
#include <memory>

#include "backend/cuda/rows.hpp"
#include "core/executed.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

/// Rungs: fused (one launch per sweep), graph (many launches at once), on-chip (one launch for all), ordered
/// (by columns, with the bits of rung 0); empty: on-chip where it fits, else graph. Throws: UsageError for a
/// rung that does not exist or is not for this matrix, or a plan that is not for a device; BackendError where
/// memory lacks.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int device);

/// A matrix on the device: rows, or columns, `leading` apart, filled up with zeros.
template <class T>
struct DenseMatrix {
  const T* a = nullptr;
  Index rows = 0, leading = 0;
};

/// What rows are padded to: a warp's columns of 8 bytes per lane.
template <class T>
Index leading_of(Index rows) {
  constexpr Index width = 256 / sizeof(T);
  return (rows + width - 1) / width * width;
}

/// Whether, by rows, the warps of a block share each row, one long stretch of memory, in place of a row per
/// warp: beyond what a device keeps on chip. Depends on the order of the matrix alone, and so do the bits.
inline bool rows_are_shared(Index rows) { return rows >= 6144; }

inline constexpr int dense_threads = 256, dense_warps = dense_threads / lanes_of_warp;

/// sum[r][c] += this lane's entries of row r times x of right-hand side c: packs lane, lane + 32 W, ... in
/// order, where W warps share a row. entry(r, k): pack k of row r.
template <int W, int R, int C, class T, class Entry>
JACOBI_DEVICE void add_products(T (&sum)[R][C], Index packs, Entry&& entry, const T* x, Index leading,
                                int copies) {
  constexpr int lanes = W * lanes_of_warp;
  [[maybe_unused]] constexpr int at_once = R * C > 8 ? 1 : 8 / R;  // loads of entries on their way: 8
#pragma unroll at_once
  for (Index k = thread().x % lanes; k < packs; k += lanes) {
    Sixteen<T> a[R];
#pragma unroll
    for (int r = 0; r < R; ++r) a[r] = entry(r, k);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const Sixteen<T> xc = reinterpret_cast<const Sixteen<T>*>(x + (c < copies ? c : 0) * leading)[k];
#pragma unroll
      for (int r = 0; r < R; ++r)
#pragma unroll
        for (int v = 0; v < Sixteen<T>::size; ++v) sum[r][c] = fused(a[r].at[v], xc.at[v], sum[r][c]);
    }
  }
}

}  // namespace jacobi::cuda
