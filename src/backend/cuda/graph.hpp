/// Rung graph: classic sweeps, many of them launched at once.
#pragma once
#include "backend/cuda/classic.hpp"
#include "backend/cuda/graphs.hpp"
#include "backend/cuda/many.hpp"

namespace jacobi::cuda {

template <class T, int D>
class GraphSweeps final : public ManySweeps<T, D> {
 public:
  explicit GraphSweeps(BoundGrid<T, D>& grid) : grid_(grid), graphs_(grid.stream) {}
  const char* name() const override { return "graph"; }
  bool takes(StepKind) const override { return true; }
  std::string blocking() const override { return std::to_string(graphs_.length) + " sweeps per graph"; }
  double words() const override { return 3 + (grid_.kind == Kind::variable ? 2 * D : 0); }
  Index at_once() const override { return graphs_.length; }
  void make(std::span<const Step> steps, const Step* on_device, bool) override {
    graphs_.make(static_cast<Index>(steps.size()), on_device, grid_.u,
                 [&](const Step* step) { sweep_classic(grid_, step, false); });
  }

 private:
  BoundGrid<T, D>& grid_;
  SweepGraphs graphs_;
};

}  // namespace jacobi::cuda
