/// What streams the matrix through once per sweep.
#pragma once
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "machine/caches.hpp"
#include "sweep/dense/fused/ways.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/way_trial.hpp"

namespace jacobi::sweep {

template <class T, class S = T>
struct FusedWorkspace : DenseWorkspace<T, S> {
  /// Two sweeps per visit: rows of a panel, 512 bytes of each column; the last one is up to twice as long.
  static constexpr Index panel = 512 / sizeof(T);

  const DenseWay& way() const { return ways[trial.way()]; }
  double entries() const {
    const auto n = static_cast<double>(this->rows);
    return way().order == DenseWay::twice ? (3 * n + static_cast<double>(std::min(this->rows, panel))) / 4
                                          : n;
  }
  bool has_settled() const { return this->width > 1 || trial.made(); }
  std::string way_in_words() const {
    if (this->width > 1) return {};
    return (trial.made() ? "" : "still trying ways: ") + way().in_words();
  }

  int level = 4;  ///< where the matrix stays: 1 to 3, a cache of this level (1: one thread's), or 4, memory
  T* rest = nullptr;  ///< two sweeps per visit: b without products known so far
  std::span<const DenseWay> ways;
  WayTrial trial;  ///< among them
};

/// An L3 larger than this has other users.
inline constexpr double most_of_l3 = 64 << 20;
/// Rows from L3 are asked for as those from memory are, where what caches hold of them from the sweep before
/// does not count (docs/lab/2026-11-29-dense-ways.md).
inline constexpr double least_asked_ahead = 16 << 20;
/// A thread that reads less than this may take longer with the others than one takes alone.
inline constexpr double small_share = 128 << 10;

template <class T, class S = T>
struct FusedBound : Vectors<T, FusedWorkspace<T, S>> {
  explicit FusedBound(const DenseView<S>& view) {
    auto& here = this->w;
    here.look_at(view);
    this->take(dense_piece, 1, true, true);
    const double bytes = static_cast<double>(here.rows) * static_cast<double>(here.rows) * sizeof(S);
    const bool share_is_small = here.threads > 1 && bytes < here.threads * small_share;
    // level 1, which decides about bits, is one thread's
    here.level = bytes <= machine::cache_bytes(1)                               ? 1
                 : bytes <= 0.75 * here.threads * machine::cache_bytes(2)       ? 2
                 : bytes <= std::min(0.5 * machine::cache_bytes(3), most_of_l3) ? 3
                                                                                : 4;
    const bool asks_ahead = here.level == 4 || (here.level == 3 && bytes >= least_asked_ahead);
    ways = ways_through(here.by_rows, here.level, asks_ahead, sizeof(T));
    bool is_twice = false;
    if (view.several) {
      ways.resize(1);
    } else {
      if (std::is_same_v<T, S> && here.level == 1 && here.pieces == 1)  // one thread's
        ways.insert(ways.begin(), {DenseWay::small, here.by_rows ? 8 : DenseWay::all});
      else if (share_is_small)
        ways = alone_too(ways);
      const Index apart = here.leading * static_cast<Index>(sizeof(S));
      is_twice =
          !here.by_rows && (here.level == 2 || here.level == 3) && (here.threads == 1 || share_is_small);
      if (is_twice)
        ways.push_back(two_sweeps());
      else if (!here.by_rows && some_sets_only(bytes, apart, here.threads, machine::cache_bytes(2)))
        ways.push_back(crossed_columns());
    }
    if (is_twice) rest = this->new_vector();
    here.rest = rest.get();
    here.ways = ways;
    here.trial = WayTrial(ways.size(), is_twice ? 2 : 1);
  }

  AlignedArray<T> rest;
  std::vector<DenseWay> ways;
};

/// Of the instruction set in force (kernels.cpp).
template <class T, class S>
using FusedKernels = MatrixKernels<T, FusedWorkspace<T, S>>;
template <class T, class S = T>
FusedKernels<T, S> fused_kernels();

}  // namespace jacobi::sweep
