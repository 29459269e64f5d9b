/// Rung graph: classic sweeps, many of them launched at once.
#pragma once
#include <utility>

#include "backend/cuda/classic.hpp"
#include "backend/cuda/graphs.hpp"
#include "backend/cuda/many.hpp"

namespace jacobi::cuda {

template <class T, int D>
class GraphSweeps final : public ManySweeps<T, D> {
 public:
  explicit GraphSweeps(BoundGrid<T, D>& grid) : grid_(grid), graphs_(grid.stream) {}
  bool takes(StepKind) const override { return true; }
  std::string blocking() const override {
    return std::to_string(graphs_.length) + " sweeps per graph, " + grid_.block_in_words();
  }
  double words() const override { return grid_.words_of_sweep(); }
  Index at_once() const override { return graphs_.length; }
  void make(std::span<const Step> steps, const Step* on_device, bool) override {
    if (std::exchange(recorded_for_one_g_, grid_.w.has_one_g) != grid_.w.has_one_g) graphs_.forget();
    graphs_.make(static_cast<Index>(steps.size()), on_device, grid_.u,
                 [&](const Step* step) { sweep_classic(grid_, step, false); });
  }

 private:
  BoundGrid<T, D>& grid_;
  SweepGraphs graphs_;
  bool recorded_for_one_g_ = false;
};

}  // namespace jacobi::cuda
