/// Rung graph: classic sweeps, many of them launched at once.
#pragma once
#include <array>
#include <memory>

#include "backend/cuda/classic.hpp"
#include "backend/cuda/many.hpp"

namespace jacobi::cuda {

/// Where the steps of the next launch of a graph stand.
struct Cursor {
  const Step* at;
};

/// Copies them to where the graph's sweeps look for them, and goes on.
// registers <= 16
template <int N>
JACOBI_KERNEL_OF(N, 1)
take_steps(Cursor* cursor, Step* steps) {
  steps[thread().x] = cursor->at[thread().x];
  barrier();
  if (thread().x == 0) cursor->at += N;
}

template <class T, int D>
class GraphSweeps final : public ManySweeps<T, D> {
 public:
  explicit GraphSweeps(BoundGrid<T, D>& grid)
      : grid_(grid), steps_(grid.stream, length), cursor_(grid.stream, 1) {}
  const char* name() const override { return "graph"; }
  bool takes(StepKind) const override { return true; }
  std::string blocking() const override { return std::to_string(length) + " sweeps per graph"; }
  double words() const override { return 3 + (grid_.kind == Kind::variable ? 2 * D : 0); }
  Index at_once() const override { return length; }

  void make(std::span<const Step> steps, const Step* on_device) override {
    const Index count = static_cast<Index>(steps.size()), graphs = count / length;
    if (graphs > 0) {
      const Cursor start{on_device};
      copy(grid_.stream, cursor_.data(), &start, sizeof start);
      for (Index j = 0; j < graphs; ++j) graph().launch();
    }
    for (Index j = graphs * length; j < count; ++j) sweep_classic(grid_, on_device + j, false);
  }

 private:
  static constexpr int length = 64;  ///< even: the iterates are where they were

  /// Of these two roles of the iterates.
  const Graph& graph() {
    for (const Made& one : graphs_)
      if (one.graph && one.u == grid_.u) return *one.graph;
    Made& made = graphs_[graphs_[0].graph ? 1 : 0];
    made.u = grid_.u;
    made.graph = std::make_unique<Graph>(grid_.stream, [&] {
      launch(grid_.stream, {{1}, {length}}, take_steps<length>, cursor_.data(), steps_.data());
      for (int j = 0; j < length; ++j) sweep_classic(grid_, steps_.data() + j, false);
    });
    return *made.graph;
  }

  struct Made {
    const T* u = nullptr;
    std::unique_ptr<Graph> graph;
  };
  BoundGrid<T, D>& grid_;
  Buffer<Step> steps_;
  Buffer<Cursor> cursor_;
  std::array<Made, 2> graphs_;
};

}  // namespace jacobi::cuda
