/// Threads that sweep together.
#pragma once
#if JACOBI_HAS_OPENMP
#include <omp.h>
#endif

#include "jacobi/types.hpp"
#include "sweep/barrier.hpp"

namespace jacobi::sweep {

/// One thread of a team.
struct Member {
  int number, team;
  Barrier& barrier;
  void wait() const { barrier.wait(team); }
  /// visit(s) for its share of 0 ... count - 1, contiguous: as it was touched first.
  template <class Visit>
  void share(Index count, Visit&& visit) const {
    for (Index s = count * number / team; s < count * (number + 1) / team; ++s) visit(s);
  }
};

/// body(member) on so many threads at once, or on as many as there are; returns their number. One is the
/// caller, and no parallel region: inside one, libgomp starts threads anew for every team.
template <class Body>
int run_team(int threads, Body&& body) {
  Barrier barrier;
  int team = 1;
  if (threads == 1) {
    body(Member{0, 1, barrier});
    return team;
  }
#if JACOBI_HAS_OPENMP
#pragma omp parallel num_threads(threads)
  {
    const Member me{omp_get_thread_num(), omp_get_num_threads(), barrier};
    body(me);
    if (me.number == 0) team = me.team;
  }
#else
  body(Member{0, 1, barrier});
#endif
  return team;
}

}  // namespace jacobi::sweep
