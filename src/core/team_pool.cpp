#include "core/team_pool.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#if JACOBI_HAS_OPENMP
#include <omp.h>
#endif

#include "core/teams.hpp"

namespace jacobi {

namespace {

/// Where OpenMP binds threads to places, that of a helper of the thread in place `first`: the next ones.
void take_place([[maybe_unused]] int first, [[maybe_unused]] int number) {
#if JACOBI_HAS_OPENMP
  const int places = omp_get_num_places();
  if (omp_get_proc_bind() == omp_proc_bind_false || places < 1 || first < 0) return;
  const int place = (first + number) % places;
  std::vector<int> cores(static_cast<std::size_t>(omp_get_place_num_procs(place)));
  omp_get_place_proc_ids(place, cores.data());
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  ::sched_setaffinity(0, sizeof set, &set);
#endif
}

int place_of_caller() {
#if JACOBI_HAS_OPENMP
  return omp_get_place_num();
#else
  return -1;
#endif
}

}  // namespace

TeamPool& TeamPool::of_this_thread() {
  thread_local TeamPool pool;
  return pool;
}

/// A helper that no team wanted for some runs goes on with the newest. One that a team wants is waited for,
/// so that the job is the one of its run.
void TeamPool::help(Shared& shared, int number, std::int64_t run) {
  of_this_thread().busy_ = true;
  for (;;) {
    shared.begun.wait_for(stage_of(run + 1, 0));
    const std::int64_t stage = shared.begun.reached();
    run = stage / most_threads;
    const int team = static_cast<int>(stage % most_threads);
    if (team == 0) return;
    if (number >= team) continue;
    shared.job.call(shared.job.body, {number, team, shared.barrier});
    if (shared.left.fetch_sub(1, std::memory_order_acq_rel) == 1) shared.ended.reach(run);
  }
}

int TeamPool::grow(int threads) noexcept {
  if (busy_ || size() >= threads) return 0;
  const int first = place_of_caller();
  try {
    if (!shared_) shared_ = std::make_unique<Shared>();
    helpers_.reserve(static_cast<std::size_t>(threads));
    while (size() < threads)
      helpers_.emplace_back([&shared = *shared_, number = size(), first, run = runs_] {
        take_place(first, number);
        help(shared, number, run);
      });
  } catch (const std::system_error& error) {
    return error.code().value();
  } catch (const std::exception&) {
    return ENOMEM;
  }
  return 0;
}

int TeamPool::run(int threads, Job job) noexcept {
  asked = std::max(asked, threads);
  int team = std::min(threads, most);
  if (team > 1 && is_alone()) team = 1;
  if (team > size()) {
    grow(team);
    team = std::min(team, size());
  }
  if (team <= 1) {
    Barrier alone;
    job.call(job.body, {0, 1, alone});
    return 1;
  }
  busy_ = true;
  shared_->job = job;
  shared_->left.store(team - 1, std::memory_order_relaxed);
  shared_->begun.reach(stage_of(++runs_, team));
  job.call(job.body, {0, team, shared_->barrier});
  shared_->ended.wait_for(runs_);
  busy_ = false;
  return team;
}

TeamPool::~TeamPool() {
  if (helpers_.empty()) return;
  if (forked()) {  // they stayed with the parent, and no handle of theirs means anything here
    new auto(std::move(helpers_));  // NOLINT(bugprone-unhandled-exception-at-new)
    (void)shared_.release();
    return;
  }
  shared_->begun.reach(stage_of(++runs_, 0));
  for (std::thread& helper : helpers_) helper.join();
}

}  // namespace jacobi
