#include "backend/cuda/dense.hpp"

#include "backend/cuda/dense_columns.hpp"
#include "backend/cuda/dense_on_chip.hpp"
#include "backend/cuda/dense_rows.hpp"
#include "backend/cuda/row_rungs.hpp"
#include "backend/cuda/row_sweeper.hpp"
#include "backend/cuda/stencil.hpp"
#include "backend/device/scales.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cuda {

namespace {

constexpr int square = 32, square_rows = 8;

/// Columns to rows. A block per square of entries.
// registers <= 80
// gfx90a: registers <= 16
template <class T>
JACOBI_KERNEL_OF(square* square_rows, 1)
transpose_dense(const T* from, T* to, Index rows, Index leading) {
  T* const entries = shared_memory<T>();
  const Index i0 = static_cast<Index>(block().x) * square, j0 = static_cast<Index>(block().y) * square;
  const int x = static_cast<int>(thread().x);
  for (int y = static_cast<int>(thread().y); y < square; y += square_rows)
    entries[y * (square + 1) + x] = j0 + y < rows ? from[(j0 + y) * leading + i0 + x] : T(0);
  barrier();
  for (int y = static_cast<int>(thread().y); y < square; y += square_rows)
    if (i0 + y < rows) to[(i0 + y) * leading + j0 + x] = entries[x * (square + 1) + y];
}

/// One upload of all lines.
template <class T>
Buffer<T> upload(const Stream& stream, const Dense<T>& a, Index leading) {
  const Index n = a.order(), width = n * Index{sizeof(T)};
  Buffer<T> entries(stream, n * leading);
  fill_with_zeros(stream, entries.data(), n * leading * Index{sizeof(T)});
  copy_rows(stream, entries.data(), leading * Index{sizeof(T)}, a.data(), a.leading() * Index{sizeof(T)},
            width, n);
  return entries;
}

template <class T>
Buffer<T> transposed(const Stream& stream, const Buffer<T>& from, Index rows, Index leading) {
  Buffer<T> to(stream, from.size());
  const unsigned blocks = static_cast<unsigned>(leading / square);
  launch(stream, {{blocks, blocks}, {square, square_rows}, square * (square + 1) * Index{sizeof(T)}},
         transpose_dense<T>, from.data(), to.data(), rows, leading);
  stream.wait();
  return to;
}

struct DenseRung {
  const char* name;
  bool in_graphs;  ///< many launches at once
  bool on_chip, ordered;
};
constexpr DenseRung dense_rungs[] = {{"fused", false, false, false},
                                     {"graph", true, false, false},
                                     {"on-chip", false, true, false},
                                     {"ordered", false, false, true}};

/// Of a plan that names no rung: why it is not the best.
template <class T>
std::string why_not(const DenseRung& rung, const Dense<T>& a, const Plan& plan, int device) {
  if (rung.on_chip && !(a.copies() == 1 && DenseOnChip<T>::fits(Stream(device), a.order())))
    return "rung 'on-chip' is not for this matrix on this device (one right-hand side, an eighth of the rows "
           "fits in shared memory): leave the rung out, or take graph";
  if (rung.ordered && (plan.rung().empty() || a.layout() != Layout::column_major))
    return "rung 'ordered' is for matrices by columns: take fused";
  return {};
}

template <class T>
std::unique_ptr<RowKernels<T>> make_kernels(const Stream& stream, const Dense<T>& a, const DenseRung& rung) {
  const Index n = a.order(), leading = leading_of<T>(n);
  const bool by_columns = a.layout() == Layout::column_major, on_chip = rung.on_chip;
  const Index bytes = n * leading * Index{sizeof(T)};
  require_device_memory(stream,
                        (on_chip && by_columns ? 2 : 1) * bytes + bytes_of_vectors<T>(leading, a.copies()),
                        "the matrix");
  const int copies = static_cast<int>(a.copies());
  Buffer<T> entries = upload(stream, a, leading);
  if (by_columns && !on_chip)
    return std::make_unique<DenseByColumns<T>>(stream, std::move(entries), n, copies, rung.ordered);
  if (by_columns) entries = transposed(stream, entries, n, leading);
  const DenseMatrix<T> matrix{entries.data(), n, leading};
  auto alone = std::make_unique<DenseByRows<T>>(stream, std::move(entries), n, copies, rows_are_shared(n));
  if (!on_chip) return alone;
  return std::make_unique<DenseOnChip<T>>(stream, matrix, std::move(alone));
}

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int device) {
  require_sweeps(plan);
  const DenseRung& rung = rung_for(dense_rungs, plan, "dense matrices",
                                   [&](const DenseRung& one) { return why_not(one, a, plan, device); });
  return std::make_unique<RowSweeper<T>>(
      RowSystem<T>{a.order(), leading_of<T>(a.order()), static_cast<int>(a.copies()),
                   device::scales_of(a, plan.method.divisor), rung.name,
                   [&](const Stream& stream) { return make_kernels(stream, a, rung); }, rung.in_graphs},
      device);
}

template std::unique_ptr<Sweeper<double>> bind(const Dense<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind(const Dense<float>&, const Plan&, int);

}  // namespace jacobi::cuda
