/// One launch per sweep over a dense matrix by columns: a warp takes a panel of rows and some columns.
#pragma once
#include "backend/cuda/dense.hpp"

namespace jacobi::cuda {

/// Rows of a panel: 8 bytes per lane, 256 consecutive ones of a column.
template <class T>
inline constexpr int rows_of_lane = 8 / sizeof(T);
template <class T>
inline constexpr int rows_of_panel = rows_of_lane<T>* lanes_of_warp;

/// How columns are shared out: `share` to a warp, `splits` blocks to a panel. Depends on the order of the
/// matrix alone, and so do the bits.
struct ColumnShares {
  Index share, splits;
  template <class T>
  static ColumnShares of(Index rows) {
    constexpr Index least = 64, enough = 1024;  // columns of a warp; blocks
    const Index panels = (rows + rows_of_panel<T> - 1) / rows_of_panel<T>;
    const Index most = (rows + least * dense_warps - 1) / (least * dense_warps);
    Index splits = (enough + panels - 1) / panels;
    if (splits > most) splits = most;
    Index share = (rows + splits * dense_warps - 1) / (splits * dense_warps);
    if (share < least) share = least;
    return {share, (rows + share * dense_warps - 1) / (share * dense_warps)};
  }
};

/// Sums of the blocks of a panel, and how many of these have come.
template <class T>
struct Splits {
  T* sums = nullptr;
  unsigned* tickets = nullptr;
};

/// r = (part 0: b) - this warp's columns, entry after entry, for the rows of this lane.
template <int C, class T>
JACOBI_DEVICE void subtract_columns(T (&r)[C][rows_of_lane<T>], const DenseMatrix<T>& a, const Rows<T>& w,
                                    const T* u, Index row, Index first, Index last) {
  struct alignas(8) Some {
    T v[rows_of_lane<T>];
  };
#pragma unroll
  for (int c = 0; c < C; ++c)
#pragma unroll
    for (int v = 0; v < rows_of_lane<T>; ++v)
      r[c][v] = first == 0 && c < w.copies ? w.b[c * w.leading + row + v] : T(0);
  [[maybe_unused]] constexpr int at_once = C > 8 ? 2 : C > 4 ? 4 : 8;
#pragma unroll at_once
  for (Index j = first; j < last; ++j) {
    const Some entries = load_once(reinterpret_cast<const Some*>(a.a + j * a.leading + row));
#pragma unroll
    for (int c = 0; c < C; ++c) {
      const T x = u[(c < w.copies ? c : 0) * w.leading + j];
#pragma unroll
      for (int v = 0; v < rows_of_lane<T>; ++v) r[c][v] = fused(-entries.v[v], x, r[c][v]);
    }
  }
}

/// Adds the sums of the blocks of this panel in their order, once all have come, into those of this block;
/// whether this was the last one. Source of the order of memory: as a grid's barrier, arriving releases and
/// acquires.
template <class T>
JACOBI_DEVICE bool add_splits(T* totals, int count, const Splits<T>& splits) {
  const unsigned me = thread().x, width = threads().x, number = blocks().y;
  T* const of_panel = splits.sums + static_cast<Index>(block().x) * number * count;
  for (int k = static_cast<int>(me); k < count; k += static_cast<int>(width))
    of_panel[static_cast<Index>(block().y) * count + k] = totals[k];
  barrier();
  const bool last = me == 0 && take_ticket(splits.tickets + block().x) == number - 1;
  if (!any(last)) return false;
  if (me == 0) splits.tickets[block().x] = 0;  // for the next launch
  for (int k = static_cast<int>(me); k < count; k += static_cast<int>(width)) {
    T total = load_far(of_panel + k);
    for (unsigned s = 1; s < number; ++s) total += load_far(of_panel + static_cast<Index>(s) * count + k);
    totals[k] = total;
  }
  return true;
}

/// Up to C right-hand sides, each with the bits that it has alone. Sums of warps are added in their order,
/// then those of blocks by whichever comes last. Per entry: its bytes, C fmas; x_j is one load of L1 per
/// warp.
// registers <= 168
// gfx90a: registers <= 96
template <int C, class T>
JACOBI_KERNEL_OF(dense_threads, 1)
sweep_dense_columns(DenseMatrix<T> a, Rows<T> w, RowTask<T> task, Index share, Splits<T> splits) {
  constexpr int wide = rows_of_panel<T>, some = rows_of_lane<T>, count = C * wide;
  const unsigned me = thread().x, warps = threads().x / lanes_of_warp, warp = me / lanes_of_warp;
  const int in_panel = static_cast<int>(me % lanes_of_warp) * some;
  const Index panel = static_cast<Index>(block().x) * wide, part = static_cast<Index>(block().y) * warps;
  const Index first = (part + warp) * share, end = first + share < a.rows ? first + share : a.rows;
  T r[C][some];
  subtract_columns(r, a, w, task.u, panel + in_panel, first, end);
  T* const sums = shared_memory<T>() + bytes_of_sum / static_cast<Index>(sizeof(T));
#pragma unroll
  for (int c = 0; c < C; ++c)
#pragma unroll
    for (int v = 0; v < some; ++v) sums[static_cast<int>(warp) * count + c * wide + in_panel + v] = r[c][v];
  barrier();
  for (int k = static_cast<int>(me); k < count; k += static_cast<int>(threads().x))
    for (unsigned q = 1; q < warps && (part + q) * share < a.rows; ++q) sums[k] += sums[q * count + k];
  if (blocks().y > 1 && !add_splits(sums, count, splits)) return;
  Partial mine;  // the thread that added up a total takes it
  for (int k = static_cast<int>(me); k < count; k += static_cast<int>(threads().x)) {
    const Index i = panel + k % wide, c = k / wide;
    if (i < a.rows && c < w.copies) mine += part_of(finish(w, task, i, c * w.leading + i, sums[k]));
  }
  if (!task.parts) return;
  const Partial sum = block_sum(mine, shared_memory<Partial>(), me, threads().x);
  if (me == 0) task.parts[block().x] = sum;
}

template <class T>
class DenseByColumns final : public RowKernels<T> {
 public:
  /// ordered: one warp per panel takes all columns, which gives the bits of rung 0.
  DenseByColumns(const Stream& stream, Buffer<T> entries, Index rows, int copies, bool ordered)
      : stream_(&stream),
        entries_(std::move(entries)),
        a_{entries_.data(), rows, leading_of<T>(rows)},
        copies_(copies),
        warps_(ordered ? 1 : dense_warps),
        shares_(ordered ? ColumnShares{rows, 1} : ColumnShares::of<T>(rows)) {
    if (shares_.splits == 1) return;
    sums_ = Buffer<T>(stream, parts() * shares_.splits * width() * rows_of_panel<T>);
    tickets_ = Buffer<unsigned>(stream, parts());
    fill_with_zeros(stream, tickets_.data(), parts() * Index{sizeof(unsigned)});
  }

