/// Sweeps of any operator, many of them launched at once.
#pragma once
#include <array>
#include <memory>

#include "backend/cuda/device.hpp"
#include "jacobi/method.hpp"

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

/// A graph of `length` sweeps for each of the two roles of the iterates.
class SweepGraphs {
 public:
  static constexpr int length = 64;  ///< even: the iterates are where they were

  explicit SweepGraphs(const Stream& stream) : stream_(&stream), steps_(stream, length), cursor_(stream, 1) {}

  /// Makes `count` sweeps. sweep(step on the device) launches one and swaps the iterates, of which `newest`
  /// is the one to start from.
  template <class Sweep>
  void make(Index count, const Step* on_device, const void* newest, Sweep&& sweep) {
    const Index graphs = count / length;
    if (graphs > 0) {
      const Cursor start{on_device};
      copy(*stream_, cursor_.data(), &start, sizeof start);
      const Graph& graph = graph_of(newest, sweep);
      for (Index j = 0; j < graphs; ++j) graph.launch();
    }
    for (Index j = graphs * length; j < count; ++j) sweep(on_device + j);
  }

 private:
  template <class Sweep>
  const Graph& graph_of(const void* newest, Sweep&& sweep) {
    for (const Made& one : graphs_)
      if (one.graph && one.newest == newest) return *one.graph;
    Made& made = graphs_[graphs_[0].graph ? 1 : 0];
    made.newest = newest;
    made.graph = std::make_unique<Graph>(*stream_, [&] {
      launch(*stream_, {{1}, {length}}, take_steps<length>, cursor_.data(), steps_.data());
      for (int j = 0; j < length; ++j) sweep(static_cast<const Step*>(steps_.data() + j));
    });
    return *made.graph;
  }

  struct Made {
    const void* newest = nullptr;
    std::unique_ptr<Graph> graph;
  };
  const Stream* stream_;
  Buffer<Step> steps_;
  Buffer<Cursor> cursor_;
  std::array<Made, 2> graphs_;
};

}  // namespace jacobi::cuda
