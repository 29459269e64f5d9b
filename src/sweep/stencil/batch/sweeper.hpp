/// Many sweeps of a batch of 1D problems, column by column; shorter calls go in tiles.
#pragma once
#include <algorithm>

#include "sweep/stencil/batch/batch.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

template <class T>
class BatchSweeper final : public TilesSweeper<T, 2> {
  using Base = TilesSweeper<T, 2>;
  using Base::w_;

 public:
  BatchSweeper(const Stencil<T, 2>& a, const Plan& plan, int threads)
      : Base(a, plan.blocking, threads),
        kernels_(grid_kernels<T, 2>().batch),
        columns_(w_.n[0], w_.n[1], threads) {}

  Norms advance(std::span<const Step> steps, Want want) override {
    this->count_visits(steps, most_per_column);
    if (!takes(steps)) return this->run(steps, want);
    const Norms update = kernels_.advance(w_, columns_, steps);
    return want == Want::update ? update : this->norms(want);
  }

  Executed executed() const override {
    Executed ran = Base::executed();
    ran.blocking = "all sweeps between checks per visit to a column of a batch";
    return ran;
  }
  Blocking blocking() const override { return {}; }
  /// A column is copied out and back.
  Index sweeps_at_once() const override { return 64; }

 private:
  static constexpr Index most_per_column = 1 << 20;

  /// Worth the copies, and able to.
  static bool takes(std::span<const Step> steps) {
    return steps.size() >= 4 &&
           std::ranges::none_of(steps, [](const Step& s) { return kind_of(s) == StepKind::three_term; });
  }

  BatchKernels<T> kernels_;
  Columns<T> columns_;
};

template <class T>
Suitable suits_batch(const Stencil<T, 2>& a, const Plan&, int) {
  if (coefficients_of(a).kind != Kind::lines) return {"lines have to be coupled in y alone, evenly"};
  if (!is_dirichlet(a.grid())) return {"values have to be given on all sides"};
  if (a.grid().unknowns[1] < least_rows_of_batch) return {"columns are too short"};
  return {};
}

template <class T>
Algorithm<T, 2> batch_algorithm() {
  return {"batch",
          "columns of vectors, one problem of a batch in each lane, all sweeps at once",
          tiled_rung,
          suits_batch<T>,
          [](const Stencil<T, 2>& a, const Plan& plan, int threads) {
            const auto& n = a.grid().unknowns;
            const double columns = static_cast<double>(Columns<T>::size_of(n[1])) * threads * sizeof(T) +
                                   static_cast<double>(n[0]) * sizeof(Partial);
            return Bytes{bytes_of_tiles(a, plan, threads).all + columns};
          },
          [](const Stencil<T, 2>& a, const Plan& plan, int threads) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<BatchSweeper<T>>(a, plan, threads);
          }};
}

}  // namespace jacobi::sweep
