/// What a multigrid cycle sees of its grids.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/grid.hpp"
#include "sweep/arrays.hpp"
#include "sweep/multigrid/schedule.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

/// One direction from a grid to the next coarser one. A point is counted from the low side: point p is
/// unknown p - shift. Point 2 P lies at or just above coarse point P, so fine points 2 P - 2 ... 2 P + 1 take
/// part in coarse point P, and fine points 2 P, 2 P + 1 lie between coarse points P and P + 1.
template <class T>
struct CoarseAxis {
  bool coarsened = false;
  Index shift = 0;  ///< 1 where the low side is Dirichlet
  Index n = 0;      ///< coarse unknowns
  std::array<std::vector<T>, 4>
      weights;  ///< of these four in coarse unknown I; fine unknown 2 I + shift - 2 + t
  /// Weight of coarse point P + 1 in fine points 2 P (even) and 2 P + 1 (odd); that of P is 1 minus it.
  std::array<std::vector<T>, 2> upper;
  /// Weights of coarse points P - 1 ... P + 2, for solutions: see AxisWeights.
  std::array<std::array<std::vector<T>, 4>, 2> cubic;

  /// The first coarse unknown whose centre lies at or above fine unknown y of so many.
  Index next(Index y, Index unknowns) const {
    if (!coarsened) return y;
    return y >= unknowns ? n : std::clamp<Index>((y - shift + 1) / 2, 0, n);
  }
};

/// One grid. A slab is what the outermost direction counts: a line in 2D, a plane in 3D, everything in 1D.
/// Lines have room for a ghost on each side and for vectors that run past the end; planes have ghost lines.
/// Dirichlet ghosts are 0: boundary values are part of g.
template <class T, int D>
struct GridLevel {
  std::array<Index, D> n{};
  std::array<std::array<BoundaryKind, 2>, D> sides{};
  Index slabs = 1, lines = 1;          ///< of the whole grid; lines of a slab
  Index first = 0, last = 1;           ///< the slabs swept here; all but where ranks have a part each
  Index low = 0, high = 1;             ///< those with room here: halos too, across a periodic end as well
  std::vector<Index> cuts = {};        ///< first slab of each rank, then all; empty: there are no others
  Index pitch = 0, slab = 0;           ///< entries from one line or slab to the next
  Index leading = 0;                   ///< entries of a slab before its first unknown
  T* x = nullptr;                      ///< first unknown of the iterate
  T* g = nullptr;                      ///< right-hand side over the diagonal
  T diagonal = 1;                      ///< where constant
  T scale = 0;                         ///< where constant: this diagonal over that of the next coarser grid
  std::array<T, D> c{};                ///< where constant: coupling along each direction over the diagonal
  std::array<const T*, 2 * D> arms{};  ///< where variable: the same for each neighbour
  const T* diagonals = nullptr;        ///< where variable
  const T* inverses = nullptr;         ///< 1 over it, 0 where it is 0 or a hole; of the finest grid only that
  bool has_holes = false;              ///< where nothing is interpolated: as `inverses` are 0
  std::array<CoarseAxis<T>, D> axis;   ///< to the next coarser grid
  bool shared = false;                 ///< worth more than one thread

  Index unknowns() const {
    Index all = 1;
    for (const Index count : n) all *= count;
    return all;
  }
  /// Entries from one unknown to the next along direction d, and from the first one here to the first of a
  /// line, lines counted slab by slab.
  Index stride(int d) const { return d == 0 ? 1 : d + 1 == D ? slab : pitch; }
  Index start_of(Index line) const { return line / lines * slab + line % lines * pitch; }
  /// The same to the first of slab y, or of the copy that lies here.
  Index offset_of(Index y) const {
    while (y < low) y += slabs;
    while (y >= high) y -= slabs;
    return (y - low) * slab;
  }
  /// Ranks have a part each.
  bool is_apart() const { return last - first < slabs; }
  bool wraps(int d) const { return sides[d][0] == BoundaryKind::periodic; }
  /// Unknown that the ghost beyond side e of direction d copies, or -1: it stays 0.
  Index source(int d, int e) const {
    if (n[d] == 1) return wraps(d) ? 0 : -1;
    if (sides[d][e] == BoundaryKind::dirichlet) return -1;
    if (wraps(d)) return e == 0 ? n[d] - 1 : 0;
    return e == 0 ? 1 : n[d] - 2;
  }
  /// The ghosts at the ends of a line.
  void renew_ends(T* line) const {
    for (int e = 0; e < 2; ++e) {
      const Index from = source(0, e);
      line[e == 0 ? -1 : n[0]] = from < 0 ? T(0) : line[from];
    }
  }
  /// The ghost lines of a plane.
  void renew_lines(T* plane) const {
    if constexpr (D == 3)
      for (int e = 0; e < 2; ++e) {
        const Index from = source(1, e);
        if (from < 0) continue;
        std::memcpy(plane + (e == 0 ? -1 : n[1]) * pitch - 1, plane + from * pitch - 1,
                    static_cast<std::size_t>(n[0] + 2) * sizeof(T));
      }
  }
};

/// Slabs of a stage that are needed at once, and of the residual.
template <int D>
constexpr Index stage_slots = D == 1 ? 1 : 3;
template <int D>
constexpr Index residual_slots = D == 1 ? 1 : 4;

/// What one thread needs for a pass over one grid: slabs of every stage that wait for their neighbours.
template <class T>
struct PassMemory {
  T* stages = nullptr;     ///< stage_slots slabs each
  T* residuals = nullptr;  ///< residual_slots
  T* low = nullptr;        ///< slabs of x below those of this thread, and above, as they were before the pass
  T* high = nullptr;
  T* line = nullptr;        ///< lines added up
  T* correction = nullptr;  ///< a line of it, where there are holes
};

/// What ranks that share grids do between passes, by one thread of each.
class BetweenPasses {
 public:
  virtual ~BetweenPasses() = default;
  /// What a pass over that grid reads becomes what its owners have.
  virtual void before(std::size_t grid, const PassTask& task) = 0;
  /// So does what a pass has made for others.
  virtual void after(std::size_t grid, const PassTask& task) = 0;
  /// Norms of all, of this rank's parts of the finest grid.
  virtual Norms sum(std::span<const Partial> parts) = 0;
};

/// A bound multigrid plan, for the instruction set that runs it.
template <class T, int D>
struct MultigridWorkspace {
  std::vector<GridLevel<T, D>> levels;               ///< the finest first
  std::vector<std::vector<PassMemory<T>>> memories;  ///< of each level for each thread
  const T* zeros = nullptr;                          ///< first unknown of a slab of zeros
  std::vector<Partial> updates, residuals;           ///< norms, one per line swept of the finest grid
  Index pre = 2, post = 1, visits = 1;
  bool variable = false;
  bool full = false;
  bool fresh = true;  ///< nothing done since load()
  bool x_is_zero = false;
  int threads = 1;
  BetweenPasses* ranks = nullptr;  ///< who share the grids, if any
  Executed ran;
};

/// Runs the steps in cycles, and measures, with the instruction set in force.
template <class T, int D>
struct MultigridFunctions {
  Norms (*advance)(MultigridWorkspace<T, D>& w, std::span<const Step> steps, Want want);
  Norms (*norms)(MultigridWorkspace<T, D>& w, Want want);
};
template <class T, int D>
MultigridFunctions<T, D> multigrid_functions();

}  // namespace jacobi::sweep
