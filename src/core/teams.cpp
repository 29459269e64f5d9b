#include "core/teams.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "core/control_groups.hpp"
#include "core/notes.hpp"
#include "core/team_pool.hpp"
#if JACOBI_HAS_OPENMP
#include <omp.h>
#endif

namespace jacobi {
namespace {

constexpr int every_thread = std::numeric_limits<int>::max();

std::atomic<int> most_threads{every_thread};  // of the largest team that can be started
std::atomic<int> most_of_whole_teams{every_thread};
std::atomic<int> threads_asked{0}, start_error{0};
std::atomic<bool> had_threads{false}, lost_threads{false};

/// Threads of this process; 1 where the system does not say.
int threads_alive() {
  struct stat status {};
  return ::stat("/proc/self/task", &status) == 0 ? std::max(1, static_cast<int>(status.st_nlink) - 2) : 1;
}

void before_fork() { had_threads = threads_alive() > 1; }

/// The threads that helped the one that forks are not in the child.
void after_fork() {
  if (!had_threads) return;
  lost_threads = true;
}

[[maybe_unused]] const int registered = ::pthread_atfork(before_fork, nullptr, after_fork);

void* wait_at(void* gate) {
  const std::lock_guard passed(*static_cast<std::mutex*>(gate));
  return nullptr;
}

}  // namespace

int started_at_once(int threads) {
  const int before = threads_alive();
  std::vector<pthread_t> started(static_cast<std::size_t>(std::max(0, threads)));
  std::size_t count = 0;
  {
    std::mutex gate;
    {
      const std::lock_guard closed(gate);
      int error = 0;
      while (count < started.size() && error == 0)
        if (error = ::pthread_create(&started[count], nullptr, wait_at, &gate); error == 0) ++count;
      if (error != 0) start_error = error;
    }
    for (std::size_t i = 0; i < count; ++i) ::pthread_join(started[i], nullptr);
  }
  // A thread that was joined counts against limits for a moment more.
  for (int looks = 0; looks < 10000 && threads_alive() > before; ++looks) ::sched_yield();
  return static_cast<int>(count);
}

int startable(int threads) {
  if (is_alone()) return 1;
  TeamPool& pool = TeamPool::of_this_thread();
  if (const int error = pool.grow(std::min(threads, most_threads.load())); error != 0) {
    start_error = error;
    most_threads = pool.size();
  }
  threads_asked = std::max(threads_asked.load(), threads);
  return std::min(threads, most_threads.load());
}

bool forked() { return lost_threads; }

bool is_alone() {
#if JACOBI_HAS_OPENMP
  if (omp_in_parallel()) return true;
#endif
  return lost_threads || TeamPool::of_this_thread().is_busy();
}

int whole_team() { return startable(std::min(available_cores(), most_of_whole_teams.load())); }

void limit_whole_teams(int most) { most_of_whole_teams = most; }

/// OMP_PROC_BIND binds the first thread to one core: OpenMP knows how many there were.
int cores_of_affinity() {
#if JACOBI_HAS_OPENMP
  return omp_get_num_procs();
#else
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  const unsigned all = std::thread::hardware_concurrency();
  return all > 0 ? static_cast<int>(all) : 1;
#endif
}

double cpu_quota(const std::string& root) {
  double quota = std::numeric_limits<double>::infinity();
  for_each_group(root, "cpu", [&](const std::string& folder, int version) {
    double most = -1, period = 0;
    if (version == 2) {
      std::ifstream(folder + "cpu.max") >> most >> period;  // "50000 100000", or "max 100000"
    } else {
      most = read_number(folder + "cpu.cfs_quota_us", -1);
      period = read_number(folder + "cpu.cfs_period_us", 0);
    }
    if (most > 0 && period > 0) quota = std::min(quota, most / period);
  });
  return quota;
}

/// /proc/loadavg: "0.20 0.18 0.12 3/80 11206", three of 80 threads can run; the caller is one of them.
int free_cores(int own, const std::string& root) {
  static const int cores = static_cast<int>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
  std::ifstream file(root + "/proc/loadavg");
  double load = 0;
  int running = 1;
  if (!(file >> load >> load >> load >> running)) running = 1;
  return std::max(1, cores - std::max(0, running - 1 - own));
}

/// A part of a CPU is no core: a team of two on one and a half would wait for the one that is held back.
int available_cores() {
  static const double quota = cpu_quota();
  int cores = static_cast<int>(std::min<double>(cores_of_affinity(), std::max(1.0, std::floor(quota))));
  if (is_alone()) return 1;
#if JACOBI_HAS_OPENMP
  cores = std::min({cores, omp_get_max_threads(), omp_get_thread_limit()});
#endif
  return cores;
}

std::optional<Note> note_on_threads() {
  if (lost_threads) return note(notes::forked);
  if (most_threads == every_thread) return {};
  return note(notes::few_threads, most_threads.load(), threads_asked.load(), std::strerror(start_error));
}

}  // namespace jacobi
