#include "another_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>

#include "apps/jacobi/process.hpp"
#include "apps/jacobi/progress.hpp"
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

/// A shell's command in a process group of its own, which Ctrl-C on the terminal does not reach.
class Child {
 public:
  explicit Child(std::string command) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw BackendError("there is no pipe for a process");
    posix_spawn_file_actions_t files;
    posix_spawnattr_t group;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    ::posix_spawnattr_init(&group);
    ::posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    std::string shell = "/bin/sh", option = "-c";
    std::array<char*, 4> words{shell.data(), option.data(), command.data(), nullptr};
    const int failed = ::posix_spawn(&pid_, shell.c_str(), &files, &group, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&group);
    ::close(ends[1]);
    output_ = ends[0];
    if (failed != 0) {
      ::close(output_);
      throw BackendError("a process for the BLAS cannot be started");
    }
  }
  ~Child() { ::close(output_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int output() const { return output_; }
  int wait() const {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    return status;
  }
  void end() const {
    ::kill(pid_, SIGKILL);
    wait();
  }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace

std::string output_of_another(const std::string& arguments, int threads) {
  const Unbound unbound(threads);
  const Child child(
      fmt::format("exec env -u OMP_PROC_BIND -u OMP_PLACES {} {}", in_quotes(own_path()), arguments));
  std::string text;
  std::array<char, 4096> some{};
  for (;;) {
    if (Watch::interrupted()) {
      child.end();
      throw Interrupted("ended while another process measured");
    }
    pollfd output{child.output(), POLLIN, 0};
    if (::poll(&output, 1, 50) <= 0) continue;
    const ssize_t count = ::read(child.output(), some.data(), some.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(some.data(), static_cast<std::size_t>(count));
  }
  if (child.wait() != 0) throw BackendError("the bench of rung 'blas' in a process of its own failed");
  return text;
}

}  // namespace jacobi::cli
