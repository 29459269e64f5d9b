#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <new>
#include <string>
#include <vector>

#include "core/words.hpp"
#include "io/atomic_file.hpp"
#include "io/unfinished.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"
#include "process.hpp"
#include "run.hpp"
#include "terminal.hpp"

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

/// The line of the innermost Stage that lives.
std::atomic<const std::string*> stage{nullptr};

/// What the Watch says.
std::string& doing() {
  static std::string text;
  return text;
}

/// Of the Watch that lives. Nobody registers callbacks with it: then request_stop() is a change of an atomic.
std::atomic<std::stop_source*> wish{nullptr};

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
  if (const std::string* const line = stage) {
    tell(*line);
    io::remove_unfinished();
    ::_exit(Exit::interrupted);
  }
  if (!watching) {                              // there is nothing to keep
    if (which == SIGINT) return end_by(which);  // to which shells give the exit code 130
    io::remove_unfinished();
    ::_exit(Exit::interrupted);
  }
  const std::int64_t at = now();
  std::int64_t first = 0;
  if (first_signal.compare_exchange_strong(first, at)) {
    if (std::stop_source* const source = wish) source->request_stop();
    return;
  }
  if (at - first < repeat || !may_insist(which)) return;
  end_by(which);
}

}  // namespace

void take_signals() {
  for (const int which : asking_signals)
    if (std::signal(which, on_signal) == SIG_IGN && which != SIGTERM)
      std::signal(which, SIG_IGN);  // as nohup asks for
}

void take_interrupts() {
  if (std::signal(SIGINT, on_signal) == SIG_IGN) std::signal(SIGINT, SIG_IGN);  // of a job in the background
}

Stage::Stage(const std::string& line) : line_(complaint(line)), outer_(stage) {
  stage = &line_;
  take_interrupts();
}

Stage::~Stage() { stage = outer_; }

ShownProgress shown_progress(const std::string& word, bool quiet) {
  constexpr double usual = 10;
  ShownProgress shown;
  const bool plain = word == "plain" || word.starts_with("plain:");
  if (!plain && word != "auto" && word != "none")
    throw UsageError(fmt::format("--progress '{}': auto, plain, plain:SECONDS or none", word));
  if (plain) {
    shown = {ShownProgress::lines, usual};
    if (word != "plain") {
      const std::string wrong = read_finite(word.substr(6), shown.every);
      if (!wrong.empty() || !(shown.every > 0))
        throw UsageError(fmt::format("--progress '{}': {}; for example plain:60", word,
                                     wrong.empty() ? "seconds must be above 0" : wrong));
    }
  } else if (word == "auto" && isatty(STDERR_FILENO)) {
    shown = can_renew_lines() ? ShownProgress{ShownProgress::line, 0.1}
                              : ShownProgress{ShownProgress::lines, usual};
  }
  if (quiet) shown.kind = ShownProgress::nothing;
  return shown;
}

std::string progress_line(const Progress& p, std::size_t columns) {
  // as shown, and by how soon it goes where columns lack: 0 goes last
  struct Part {
    std::string text;
    int rank;
  };
  std::vector<Part> parts = {{counted(p.sweeps, "sweep"), 0},
                             {fmt::format("norm {:.3e} -> {:.1e}", p.norm, p.tolerance), 1}};
  if (p.contraction) parts.push_back({fmt::format("contraction 1 - {:.2e}", 1 - *p.contraction), 3});
  if (p.seconds_left && *p.seconds_left > 0) parts.push_back({in_time(*p.seconds_left) + " left", 2});
  const auto joined = [&] {
    std::string line;
    for (const Part& part : parts) line += (line.empty() ? "" : "  ") + part.text;
    return line;
  };
  while (parts.size() > 1 && joined().size() > columns)
    parts.erase(std::ranges::max_element(parts, {}, &Part::rank));
  return joined().substr(0, columns);
}

Watch::Watch(const ShownProgress& shown) : shown_progress_(shown) {
  first_signal = 0;
  doing().clear();
  wish = &wish_;
  watching = true;
  take_signals();
  take_interrupts();
  io::stop_waiting_when(Watch::interrupted);
  stage = nullptr;  // what prepared this has come to its end
}

Watch::~Watch() {
  wish = nullptr;
  if (!interrupted())
    watching = false;  // else repeated signals still are the first, while outputs are written
  clear();
}

bool Watch::interrupted() { return first_signal != 0; }

void Watch::throw_if_interrupted(const char* words) {
  if (interrupted()) throw Interrupted(words);
}

std::string Watch::unfinished() { return interrupted() ? doing() : ""; }

void Watch::clear() {
  if (shown_) tell("\r\033[K");
  shown_ = false;
}

void Watch::says(const std::string& text) {
  if (!interrupted()) doing() = text;
  if (shown_progress_.kind != ShownProgress::line) return;
  shown_ = true;
  tell("\r\033[K" + text.substr(0, columns_of(STDERR_FILENO) - 1));
}

void Watch::show(double seconds, const std::function<std::string(std::size_t columns)>& line) {
  last_ = seconds;
  if (shown_progress_.kind == ShownProgress::lines)
    return tell(fmt::format("{} after {}\n", line(std::string::npos), in_time(seconds)));
  shown_ = true;
  tell("\r\033[K" + line(columns_of(STDERR_FILENO) - 1));
}

bool Watch::operator()(const Progress& p) {
  return look(p.seconds, [&](std::size_t columns) { return progress_line(p, columns); });
}

bool Watch::look(double seconds, const std::function<std::string(std::size_t columns)>& line) {
  try {
    const bool renews = shown_progress_.kind == ShownProgress::line;
    const bool due = seconds >= last_ + shown_progress_.every && (!renews || seconds > 0.5);
    if (shown_progress_.kind != ShownProgress::nothing && due) show(seconds, line);
  } catch (const std::bad_alloc&) {  // the solve may have what it needs
  }
  return !interrupted();
}

}  // namespace jacobi::cli
