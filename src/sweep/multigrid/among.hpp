/// Grids of which each rank has a part while they are fine, and all of the coarse ones.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "jacobi/ranks.hpp"
#include "sweep/multigrid/level.hpp"

namespace jacobi::sweep {

/// Who has which slabs of the finest grid, and which grids are worth a part each.
struct AmongRanks {
  Ranks* ranks = nullptr;
  std::vector<Index> cuts = {};  ///< first slab of each rank, then all
  Index least_slabs = 10;        ///< of every rank, else all have the whole grid
  Index least_unknowns = 16384;  ///< of a rank: fewer are swept before messages have come
  std::array<Index, 3> lacks{};  ///< slabs that halos of x, of the coarser x and of g are short of: for tests
};

/// Slabs beyond its own ones of which a pass reads x. A restriction takes two, and the residual reads one.
inline Index reach_of(const PassTask& task) {
  return static_cast<Index>(task.steps.size()) + (task.restricts ? 3 : task.measures_residual() ? 1 : 0);
}
/// Of the coarser x, for a pass that reaches so far.
inline Index coarse_reach(Index reach, bool coarsened, bool nested) {
  return coarsened ? (reach + 1) / 2 + (nested ? 2 : 1) : reach;
}
/// Of the right-hand side, for passes of so many sweeps: the first sweep reads g one slab nearer than x.
inline Index rhs_reach(Index pre, Index post) { return std::max(pre + 2, post); }

/// Cuts one grid after the other, each where the finer one is cut, as long as a part each is worth it.
class Cutting {
 public:
  /// most: sweeps of a pass. among: none where there is one rank.
  Cutting(const AmongRanks* among, Index most) : among_(among), halo_(most + 3), apart_(among) {
    if (among) cuts_ = among->cuts;
  }
  template <class T, int D>
  void cut(GridLevel<T, D>& l) {
    l.cuts = cuts_;
    apart_ = apart_ && D > 1 && is_worth(l);
    if (!apart_) return;
    const auto me = static_cast<std::size_t>(among_->ranks->number());
    l.first = cuts_[me];
    l.last = cuts_[me + 1];
    l.low = l.first - (l.first > 0 || l.wraps(D - 1) ? halo_ : 0);
    l.high = l.last + (l.last < l.slabs || l.wraps(D - 1) ? halo_ : 0);
  }
  /// On to the next grid, of which each rank has the slabs whose centres it has.
  template <class T>
  void next(const CoarseAxis<T>& axis, Index slabs) {
    if (apart_)
      for (Index& cut : cuts_) cut = axis.next(cut, slabs);
  }

 private:
  /// A halo is of one neighbour, and lies nowhere twice.
  template <class T, int D>
  bool is_worth(const GridLevel<T, D>& l) const {
    const Index ranks = among_->ranks->count();
    Index least = l.slabs, most = 0;
    for (std::size_t r = 0; r + 1 < cuts_.size(); ++r) {
      least = std::min(least, cuts_[r + 1] - cuts_[r]);
      most = std::max(most, cuts_[r + 1] - cuts_[r]);
    }
    return ranks > 1 && least >= std::max(among_->least_slabs, halo_) &&
           (!l.wraps(D - 1) || most + 2 * halo_ <= l.slabs) && l.unknowns() >= among_->least_unknowns * ranks;
  }

  const AmongRanks* among_;
  Index halo_;
  bool apart_;
  std::vector<Index> cuts_;
};

}  // namespace jacobi::sweep
