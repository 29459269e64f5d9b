#include "machine/kernels.hpp"
#include "sweep/entries.hpp"
#include "sweep/stencil/batch/sweeper.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
Suitable suits_batch(const Stencil<T, 2>& a, const Plan&, int) {
  if (coefficients_of(a).kind != Kind::lines) return {"lines have to be coupled in y alone, evenly"};
  if (!is_dirichlet(a.grid())) return {"values have to be given on all sides"};
  if (a.grid().unknowns[1] < least_rows_of_batch) return {"columns are too short"};
  return {};
}

/// 19 loads for 48 updates; 10 for 15 with 16 registers (batch-inl.hpp).
template <class T>
Costs costs_of_batch(const Stencil<T, 2>& a, bool weighted) {
  Costs costs = costs_as_written(a, weighted);
  costs.loads = batch_block(machine::vector_registers() == 32).loads();
  return costs;
}

}  // namespace

struct StencilBatch {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    if constexpr (D == 2)
      all.push_back({"batch", "columns of vectors, one problem of a batch in each lane, all sweeps at once",
                     tiled_rung, suits_batch<T>,
                     [](const Stencil<T, D>& a, const Plan& plan, int threads) {
                       const auto& n = a.grid().unknowns;
                       const double columns =
                           static_cast<double>(BatchScratch<T>::size_of(n[1])) * threads * sizeof(T) +
                           static_cast<double>(n[0]) * sizeof(Partial);
                       return Bytes{bytes_of_tiles(a, plan, threads).all + columns};
                     },
                     make_sweeper<BatchSweeper<T>, T, D>, costs_of_batch<T>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilBatch)

}  // namespace jacobi::sweep
