#include "machine/disturbance.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace jacobi::machine {

namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Seconds of all cores since the system began.
struct CoreTimes {
  double busy = 0, stolen = 0;
  bool known = false;
};

/// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
CoreTimes core_times() {
  std::ifstream in("/proc/stat");
  std::string name;
  double ticks[8] = {};
  if (!(in >> name) || name != "cpu") return {};
  for (double& value : ticks)
    if (!(in >> value)) return {};
  const double unit = 1 / static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
  return {unit * (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]), unit * ticks[7], true};
}

Stretch since_beginning() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration<double>(now).count(), seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
          used.ru_nivcsw, core_times().stolen};
}

}  // namespace

double Stretch::lost(int threads) const {
  const double there = seconds * std::max(1, threads);
  return there > 0 ? std::clamp(1 - processor / there, 0.0, 1.0) : 0;
}

bool Stretch::disturbs(int threads) const {
  constexpr double most_lost = 0.02, slice = 1e-3;  // seconds that a switch costs at least, about
  const double there = seconds * std::max(1, threads);
  if (stolen > most_lost * there + 0.01) return true;  // which is told in hundredths of a second
  if (switches > 0 && processor < (1 - most_lost) * seconds)
    return true;  // not even one thread ran throughout
  return lost(threads) > most_lost && slice * static_cast<double>(switches) > most_lost * there;
}

Stopwatch::Stopwatch() : begin_(since_beginning()) {}

Stretch Stopwatch::stretch() const {
  const Stretch now = since_beginning();
  return {now.seconds - begin_.seconds, now.processor - begin_.processor, now.switches - begin_.switches,
          now.stolen - begin_.stolen};
}

std::optional<double> cores_of_others(double seconds) {
  const CoreTimes before = core_times();
  const Stopwatch watch;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const CoreTimes after = core_times();
  if (!before.known || !after.known) return {};
  const Stretch mine = watch.stretch();
  const double others = after.busy - before.busy + after.stolen - before.stolen - mine.processor;
  return std::max(0.0, others / mine.seconds);
}

}  // namespace jacobi::machine
