#include "another_process.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>
#include <mutex>

#include <array>
#include <cstdio>

#include "apps/jacobi/process.hpp"
#include "core/team.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

std::string own_path() {
  std::array<char, 4096> path{};
  const auto length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (length <= 0) throw BackendError("/proc/self/exe cannot be read: the BLAS needs a process of its own");
  return {path.data(), static_cast<std::size_t>(length)};
}

/// While it lives, the caller may run wherever one of its team may: a process begun by a thread that
/// OMP_PROC_BIND holds on one processor would stay there with all its threads.
class Unbound {
 public:
  explicit Unbound(int threads) {
    ::sched_getaffinity(0, sizeof(before_), &before_);
    cpu_set_t all = before_;
    std::mutex one_at_a_time;
    run_team(startable(threads), [&](const Member&) {
      cpu_set_t mine;
      ::sched_getaffinity(0, sizeof(mine), &mine);
      const std::lock_guard lock(one_at_a_time);
      CPU_OR(&all, &all, &mine);
    });
    ::sched_setaffinity(0, sizeof(all), &all);
  }
  ~Unbound() { ::sched_setaffinity(0, sizeof(before_), &before_); }
  Unbound(const Unbound&) = delete;
  Unbound& operator=(const Unbound&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace

std::string output_of_another(const std::string& arguments, int threads) {
  const Unbound unbound(threads);
  const std::string command =
      fmt::format("env -u OMP_PROC_BIND -u OMP_PLACES {} {}", in_quotes(own_path()), arguments);
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw BackendError("a process for the BLAS cannot be started");
  std::string text;
  std::array<char, 4096> some{};
  while (const std::size_t count = std::fread(some.data(), 1, some.size(), pipe))
    text.append(some.data(), count);
  if (::pclose(pipe) != 0) throw BackendError("the bench of rung 'blas' in a process of its own failed");
  return text;
}

}  // namespace jacobi::cli
