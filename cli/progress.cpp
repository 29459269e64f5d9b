#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include "core/words.hpp"

namespace jacobi::cli {

namespace {

constexpr std::int64_t repeat = 1'000'000'000;  // nanoseconds in which a second signal is the first again

std::atomic<std::int64_t> first_signal{0};  // when, 0: none yet
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a signal handler writes it");

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1'000'000'000 * static_cast<std::int64_t>(time.tv_sec) + time.tv_nsec;
}

void on_signal(int which) {
  const std::int64_t at = now();
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, at) || at - first < repeat) return;
  std::signal(which, SIG_DFL);
  std::raise(which);
}

}  // namespace

Watch::Watch(bool shows) : shows_(shows && isatty(STDERR_FILENO)) {
  first_signal = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Watch::~Watch() {
  if (!interrupted()) {  // else repeated signals still are the first, while the outputs are written
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
  clear();
}

bool Watch::interrupted() { return first_signal != 0; }

void Watch::clear() {
  if (shown_) fmt::print(stderr, "\r\033[K");
  shown_ = false;
}

bool Watch::operator()(const Progress& p) {
  if (shows_ && p.seconds > 0.5 && p.seconds > last_ + 0.1) {
    last_ = p.seconds;
    shown_ = true;
    std::string line =
        fmt::format("{}  norm {:.3e} -> {:.1e}", counted(p.sweeps, "sweep"), p.norm, p.tolerance);
    if (p.contraction && *p.contraction < 1)
      line += fmt::format("  contraction 1 - {:.2e}", 1 - *p.contraction);
    if (p.seconds_left) line += fmt::format("  {:.0f} s left", *p.seconds_left);
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
  }
  return !interrupted();
}

}  // namespace jacobi::cli
