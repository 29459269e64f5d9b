#include "error_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/report.hpp"
#include "core/clock.hpp"
#include "core/words.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "machine/disturbance.hpp"

namespace jacobi::cli {

namespace {

/// Drives one sweeper and watches how far it is from the goal.
class Run {
 public:
  Run(Sweeper<double>& sweeper, const Plan& plan, const Course& course)
      : sweeper_(sweeper), plan_(plan), course_(course), x_(course.b.size()) {
    restart();
  }

  void restart() {
    std::ranges::fill(x_, 0.0);
    sweeper_.load(course_.b, x_);
    done_ = 0;
    before_ = {};
    seconds_ = 0;
    ended_.reset();
  }
  /// Why there are no more sweeps, where the method has none.
  const std::optional<Halt>& ended() const { return ended_; }
  /// Sweeps that belong together.
  Index quantum() const { return std::lcm(sweeper_.sweeps_per_cycle(), plan_.method.period); }
  void sweep_to(Index target) {
    constexpr double longest = 0.1;  // seconds of a call, beyond which Ctrl-C would wait
    constexpr Index most = 4096;
    const Clock::time_point begin = Clock::now();
    while (done_ < target && !ended_) {
      const Index next = std::min(target, done_ + at_once_ * quantum());
      steps_.clear();
      for (; done_ < next; ++done_) steps_.push_back(before_ = plan_.method.step(done_, before_));
      const Clock::time_point call = Clock::now();
      sweeper_.advance(steps_, Want::nothing);
      if (seconds_since(call) < longest / 2 && at_once_ * quantum() < most) at_once_ *= 2;
      ended_ = sweeper_.halted();
      if (ended_) done_ -= ended_->unmade;
      Watch::throw_if_interrupted("ended while a method was measured");
    }
    seconds_ += seconds_since(begin);
  }
  Reached reached() {
    sweeper_.store(x_);
    return {done_, seconds_, course_.miss(x_)};
  }

 private:
  Sweeper<double>& sweeper_;
  const Plan& plan_;
  const Course& course_;
  std::vector<double> x_;
  std::vector<Step> steps_;
  Step before_;
  Index done_ = 0, at_once_ = 1;  ///< at once in one call: whole periods
  double seconds_ = 0;
  std::optional<Halt> ended_;
};

/// Whether it once came near, and four times as many sweeps have found nothing better.
bool stands(const std::vector<Reached>& curve) {
  const Reached best = *std::ranges::min_element(curve, {}, &Reached::miss);
  return best.miss < 1e-3 * curve.front().miss && curve.back().sweeps > 4 * best.sweeps + 300;
}

/// Where a straight line through the logarithms of the last two misses meets the target, just before.
Index forecast(const std::vector<Reached>& curve, double target) {
  const Reached &last = curve.back(), &before = curve[curve.size() - 2];
  const double rate = std::log(before.miss / last.miss) / static_cast<double>(last.sweeps - before.sweeps);
  if (!(rate > 0)) return 2 * last.sweeps;
  return last.sweeps + static_cast<Index>(0.998 * std::log(last.miss / target) / rate);
}

/// The first sweep, or end of a period, that misses by no more than the target: fills curve and sweeps.
void find_sweeps(Entrant& e, Run& run, const Course& course) {
  const double target = course.target;
  const Index quantum = run.quantum();
  const auto whole = [quantum](Index sweeps) { return std::max<Index>(1, sweeps / quantum) * quantum; };
  e.curve = {run.reached()};
  while (e.curve.back().miss > target) {
    const Reached last = e.curve.back();
    if (last.seconds > course.max_seconds) {
      e.missed = fmt::format("{} {:.2e} after {} sweeps and {}", course.what, last.miss, last.sweeps,
                             in_time(last.seconds));
      return;
    }
    if (run.ended() || stands(e.curve)) {
      e.missed = fmt::format("ended at {} {:.2e} after {} sweeps: {}", course.what, last.miss, last.sweeps,
                             run.ended() ? run.ended()->why : "it stands still");
      return;
    }
    if (!std::isfinite(last.miss) || last.miss > 1e3 * e.curve.front().miss) {
      e.missed = fmt::format("grows: {} {:.2e} after {} sweeps", course.what, last.miss, last.sweeps);
      return;
    }
    const Index wanted = last.sweeps + whole(last.sweeps / 8);
    const Index next = e.curve.size() < 2 ? wanted : std::min(wanted, whole(forecast(e.curve, target)));
    run.sweep_to(std::max(next, last.sweeps + quantum));
    e.curve.push_back(run.reached());
  }
  Index first = e.curve.back().sweeps;
  const Index low = e.curve.size() < 2 ? 0 : e.curve[e.curve.size() - 2].sweeps;
  if (first - low > quantum) {
    run.restart();
    run.sweep_to(low);
    for (first = low; run.reached().miss > target && !run.ended();) run.sweep_to(first += quantum);
  }
  e.sweeps = first;
}

/// Timed from the start, in one go, again and again; the end of the last run is checked. As many runs as
/// there are may be repeated, where other work took cores from them.
void time_sweeps(Entrant& e, Sweeper<double>& sweeper, Run& run, const Course& course) {
  int repeats_left = course.repeat;
  for (int turn = 0; turn < course.repeat; ++turn) {
    const double work = sweeper.executed().work;
    run.restart();
    const machine::Stopwatch watch;
    run.sweep_to(*e.sweeps);
    const bool is_disturbed = watch.stretch().disturbs(e.threads);
    if (is_disturbed && repeats_left-- > 0) {
      --turn;
      continue;
    }
    e.disturbed += is_disturbed;
    const Reached end = run.reached();
    e.seconds.push_back(end.seconds);
    e.miss = end.miss;
    e.ran = sweeper.executed();
    e.work = e.ran.work > 0 ? e.ran.work - work : static_cast<double>(*e.sweeps);
  }
  if (!(e.miss <= course.target * (1 + 1e-6)))
    throw std::logic_error(fmt::format("{}: {} {} after {} sweeps at first, {} again", e.name, course.what,
                                       course.target, *e.sweeps, e.miss));
}

}  // namespace

void measure(Entrant& e, const Course& course) {
  const auto sweeper = backend(fmt::format("threads:{}", e.threads))->bind(course.a, e.plan);
  e.words = sweeper->executed().blocking;
  Run run(*sweeper, e.plan, course);
  find_sweeps(e, run, course);
  if (e.sweeps) time_sweeps(e, *sweeper, run, course);
}

}  // namespace jacobi::cli
