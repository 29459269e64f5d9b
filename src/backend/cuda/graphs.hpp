/// Sweeps of any operator, many of them launched at once.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "backend/cuda/device.hpp"
#include "jacobi/method.hpp"

namespace jacobi::cuda {

/// Where the steps of the next launch of a graph stand.
struct Cursor {
  const Step* at;
};

/// Copies them, one per thread, to where the graph's sweeps look for them, and goes on.
// registers <= 16
// gfx90a: registers <= 8
template <int N>
JACOBI_KERNEL_OF(N, 1)
take_steps(Cursor* cursor, Step* steps) {
  steps[thread().x] = cursor->at[thread().x];
  barrier();
  if (thread().x == 0) cursor->at += threads().x;
}

/// Graphs of `length` sweeps, and of what is left of a call when the same number comes again; one for each of
/// the two roles of the iterates.
class SweepGraphs {
 public:
  static constexpr int length = 64;  ///< even, as the rest is: the iterates are where they were
  static constexpr int least = 4;    ///< that a graph is worth while for

  explicit SweepGraphs(const Stream& stream) : stream_(&stream), steps_(stream, length), cursor_(stream, 1) {}

  /// Makes `count` sweeps. sweep(step on the device) launches one and swaps the iterates, of which `newest`
  /// is the one to start from.
  template <class Sweep>
  void make(Index count, const Step* on_device, const void* newest, Sweep&& sweep) {
    const Index whole = count / length * length;
    int rest = static_cast<int>((count - whole) / 2 * 2);
    if (rest < least) rest = 0;
    if (std::exchange(rest_, rest) != rest) {
      std::erase_if(graphs_, [](const Made& one) { return one.sweeps != length; });
      rest = 0;
    }
    if (whole + rest > 0) {
      const Cursor start{on_device};
      copy(*stream_, cursor_.data(), &start, sizeof start);
    }
    for (Index j = 0; j < whole; j += length) graph_of(length, newest, sweep).launch();
    if (rest > 0) graph_of(rest, newest, sweep).launch();
    for (Index j = whole + rest; j < count; ++j) sweep(on_device + j);
  }

  /// What is to be launched has changed.
  void forget() { graphs_.clear(); }

 private:
  template <class Sweep>
  const Graph& graph_of(int sweeps, const void* newest, Sweep&& sweep) {
    for (const Made& one : graphs_)
      if (one.newest == newest && one.sweeps == sweeps) return *one.graph;
    graphs_.push_back({newest, sweeps, std::make_unique<Graph>(*stream_, [&] {
                         launch(*stream_, {{1}, {static_cast<unsigned>(sweeps)}}, take_steps<length>,
                                cursor_.data(), steps_.data());
                         for (int j = 0; j < sweeps; ++j) sweep(static_cast<const Step*>(steps_.data() + j));
                       })});
    return *graphs_.back().graph;
  }

  struct Made {
    const void* newest;
    int sweeps;
    std::unique_ptr<Graph> graph;
  };
  const Stream* stream_;
  Buffer<Step> steps_;
  Buffer<Cursor> cursor_;
  std::vector<Made> graphs_;
  int rest_ = 0;  ///< of the last call
};

}  // namespace jacobi::cuda
