/// A grid that ranks sweep together.
#pragma once
#include <memory>
#include <span>
#include <utility>

#include "jacobi/backend.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/ranks.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// A grid cut into slabs along its slowest direction: lines in 2D, planes in 3D. A line of a 1D grid is not
/// cut: rank 0 owns it all. Each rank keeps vectors of its own rows, and halos of `halo` slabs at its cuts,
/// which are exchanged once every so many sweeps.
template <class T, int D>
class JACOBI_API Distributed {
 public:
  /// All ranks give the same operator, whose coefficients, where they are arrays, are those of the whole
  /// grid. halo: 0 for about the root of the slabs that a rank owns; at most as many as the thinnest rank
  /// owns. Throws: UsageError for a halo below 0, or no ranks.
  Distributed(std::shared_ptr<Ranks> ranks, Stencil<T, D> whole, Index halo = 0);

  const std::shared_ptr<Ranks>& ranks() const { return ranks_; }
  const Stencil<T, D>& whole() const { return whole_; }
  Index halo() const { return halo_; }
  /// This rank owns rows first_row() ... first_row() + rows() - 1 of the whole; none where there are more
  /// ranks than slabs.
  Index first_row() const { return first_row_; }
  Index rows() const { return rows_; }

 private:
  std::shared_ptr<Ranks> ranks_;
  Stencil<T, D> whole_;
  Index halo_ = 0, first_row_ = 0, rows_ = 0;
};

/// What choose() may take for a grid over ranks: all that one process has.
inline constexpr Methods over_ranks{.multigrid = true, .products = true};

/// Solves A x = b over all ranks, each of which calls it with its own rows of b and x: iterates, norms and
/// history have the bits of one rank, for any number of them. Norms of updates may differ in their last
/// digits where one rank alone would sweep lines in strips. Time limits are those of rank 0's clock; whoever
/// is cancelled ends all. Stop::keep is called on rank 0, with the whole solve; all give it, and all give
/// Stop::resume, which may be of any number of ranks. Methods: plain, weighted, scheduled, chebyshev,
/// red-black and its Chebyshev variant, cg, bicgstab, anderson, multigrid, and cg with multigrid. Grids of a
/// cycle that are too coarse to share are swept by all. Throws, on all ranks: as Solver; UsageError for other
/// methods, checkpoints of red-black, or a singular grid; InputError where squares of norms would vanish or
/// overflow.
template <class T, int D>
JACOBI_API Report solve(const Distributed<T, D>& a, const Plan& plan, std::span<const T> b, std::span<T> x,
                        const Stop& stop = {}, const std::shared_ptr<const Backend>& on = backend());

}  // namespace jacobi
