#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace jacobi::cli {

namespace {

volatile std::sig_atomic_t signals = 0;

void on_signal(int which) {
  signals = signals + 1;
  if (signals > 1) {
    std::signal(which, SIG_DFL);
    std::raise(which);
  }
}

}  // namespace

Watch::Watch(bool shows) : shows_(shows && isatty(STDERR_FILENO)) {
  signals = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Watch::~Watch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (shown_) fmt::print(stderr, "\r\033[K");
}

bool Watch::interrupted() { return signals > 0; }

bool Watch::operator()(const Progress& p) {
  if (shows_ && p.seconds > 0.5 && p.seconds > last_ + 0.1) {
    last_ = p.seconds;
    shown_ = true;
    std::string line = fmt::format("{} sweeps  norm {:.3e} -> {:.1e}", p.sweeps, p.norm, p.tolerance);
    if (p.contraction) line += fmt::format("  contraction 1 - {:.2e}", 1 - *p.contraction);
    if (p.seconds_left) line += fmt::format("  {:.0f} s left", *p.seconds_left);
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
  }
  return !interrupted();
}

}  // namespace jacobi::cli
