/// One launch per sweep over chunks of 32 rows: a lane per row, which adds its entries in their order.
#pragma once
#include <cstdint>

#include "backend/cuda/csr_rows.hpp"
#include "sweep/csr/device_layout.hpp"

namespace jacobi::cuda {

template <class T>
struct SellMatrix {
  const Index* start = nullptr;
  const std::int32_t *length = nullptr, *row_at = nullptr, *columns = nullptr;  ///< row_at: none if in order
  const T* values = nullptr;
};

/// Entries of a row that are on their way from memory at once.
inline constexpr int at_once_of_sell = 8;

/// Per entry, with those that fill up: value and column from memory, x from wherever it is; per row: length,
/// b, scale, u, out, and the row where these are sorted.
// registers <= 64
// gfx90a: registers <= 56
template <class T>
JACOBI_KERNEL_OF(csr_threads, 4)
sweep_sell(SellMatrix<T> a, Rows<T> w, RowTask<T> task) {
  const Index place = static_cast<Index>(block().x) * csr_threads + thread().x;
  Partial mine;
  if (place < w.rows) {
    const Index i = a.row_at ? a.row_at[place] : place, lane = place % sweep::sell_rows;
    const Index first = a.start[place / sweep::sell_rows] + lane;
    const int length = a.length[place];
    T r = w.b[i];
    for (int j = 0; j < length; j += at_once_of_sell) {
      T value[at_once_of_sell], x[at_once_of_sell];
      int column[at_once_of_sell];
#pragma unroll
      for (int q = 0; q < at_once_of_sell; ++q) {
        const Index k = first + (j + q) * sweep::sell_rows;
        value[q] = j + q < length ? load_once(a.values + k) : T(0);
        column[q] = j + q < length ? load_once(a.columns + k) : static_cast<int>(i);
      }
#pragma unroll
      for (int q = 0; q < at_once_of_sell; ++q) x[q] = task.u[column[q]];
#pragma unroll
      for (int q = 0; q < at_once_of_sell; ++q)
        if (j + q < length) r = fused(-value[q], x[q], r);
    }
    mine += part_of(finish(w, task, i, i, r));
  }
  if (task.parts) write_part(mine, shared_memory<Partial>(), task.parts);
}

template <class T>
class CsrSell final : public RowKernels<T> {
 public:
  CsrSell(const Stream& stream, sweep::Sell<T> m, const Csr<T>& a)
      : stream_(&stream), rows_(a.rows()), start_(stream, m.start), length_(stream, m.length) {
    fill(m, a);
    const std::size_t all = static_cast<std::size_t>(m.start.back());
    values_ = Buffer<T>(stream, std::span<const T>(m.values.get(), all));
    columns_ = Buffer<std::int32_t>(stream, std::span<const std::int32_t>(m.columns.get(), all));
    if (!m.row_at.empty()) row_at_ = Buffer<std::int32_t>(stream, m.row_at);
  }
  static Index bytes_needed(const sweep::Sell<T>& m) {
    return m.start.back() * Index{sizeof(T) + sizeof(std::int32_t)} + (m.chunks + 1) * Index{sizeof(Index)} +
           static_cast<Index>(m.length.size() + m.row_at.size()) * Index{sizeof(std::int32_t)};
  }

  Index parts() const override { return (rows_ + csr_threads - 1) / csr_threads; }
  double bytes() const override {
    return static_cast<double>(values_.size()) * (sizeof(T) + sizeof(std::int32_t)) +
           static_cast<double>(start_.size()) * sizeof(Index) +
           static_cast<double>(length_.size() + row_at_.size()) * sizeof(std::int32_t);
  }
  std::string blocking() const override {
    return std::string("chunks of 32 rows") + (row_at_.size() > 0 ? ", sorted by length" : "");
  }
  void launch(const Rows<T>& w, const RowTask<T>& task) override {
    const SellMatrix<T> a{start_.data(), length_.data(), row_at_.data(), columns_.data(), values_.data()};
    cuda::launch(*stream_, {{static_cast<unsigned>(parts())}, {csr_threads}, bytes_of_sum}, sweep_sell<T>, a,
                 w, task);
  }

 private:
  const Stream* stream_;
  Index rows_;
  Buffer<Index> start_;
  Buffer<std::int32_t> length_, row_at_, columns_;
  Buffer<T> values_;
};

}  // namespace jacobi::cuda
