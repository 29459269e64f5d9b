/// Rung on-chip: all sweeps over a dense matrix by rows in one launch, each block keeping as many of its rows
/// as fit in shared memory and reading the others anew.
#pragma once
#include "backend/cuda/dense.hpp"
#include "backend/cuda/persistent.hpp"

namespace jacobi::cuda {

inline constexpr int on_chip_threads = 512, on_chip_rows = 2;  ///< rows that a warp takes at once

/// How many rows a block has at most, and how many of them it keeps: all, or an even number.
struct KeptRows {
  unsigned blocks;
  Index most, kept;
  template <class T>
  Index shared(Index leading) const {
    return bytes_of_sum + totals() * Index{sizeof(T)} + (1 + kept) * leading * Index{sizeof(T)};
  }
  JACOBI_HOST_DEVICE Index totals() const { return (most + 31) / 32 * 32; }

  /// All rows in one block, which needs nobody, or as many as possible in one block per multiprocessor.
  template <class T>
  static KeptRows of(Index rows, const Properties& device) {
    const Index line = leading_of<T>(rows) * Index{sizeof(T)};
    const auto fits = [&](Index most) {
      const Index left = device.shared_per_block - KeptRows{1, most, 0}.shared<T>(leading_of<T>(rows));
      return left < 0 ? 0 : left / line < most ? left / line / on_chip_rows * on_chip_rows : most;
    };
    if (fits(rows) == rows) return {1, rows, rows};
    const Index blocks = rows < device.multiprocessors ? rows : device.multiprocessors;
    const Index most = (rows + blocks - 1) / blocks;
    return {static_cast<unsigned>(blocks), most, fits(most)};
  }
};

/// The counter at which blocks meet, and where one tells that another did not come.
struct GridBarrier {
  unsigned *counter, *gave_up;
  /// After stores of the whole block. False where a block does not come: the kernel is to end.
  JACOBI_DEVICE bool meet(unsigned turn) const {
    barrier();
    bool lost = false;
    if (thread().x == 0 && blocks().x > 1) {
      add_release(counter, 1);
      lost = !wait_for(counter, turn * blocks().x);
      if (lost) store_release(gave_up, turn);
    }
    return !any(lost);
  }
};

/// Totals of the rows that this warp takes, of `rows` from the block's first one on.
template <class T>
JACOBI_DEVICE void take_rows(const DenseMatrix<T>& a, Index first, Index rows, Index kept, const T* lines,
                             const T* x, T* totals) {
  const unsigned lane = thread().x % lanes_of_warp, warp = thread().x / lanes_of_warp;
  const Index packs = (a.rows + Sixteen<T>::size - 1) / Sixteen<T>::size;
  for (Index q = on_chip_rows * warp; q < rows; q += on_chip_rows * (on_chip_threads / lanes_of_warp)) {
    T sum[on_chip_rows][1] = {};
    const auto row = [&](int r) { return q + r < rows ? q + r : rows - 1; };
    if (q < kept)
      add_products<1>(
          sum, packs,
          [&](int r, Index k) { return reinterpret_cast<const Sixteen<T>*>(lines + row(r) * a.leading)[k]; },
          x, a.leading, 1);
    else
      add_products<1>(
          sum, packs,
          [&](int r, Index k) {
            return load_once(reinterpret_cast<const Sixteen<T>*>(a.a + (first + row(r)) * a.leading) + k);
          },
          x, a.leading, 1);
#pragma unroll
    for (int r = 0; r < on_chip_rows; ++r) {
      const T total = sum_of_lanes(sum[r][0]);
      if (lane == 0) totals[row(r)] = total;
    }
  }
}

/// Sweep t reads x from array t % 2 of (u, v) and leaves its rows in the other: nobody reads these any more,
/// since all blocks have told that they made sweep t - 1. The bits are those of sweep_dense_rows with a row
/// per warp.
// registers <= 128
// gfx90a: registers <= 136
template <class T>
JACOBI_KERNEL_OF(on_chip_threads, 1)
sweep_dense_on_chip(DenseMatrix<T> a, Rows<T> w, T* u, T* v, const Step* steps, Index count, KeptRows rows,
                    Partial* parts, GridBarrier meeting) {
  const Index first = a.rows * block().x / blocks().x, last = a.rows * (block().x + 1) / blocks().x;
  T* const totals = shared_memory<T>() + bytes_of_sum / static_cast<Index>(sizeof(T));
  T *const x = totals + rows.totals(), *const lines = x + a.leading;
  const Index kept = rows.kept < last - first ? rows.kept : last - first;
  for (Index k = thread().x; k < kept * a.leading / Sixteen<T>::size; k += on_chip_threads)
    reinterpret_cast<Sixteen<T>*>(lines)[k] =
        load_once(reinterpret_cast<const Sixteen<T>*>(a.a + first * a.leading) + k);
  for (Index t = 0; t < count; ++t) {
    const T* const from = t % 2 == 0 ? u : v;
    const RowTask<T> task{from, t % 2 == 0 ? v : u, steps + t};
    for (Index j = thread().x; j < a.leading; j += on_chip_threads) x[j] = load_far(from + j);
    barrier();
    take_rows(a, first, last - first, kept, lines, x, totals);
    barrier();
    Partial mine;
    for (Index i = first + thread().x; i < last; i += on_chip_threads)
      mine += part_of(finish(w, task, i, i, w.b[i] - totals[i - first]));
    if (t + 1 < count) {
      if (!meeting.meet(static_cast<unsigned>(t) + 1)) return;
    } else if (parts) {
      write_part(mine, shared_memory<Partial>(), parts);
    }
  }
}

/// Norms beside sweeps are taken by launches of the other rungs.
template <class T>
class DenseOnChip final : public RowKernels<T> {
 public:
  static constexpr Index least = 8;  ///< where less than an eighth is kept, graphs are as good

