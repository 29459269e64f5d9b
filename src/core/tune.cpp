#include "jacobi/tune.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/clock.hpp"
#include "core/loop.hpp"
#include "core/median.hpp"

namespace jacobi {

namespace {

constexpr double margin = 1.03;
constexpr int rounds = 5, least_rounds = 3;
constexpr double long_run = 0.08;  // seconds: whether to go on is asked between runs

struct Trial {
  Blocking blocking;
  std::vector<double> seconds = {};  ///< of the runs, all of the same number of sweeps

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
};

/// The blocking in use, then shallower, deeper, thinner and thicker ones. The width of a tile stays: norms
/// are summed over it, and on the processors measured no other width was better.
std::vector<Trial> candidates(const Blocking& chosen) {
  std::vector<Trial> list{{chosen}};
  const auto times = [](Index n, double factor) {
    return std::max<Index>(1, static_cast<Index>(factor * static_cast<double>(n)));
  };
  for (const double factor : {0.5, 1.5, 2.0}) {
    Blocking b = chosen;
    b.sweeps = times(b.sweeps, factor);
    list.push_back({b});
  }
  if (chosen.tile[1] == 0) return list;
  const bool planes = chosen.tile[2] > 0;  // lines are swept four at a time: in 2D fewer are never better
  for (const double factor : planes ? std::vector{0.5, 1.5} : std::vector{2.0}) {
    Blocking b = chosen;
    b.tile[1] = times(b.tile[1], factor);
    list.push_back({b});
  }
  return list;
}

/// By how much a trial beats the first one; noise would have to help in the median and in the best run.
double gain(const Trial& trial, const Trial& first) {
  return std::min(median(first.seconds) / median(trial.seconds), first.best() / trial.best());
}

template <class T>
double time_run(Sweeper<T>& sweeper, const Blocking& blocking, std::span<const Step> steps) {
  sweeper.reblock(blocking);
  const Clock::time_point begin = Clock::now();
  sweeper.advance(steps, Want::nothing);
  return seconds_since(begin);
}

}  // namespace

template <class T>
Tuned tune(Sweeper<T>& sweeper, std::span<const T> b, std::span<const T> x, double seconds,
           const std::function<bool()>& go_on) {
  Tuned tuned{sweeper.blocking()};
  if (tuned.blocking.sweeps == 0) return tuned;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<Trial> trials = candidates(tuned.blocking);
  const auto ended = [&] { return Clock::now() > end || (go_on && !go_on()); };
  sweeper.load(b, x);
  std::vector<Step> steps(1);  // of every run, whatever the depth; half of the time is for a busier machine
  const double share = seconds / (4 * static_cast<double>(trials.size()));  // of all runs of a trial
  while (time_run(sweeper, tuned.blocking, steps) < std::min(share / rounds, long_run) &&
         steps.size() < most_sweeps_at_once && !ended())
    steps.resize(2 * steps.size());
  const int all = std::max(rounds, static_cast<int>(std::min(share / long_run, 1e6)));
  for (int r = 0; r < all && !ended(); ++r)  // in turn, so that a drift of the machine meets all alike
    for (Trial& trial : trials)
      if (!ended()) trial.seconds.push_back(time_run(sweeper, trial.blocking, steps));
  const Trial& first = trials.front();
  tuned.measured = trials.back().seconds.size() >= least_rounds;
  for (const Trial& trial : trials)
    if (tuned.measured && gain(trial, first) >= std::max(margin, tuned.gain))
      tuned.blocking = trial.blocking, tuned.gain = gain(trial, first);
  sweeper.reblock(tuned.blocking);
  return tuned;
}

template Tuned tune<double>(Sweeper<double>&, std::span<const double>, std::span<const double>, double,
                            const std::function<bool()>&);
template Tuned tune<float>(Sweeper<float>&, std::span<const float>, std::span<const float>, double,
                           const std::function<bool()>&);

}  // namespace jacobi
