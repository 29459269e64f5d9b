/// Threads that work together.
#pragma once
#include <algorithm>
#include <atomic>
#include <utility>

#include "core/event_count.hpp"
#include "core/team_pool.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// One thread of a team.
struct Member {
  int number, team;
  Barrier& barrier;
  void wait() const { barrier.wait(team); }
  /// Its share of 0 ... count - 1, contiguous: as it was touched first; first and past the last.
  std::pair<Index, Index> part(Index count) const {
    return {count * number / team, count * (number + 1) / team};
  }
  /// visit(s) for that share.
  template <class Visit>
  void share(Index count, Visit&& visit) const {
    const auto [first, last] = part(count);
    for (Index s = first; s < last; ++s) visit(s);
  }
};

/// body(member) on so many threads at once, or on as many as there are; returns their number. One is the
/// caller. No exception may leave the body.
template <class Body>
int run_team(int threads, Body&& body) {
  struct Team {
    Body& body;
    Barrier barrier;
  } shared{body, {}};
  if (threads <= 1) {
    body(Member{0, 1, shared.barrier});
    return 1;
  }
  return TeamPool::of_this_thread().run(threads, {[](void* to, int number, int team) {
                                                    Team& all = *static_cast<Team*>(to);
                                                    all.body(Member{number, team, all.barrier});
                                                  },
                                                  &shared});
}

/// visit(i) for 0 ... count - 1, each thread a contiguous share: the same as another pass of as many gives
/// it.
template <class Visit>
void parallel_for(int threads, Index count, const Visit& visit) {
  run_team(static_cast<int>(std::min<Index>(threads, count)),
           [=](const Member& me) { me.share(count, visit); });
}

/// run(first, last) for all of 0 ... count - 1, `chunk` at once by whoever is free: for work that differs,
/// and beside other processes.
template <class Run>
void parallel_chunks(int threads, Index count, Index chunk, const Run& run) {
  std::atomic<Index> next = 0;
  run_team(static_cast<int>(std::min<Index>(threads, (count + chunk - 1) / chunk)), [&](const Member&) {
    for (Index first = next.fetch_add(chunk); first < count; first = next.fetch_add(chunk))
      run(first, std::min(count, first + chunk));
  });
}

}  // namespace jacobi
