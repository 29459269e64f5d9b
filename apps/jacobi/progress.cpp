#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <new>
#include <string>

#include "core/words.hpp"
#include "io/atomic_file.hpp"
#include "io/unfinished.hpp"
#include "process.hpp"
#include "run.hpp"

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

std::atomic<bool> watching{false};

/// All that ask a program to end, but SIGINT, whose default does before anything is computed or written.
constexpr std::array<int, 5> asking_signals = {SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGXCPU};

/// Sent again by somebody who means it; the system repeats the others by itself.
bool may_insist(int which) { return which == SIGINT || which == SIGTERM || which == SIGQUIT; }

/// Ended by the signal, as shells want to see it.
void end_by(int which) {
  io::remove_unfinished();
  std::signal(which, SIG_DFL);
  std::raise(which);
}

void on_signal(int which) {
  if (!watching) {                              // there is nothing to keep
    if (which == SIGINT) return end_by(which);  // to which shells give the exit code 130
    io::remove_unfinished();
    ::_exit(Exit::interrupted);
  }
  const std::int64_t at = now();
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, at) || at - first < repeat || !may_insist(which)) return;
  end_by(which);
}

}  // namespace

void take_signals() {
  for (const int which : asking_signals)
    if (std::signal(which, on_signal) == SIG_IGN && which != SIGTERM)
      std::signal(which, SIG_IGN);  // as nohup asks for
}

void take_interrupts() {
  if (std::signal(SIGINT, on_signal) == SIG_IGN && !watching) std::signal(SIGINT, SIG_IGN);
}

Watch::Watch(bool shows) : shows_(shows && isatty(STDERR_FILENO)) {
  first_signal = 0;
  watching = true;
  take_signals();
  take_interrupts();
  io::stop_waiting_when(Watch::interrupted);
}

Watch::~Watch() {
  if (!interrupted())
    watching = false;  // else repeated signals still are the first, while outputs are written
  clear();
}

bool Watch::interrupted() { return first_signal != 0; }

void Watch::clear() {
  if (shown_) tell("\r\033[K");
  shown_ = false;
}

void Watch::show(const Progress& p) {
  last_ = p.seconds;
  shown_ = true;
  std::string line =
      fmt::format("\r\033[K{}  norm {:.3e} -> {:.1e}", counted(p.sweeps, "sweep"), p.norm, p.tolerance);
  if (p.contraction) line += fmt::format("  contraction 1 - {:.2e}", 1 - *p.contraction);
  if (p.seconds_left) line += fmt::format("  {:.0f} s left", *p.seconds_left);
  tell(line);
}

bool Watch::operator()(const Progress& p) {
  try {
    if (shows_ && p.seconds > 0.5 && p.seconds > last_ + 0.1) show(p);
  } catch (const std::bad_alloc&) {  // the solve may have what it needs
  }
  return !interrupted();
}

}  // namespace jacobi::cli
