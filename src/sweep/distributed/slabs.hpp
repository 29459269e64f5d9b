/// Who has which part of a grid that is cut along its slowest direction.
#pragma once
#include <algorithm>
#include <cmath>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// Each rank owns slabs begin(r) ... end(r) - 1, two or more, and has copies of some beyond its cuts: as many
/// sweeps as these are deep leave its own right. Ranks beyond `active` own nothing.
struct Slabs {
  Index all = 0;  ///< slabs of the grid
  int active = 1;
  Index depth = 0;  ///< of a halo at least
  bool is_periodic = false;
  /// Halos begin at even slabs: the colours of a chequerboard are then those of the whole.
  bool is_even = false;

  /// For `ranks` ranks. wanted: how deep halos are to be, at most as a rank is thick.
  static Slabs cut(Index all, int ranks, Index wanted, bool is_periodic, bool is_even) {
    Slabs s{all, static_cast<int>(std::clamp<Index>(all / 2, 1, ranks)), 0, is_periodic, is_even};
    s.depth = std::clamp<Index>(all / s.active - (is_even ? 1 : 0), 1, std::max<Index>(1, wanted));
    return s;
  }
  bool owns(int rank) const { return rank < active; }
  Index begin(int rank) const { return all * std::min(rank, active) / active; }
  Index end(int rank) const { return begin(rank + 1); }
  bool is_cut_below(int rank) const { return owns(rank) && active > 1 && (rank > 0 || is_periodic); }
  bool is_cut_above(int rank) const { return owns(rank) && active > 1 && (rank + 1 < active || is_periodic); }
  int below(int rank) const { return (rank + active - 1) % active; }
  int above(int rank) const { return (rank + 1) % active; }
  /// Slabs of the halos.
  Index low(int rank) const {
    if (!is_cut_below(rank)) return 0;
    return is_even && (begin(rank) - depth) % 2 != 0 ? depth + 1 : depth;
  }
  Index high(int rank) const { return is_cut_above(rank) ? depth : 0; }
};

/// Calls of k sweeps cost about 1/k more than long ones, and half of k slabs per cut are swept twice: least
/// in all where k is the root of a rank's thickness. Strips and wavefronts ask for 8 sweeps; the latter for
/// an even number.
template <int D>
Index usual_depth(Index slabs, int ranks) {
  const auto root = static_cast<Index>(std::sqrt(static_cast<double>(slabs) / ranks));
  return D == 2 ? std::clamp<Index>(root, 8, 36) : std::clamp<Index>(root / 2 * 2 + 2, 8, 16);
}

}  // namespace jacobi::sweep
