/// One launch per sweep over a dense matrix by rows.
#pragma once
#include "backend/cuda/dense.hpp"

namespace jacobi::cuda {

/// Rows of a block: R per warp, which share the loads of x.
template <int R>
inline constexpr int rows_of_block = R* dense_warps;

template <int R, int C, class T>
constexpr Index shared_of_dense_rows() {
  return bytes_of_sum + C * rows_of_block<R> * Index{sizeof(T)};
}

/// Up to C right-hand sides, each with the bits that it has alone, whatever R and C. Per entry: its bytes
/// from memory, C / R times as many of x from L1 or L2, C fmas. Per unknown beside that: b, scale, u, out.
// registers <= 184
template <int R, int C, class T>
JACOBI_KERNEL_OF(dense_threads, 1)
sweep_dense_rows(DenseMatrix<T> a, Rows<T> w, Pass<T> pass) {
  const unsigned me = thread().x, lane = me % lanes_of_warp, warp = me / lanes_of_warp;
  const Index start = static_cast<Index>(block().x) * rows_of_block<R>, first = start + warp * R;
  const auto entry = [&](int r, Index k) {  // rows that are not there are taken for the last one
    const Index i = first + r < a.rows ? first + r : a.rows - 1;
    return load_once(reinterpret_cast<const Sixteen<T>*>(a.a + i * a.leading) + k);
  };
  T sum[R][C] = {};
  add_products<(R == 4 && C == 1 ? 16 : 8)>(sum, (a.rows + Sixteen<T>::size - 1) / Sixteen<T>::size, entry,
                                            pass.u, w.leading, w.copies);
  T* const totals = shared_memory<T>() + bytes_of_sum / static_cast<Index>(sizeof(T));
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const T total = sum_of_lanes(sum[r][c]);
      if (lane == 0) totals[c * rows_of_block<R> + static_cast<int>(warp) * R + r] = total;
    }
  barrier();
  Partial mine;
  for (int k = static_cast<int>(me); k < C * rows_of_block<R>; k += dense_threads) {
    const Index i = start + k % rows_of_block<R>, c = k / rows_of_block<R>, p = c * w.leading + i;
    if (i < a.rows && c < w.copies) mine += part_of(finish(w, pass, i, p, w.b[p] - totals[k]));
  }
  if (pass.parts) write_part(mine, shared_memory<Partial>(), pass.parts);
}

template <class T>
class DenseByRows final : public RowKernels<T> {
 public:
  DenseByRows(const Stream& stream, Buffer<T> entries, Index rows, int copies)
      : stream_(&stream),
        entries_(std::move(entries)),
        a_{entries_.data(), rows, leading_of<T>(rows)},
        copies_(copies) {}

  Index parts() const override {
    const Index rows = rows_per_warp() * dense_warps;
    return (a_.rows + rows - 1) / rows;
  }
  double bytes() const override { return static_cast<double>(a_.rows * a_.leading) * sizeof(T); }
  void launch(const Rows<T>& w, const Pass<T>& pass) override {
    if (copies_ == 1) return rows_per_warp() == 1 ? run<1, 1>(w, pass) : run<4, 1>(w, pass);
    if (copies_ <= 4) return run<4, 4>(w, pass);
    if (copies_ <= 8) return run<4, 8>(w, pass);
    if constexpr (sizeof(T) == 4) run<2, 16>(w, pass);
  }

 private:
  /// Few rows are as many warps as there can be; many right-hand sides leave registers for few rows.
  Index rows_per_warp() const { return copies_ > 8 ? 2 : copies_ == 1 && a_.rows < 4096 ? 1 : 4; }
  template <int R, int C>
  void run(const Rows<T>& w, const Pass<T>& pass) {
    cuda::launch(*stream_,
                 {{static_cast<unsigned>(parts())}, {dense_threads}, shared_of_dense_rows<R, C, T>()},
                 sweep_dense_rows<R, C, T>, a_, w, pass);
  }

  const Stream* stream_;
  Buffer<T> entries_;
  DenseMatrix<T> a_;
  int copies_;
};

}  // namespace jacobi::cuda