  Index parts() const override { return (a_.rows + rows_of_panel<T> - 1) / rows_of_panel<T>; }
  double bytes() const override { return static_cast<double>(a_.rows * a_.leading) * sizeof(T); }
  void launch(const Rows<T>& w, const RowTask<T>& task) override {
    switch (width()) {
      case 1:
        return run<1>(w, task);
      case 4:
        return run<4>(w, task);
      case 8:
        return run<8>(w, task);
      default:
        if constexpr (sizeof(T) == 4) run<16>(w, task);
    }
  }

 private:
  int width() const { return copies_ == 1 ? 1 : copies_ <= 4 ? 4 : copies_ <= 8 ? 8 : 16; }
  template <int C>
  void run(const Rows<T>& w, const RowTask<T>& task) {
    const Index shared = bytes_of_sum + warps_ * C * rows_of_panel<T> * Index{sizeof(T)};
    cuda::launch(*stream_,
                 {{static_cast<unsigned>(parts()), static_cast<unsigned>(shares_.splits)},
                  {static_cast<unsigned>(warps_) * lanes_of_warp},
                  shared},
                 sweep_dense_columns<C, T>, a_, w, task, shares_.share,
                 Splits<T>{sums_.data(), tickets_.data()});
  }

  const Stream* stream_;
  Buffer<T> entries_;
  DenseMatrix<T> a_;
  int copies_, warps_;
  ColumnShares shares_;
  Buffer<T> sums_;
  Buffer<unsigned> tickets_;
};

}  // namespace jacobi::cuda
