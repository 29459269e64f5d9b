/// What serves two sweeps by every entry that it reads.
#pragma once
#include <array>
#include <span>
#include <string>

#include "sweep/dense/paired/triangles.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/way_trial.hpp"

namespace jacobi::sweep {

/// Whether entries are asked for ahead: both are tried.
inline constexpr bool asks_ahead_or_not[] = {true, false};

template <class T, class S = T>
struct PairedWorkspace : DenseWorkspace<T, S> {
  double entries() const { return static_cast<double>(this->rows + std::min(this->rows, paired_block)) / 2; }
  bool asks_ahead() const { return ways[trial.way()]; }
  bool has_settled() const { return trial.made(); }
  std::string way_in_words() const {
    return (trial.made() ? "" : "still trying ways: ") +
           std::string("one triangle of the matrix after the other") +
           (up > 0         ? ", packed in that order"
            : asks_ahead() ? ", asked for ahead"
                           : "");
  }
  void forget() { begun = false; }

  Index up = 0;  ///< packed: where the entries begin that passes up read
  /// Whether a pass down or up comes next; of x_n, where its sweep has begun, the products with one triangle,
  /// and b without those with the diagonal's blocks; of a pass that is under way, products so far of the
  /// iterate at hand and of the next one.
  bool begun = false, down = true;
  bool hot = false;  ///< norms have just read what the next pass reads
  T *half = nullptr, *rest = nullptr, *now[2] = {}, *ahead[2] = {};
  std::span<const bool> ways = asks_ahead_or_not;
  WayTrial trial{2, 2};
};

template <class T, class S = T>
struct PairedBound : Vectors<T, PairedWorkspace<T, S>> {
  /// packed: the entries that passes up read begin at `up`.
  explicit PairedBound(const DenseView<S>& view, Index up = 0) {
    auto& here = this->w;
    here.look_at(view);
    this->take(dense_piece, 1, true, true);
    here.up = up;
    if (up > 0) here.trial = {};
    for (auto& sum : sums) sum = this->new_vector();
    here.half = sums[0].get();
    here.rest = sums[1].get();
    for (int k = 0; k < 2; ++k) here.now[k] = sums[2 + k].get(), here.ahead[k] = sums[4 + k].get();
  }
  AlignedArray<T> sums[6];
};

/// Of the instruction set in force (kernels.cpp), on entries where they are and on packed ones.
template <class T, class S>
using PairedKernels = MatrixKernels<T, PairedWorkspace<T, S>>;
template <class T, class S = T>
PairedKernels<T, S> paired_kernels();
template <class S>
PairedKernels<float, S> packed_kernels();

}  // namespace jacobi::sweep
