/// One launch per sweep over a dense matrix by rows.
#pragma once
#include "backend/cuda/dense.hpp"

namespace jacobi::cuda {

template <int R, int C, class T>
constexpr Index shared_of_dense_rows() {
  return bytes_of_sum + C * R * dense_warps * Index{sizeof(T)};
}

/// Up to C right-hand sides, each with the bits that it has alone, whatever R and C. W warps share R rows:
/// one, or all of the block. Per entry: its bytes from memory, C / R times as many of x from L1 or L2, C
/// fmas. Per unknown beside that: b, scale, u, out.
// registers <= 200
// gfx90a: registers <= 128
template <int W, int R, int C, class T>
JACOBI_KERNEL_OF(dense_threads, 1)
sweep_dense_rows(DenseMatrix<T> a, Rows<T> w, RowTask<T> task) {
  constexpr int rows = R * dense_warps / W;  // of the block
  const unsigned me = thread().x, warp = me / lanes_of_warp;
  const Index start = static_cast<Index>(block().x) * rows, first = start + warp / W * R;
  const auto entry = [&](int r, Index k) {  // rows that are not there are taken for the last one
    const Index i = first + r < a.rows ? first + r : a.rows - 1;
    return load_once(reinterpret_cast<const Sixteen<T>*>(a.a + i * a.leading) + k);
  };
  T sum[R][C] = {};
  add_products<W>(sum, (a.rows + Sixteen<T>::size - 1) / Sixteen<T>::size, entry, task.u, w.leading,
                  w.copies);
  T* const totals = shared_memory<T>() + bytes_of_sum / static_cast<Index>(sizeof(T));
#pragma unroll
  for (int r = 0; r < R; ++r)
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const T total = sum_of_lanes(sum[r][c]);
      if (me % lanes_of_warp == 0) totals[(c * R + r) * dense_warps + static_cast<int>(warp)] = total;
    }
  barrier();
  Partial mine;
  for (int k = static_cast<int>(me); k < C * rows; k += dense_threads) {
    const int q = k % rows, c = k / rows;  // row q of the block
    const T* const of_warps = totals + (c * R + q % R) * dense_warps + q / R * W;
    T total = of_warps[0];
    for (int s = 1; s < W; ++s) total += of_warps[s];
    const Index i = start + q, p = c * w.leading + i;
    if (i < a.rows && c < w.copies) mine += part_of(finish(w, task, i, p, w.b[p] - total));
  }
  if (task.parts) write_part(mine, shared_memory<Partial>(), task.parts);
}

template <class T>
class DenseByRows final : public RowKernels<T> {
 public:
  DenseByRows(const Stream& stream, Buffer<T> entries, Index rows, int copies, bool shared)
      : stream_(&stream),
        entries_(std::move(entries)),
        a_{entries_.data(), rows, leading_of<T>(rows)},
        copies_(copies),
        shared_(shared) {}

  Index parts() const override {
    const Index rows = rows_at_once() * (shared_ ? 1 : dense_warps);
    return (a_.rows + rows - 1) / rows;
  }
  double bytes() const override { return static_cast<double>(a_.rows * a_.leading) * sizeof(T); }
  void launch(const Rows<T>& w, const RowTask<T>& task) override {
    if (copies_ == 1) return run<1, 1>(w, task);
    if (copies_ <= 4) return run<4, 4>(w, task);
    if (copies_ <= 8) return run<4, 8>(w, task);
    if constexpr (sizeof(T) == 4) run<2, 16>(w, task);
  }

 private:
  /// Rows share the loads of x, of which several right-hand sides have several; many leave registers for few.
  Index rows_at_once() const { return copies_ > 8 ? 2 : copies_ == 1 ? 1 : 4; }
  template <int R, int C>
  void run(const Rows<T>& w, const RowTask<T>& task) {
    cuda::launch(
        *stream_, {{static_cast<unsigned>(parts())}, {dense_threads}, shared_of_dense_rows<R, C, T>()},
        shared_ ? sweep_dense_rows<dense_warps, R, C, T> : sweep_dense_rows<1, R, C, T>, a_, w, task);
  }

  const Stream* stream_;
  Buffer<T> entries_;
  DenseMatrix<T> a_;
  int copies_;
  bool shared_;  ///< a row by the warps of a block
};

}  // namespace jacobi::cuda
