/// One launch per sweep over compressed rows: several lanes per row.
#pragma once
#include <cstdint>

#include "backend/cuda/rows.hpp"

namespace jacobi::cuda {

inline constexpr int csr_threads = 256;

/// Row i holds entries offsets[i] ... offsets[i + 1] - 1.
template <class T, class O>
struct CsrMatrix {
  const O* offsets = nullptr;
  const std::int32_t* columns = nullptr;
  const T* values = nullptr;
};

/// `width` lanes of a row, a power of two: lane l adds entries l, l + width, ... in order, and the lanes are
/// added by halves. Per entry: value and column from memory, x from wherever it is; per row: offset, b,
/// scale, u, out.
// registers <= 64
// gfx90a: registers <= 48
template <class T, class O>
JACOBI_KERNEL_OF(csr_threads, 4)
sweep_csr(CsrMatrix<T, O> a, Rows<T> w, RowTask<T> task, unsigned width) {
  const unsigned lane = thread().x % width;
  const Index i = (static_cast<Index>(block().x) * csr_threads + thread().x) / width;
  T sum = 0;
  if (i < w.rows) {
    const O last = a.offsets[i + 1];
#pragma unroll 4
    for (O k = a.offsets[i] + static_cast<O>(lane); k < last; k += static_cast<O>(width))
      sum = fused(load_once(a.values + k), task.u[load_once(a.columns + k)], sum);
  }
  sum = sum_of_lanes(sum, width);
  Partial mine;
  if (i < w.rows && lane == 0) mine += part_of(finish(w, task, i, i, w.b[i] - sum));
  if (task.parts) write_part(mine, shared_memory<Partial>(), task.parts);
}

/// O: of offsets, 64 bits only where 32 do not count the entries.
template <class T, class O>
class CsrByRows final : public RowKernels<T> {
 public:
  CsrByRows(const Stream& stream, const Csr<T>& a)
      : stream_(&stream), rows_(a.rows()), width_(width_of(a)), values_(stream, a.values()) {
    a.visit([&](auto offsets, auto columns, auto) {
      take<O>(offsets, offsets_);
      take<std::int32_t>(columns, columns_);
    });
    bytes_ = static_cast<double>(a.entries()) * (sizeof(T) + sizeof(std::int32_t)) +
             static_cast<double>(a.rows()) * sizeof(O);
  }
  static Index bytes_needed(const Csr<T>& a) {
    return a.entries() * Index{sizeof(T) + sizeof(std::int32_t)} + (a.rows() + 1) * Index{sizeof(O)};
  }

  Index parts() const override { return (rows_ * width_ + csr_threads - 1) / csr_threads; }
  double bytes() const override { return bytes_; }
  std::string blocking() const override { return std::to_string(width_) + " lanes per row"; }
  void launch(const Rows<T>& w, const RowTask<T>& task) override {
    cuda::launch(*stream_, {{static_cast<unsigned>(parts())}, {csr_threads}, bytes_of_sum}, sweep_csr<T, O>,
                 CsrMatrix<T, O>{offsets_.data(), columns_.data(), values_.data()}, w, task,
                 static_cast<unsigned>(width_));
  }

 private:
  /// About two entries per lane.
  static Index width_of(const Csr<T>& a) {
    Index width = 1;
    while (width < lanes_of_warp && 2 * width * a.rows() < a.entries()) width *= 2;
    return width;
  }
  template <class To, class From>
  void take(std::span<const From> from, Buffer<To>& to) {
    if constexpr (std::is_same_v<To, From>) {
      to = Buffer<To>(*stream_, from);
    } else {
      to = Buffer<To>(*stream_, std::span<const To>(std::vector<To>(from.begin(), from.end())));
    }
  }

  const Stream* stream_;
  Index rows_, width_;
  Buffer<O> offsets_;
  Buffer<std::int32_t> columns_;
  Buffer<T> values_;
  double bytes_ = 0;
};

}  // namespace jacobi::cuda
