#include "busy.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "jacobi/error.hpp"

namespace jacobi::cli {

Busy::Busy(int processes) {
  const pid_t parent = ::getpid();
  while (static_cast<int>(processes_.size()) < processes) {
    const pid_t child = ::fork();
    if (child < 0) {
      const int why = errno;
      end();
      throw BackendError(fmt::format("a busy process cannot be started: {}", std::strerror(why)));
    }
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (volatile unsigned work = 0; ::getppid() == parent;)
        for (int i = 0; i < 1 << 24; ++i) work = work + 1;
      ::_exit(0);
    }
    processes_.push_back(child);
  }
}

Busy::~Busy() { end(); }

void Busy::end() {
  for (const pid_t child : processes_) ::kill(child, SIGKILL);
  for (const pid_t child : processes_) ::waitpid(child, nullptr, 0);
  processes_.clear();
}

}  // namespace jacobi::cli
