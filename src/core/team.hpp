/// Threads that work together.
#pragma once
#include <algorithm>
#include <atomic>
#include <memory>

#include "core/team_pool.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// The job on so many threads at once, or on as many as there are; returns their number. One is the caller.
/// No exception may leave the job.
inline int run_team(int threads, TeamPool::Job job) {
  if (threads > 1) return TeamPool::of_this_thread().run(threads, job);
  Barrier alone;
  job.call(job.body, {0, 1, alone});
  return 1;
}

/// The same with body(member) as the job.
template <class Body>
int run_team(int threads, Body&& body) {
  auto* const at = std::addressof(body);
  using At = decltype(at);
  return run_team(threads, TeamPool::Job{[](void* to, const Member& me) { (*static_cast<At>(to))(me); },
                                         const_cast<void*>(static_cast<const void*>(at))});
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