  static bool fits(const Stream& stream, Index rows) {
    const Properties device = properties_of(stream.device());
    const KeptRows kept = KeptRows::of<T>(rows, device);
    const Launch how = launch_of(rows, kept);
    return device.cooperative && least * kept.kept >= kept.most && how.shared <= device.shared_per_block &&
           resident(stream, how, sweep_dense_on_chip<T>) >= 1;
  }
  DenseOnChip(const Stream& stream, const DenseMatrix<T>& a, std::unique_ptr<RowKernels<T>> alone)
      : stream_(&stream),
        a_(a),
        alone_(std::move(alone)),
        rows_(KeptRows::of<T>(a.rows, properties_of(stream.device()))),
        flags_(stream, 1) {}

  void launch(const Rows<T>& w, const RowTask<T>& task) override { alone_->launch(w, task); }
  Index parts() const override { return alone_->parts(); }
  double bytes() const override {
    return alone_->bytes() * static_cast<double>(rows_.most - rows_.kept) / static_cast<double>(rows_.most);
  }
  std::string blocking() const override {
    return "all sweeps between checks in one launch, " + std::to_string(rows_.kept) + " of " +
           std::to_string(rows_.most) + " rows kept in each of " + std::to_string(rows_.blocks) + " blocks";
  }
  bool persistent() const override { return true; }
  Index parts_of_make() const override { return rows_.blocks; }
  void make(const Rows<T>& w, T* u, T* v, const Step* steps, Index count, Partial* parts) override {
    flags_.clear();
    cuda::launch(*stream_, launch_of(a_.rows, rows_), sweep_dense_on_chip<T>, a_, w, u, v, steps, count,
                 rows_, parts, GridBarrier{flags_.counter(), flags_.gave_up()});
    if (rows_.blocks > 1) flags_.require_success();
  }

 private:
  static Launch launch_of(Index rows, const KeptRows& kept) {
    return {{kept.blocks}, {on_chip_threads}, kept.shared<T>(leading_of<T>(rows)), true};
  }

  const Stream* stream_;
  DenseMatrix<T> a_;
  std::unique_ptr<RowKernels<T>> alone_;  ///< keeps the matrix
  KeptRows rows_;
  Flags flags_;
};

}  // namespace jacobi::cuda
