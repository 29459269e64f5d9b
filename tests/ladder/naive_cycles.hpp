/// The hierarchical scheme written down once more: every tile on a copy of the whole grid, in which all that
/// it does not update stands still.
#pragma once
#include <algorithm>

#include "jacobi/tiling.hpp"
#include "ladder/naive.hpp"

namespace jacobi::test {

/// Geometry as the source and the oracle word it, not by Cut: stride = extent - 2 overlap, the last tile cut
/// off, shared unknowns owned half and half.
struct NaiveCut {
  NaiveCut(Index n, Index extent, Index overlap) {
    const Index stride = extent - 2 * overlap;
    for (Index s = 0;; s += stride) {
      first.push_back(s);
      last.push_back(std::min(s + extent, n));
      own_first.push_back(s == 0 ? 0 : s + overlap);
      if (s + extent >= n) break;
      own_last.push_back(s + extent - overlap);
    }
    own_last.push_back(n);
  }
  std::vector<Index> first, last, own_first, own_last;
};

template <class T, int D>
class NaiveCycles final : public Naive<T, D> {
 public:
  NaiveCycles(const Stencil<T, D>& a, const Tiling& tiling) : Naive<T, D>(a), k_(tiling.subiterations) {
    for (int d = 0; d < D; ++d) cuts_.emplace_back(a.grid().unknowns[d], tiling.extent[d], tiling.overlap[d]);
  }

 private:
  Norms do_advance(std::span<const Step> steps, Want) override {
    for (std::size_t j = 0; j < steps.size(); j += static_cast<std::size_t>(k_))
      cycle(steps.subspan(j, std::min(static_cast<std::size_t>(k_), steps.size() - j)));
    return {std::sqrt(squares_), max_};
  }

  void cycle(std::span<const Step> steps) {
    const std::vector<T> old = this->x_;
    std::vector<T> next = old;
    squares_ = max_ = 0;
    std::array<std::size_t, D> tile{};
    do {
      this->x_ = old;
      for (const Step& step : steps) sweep(tile, step);
      for (Index p = 0; p < this->rows(); ++p) {
        if (!inside(p, tile, &NaiveCut::own_first, &NaiveCut::own_last)) continue;
        next[p] = this->x_[p];
        const double moved = static_cast<double>(this->x_[p] - this->before_[p]);
        squares_ += moved * moved;
        max_ = std::max(max_, std::abs(moved));
      }
    } while (next_tile(tile));
    this->x_ = next;
  }

  void sweep(const std::array<std::size_t, D>& tile, const Step& step) {
    std::vector<T> next = this->x_;
    for (Index p = 0; p < this->rows(); ++p)
      if (inside(p, tile, &NaiveCut::first, &NaiveCut::last)) next[p] = this->relaxed(p, step);
    this->before_ = std::exchange(this->x_, next);
  }

  using Bounds = std::vector<Index> NaiveCut::*;
  bool inside(Index p, const std::array<std::size_t, D>& tile, Bounds from, Bounds to) const {
    const auto at = position(this->a_.grid(), p);
    for (int d = 0; d < D; ++d)
      if (at[d] < (cuts_[d].*from)[tile[d]] || at[d] >= (cuts_[d].*to)[tile[d]]) return false;
    return true;
  }

  bool next_tile(std::array<std::size_t, D>& tile) const {
    for (int d = 0; d < D; ++d) {
      if (++tile[d] < cuts_[d].first.size()) return true;
      tile[d] = 0;
    }
    return false;
  }

  Index k_;
  std::vector<NaiveCut> cuts_;
  double squares_ = 0, max_ = 0;
};

}  // namespace jacobi::test
