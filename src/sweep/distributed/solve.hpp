/// A solve over ranks, and what tests change of it to see that they would notice.
#pragma once
#include <memory>
#include <span>

#include "jacobi/distributed.hpp"
#include "sweep/distributed/slabs.hpp"
#include "sweep/multigrid/among.hpp"

namespace jacobi::sweep {

/// As it has to be, but for tests.
struct Exchanging {
  Index sweeps_beyond = 0;   ///< sweeps from one exchange to the next beyond what halos allow
  bool even_origins = true;  ///< of red-black
  bool clocks_agree = true;  ///< rank 0's time is everybody's
  AmongRanks cycles = {};    ///< which grids of a cycle have a part on each rank
};

/// How the grid is cut for this plan.
template <class T, int D>
Slabs slabs_of(const Distributed<T, D>& a, const Plan& plan, const Exchanging& how = {});

template <class T, int D>
Report solve_over(const Distributed<T, D>& a, const Plan& plan, std::span<const T> b, std::span<T> x,
                  const Stop& stop, const Backend& on, const Exchanging& how);

}  // namespace jacobi::sweep
