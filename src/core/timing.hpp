/// A few sweeps, timed.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/cadence.hpp"
#include "core/clock.hpp"
#include "core/executed.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/method.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Times the method's own steps on this machine: as many at once as between two checks, and these with their
/// norms. Bundles double up to that size, so that one long sweep is not made a hundred times.
template <class T>
double seconds_per_sweep(Sweeper<T>& sweeper, const Method& method, const Stop& stop, std::span<const T> b,
                         std::span<const T> x) {
  constexpr double enough = 0.05;
  sweeper.load(b, x);
  const Want want = want_of(stop.norm);
  const bool apart = want == Want::correction;  // which no sweep measures in passing
  const Index cycle = sweeper.sweeps_per_cycle();
  const Index most = std::min(std::max(cycle, most_sweeps_at_once / cycle * cycle),
                              Cadence{cycle, method.period}.between_checks(stop, sweeper.check_cost(want)));
  std::vector<Step> steps;
  Step last;
  Index made = 0, timed = 0;
  double seconds = 0;
  for (Index count = cycle; seconds < enough || !sweeper.executed().settled;
       count = std::min(2 * count, most)) {
    if (count < most || !sweeper.executed().settled) seconds = 0, timed = 0;
    steps.clear();
    for (Index j = 0; j < count; ++j) steps.push_back(last = method.step(made++, last));
    const Clock::time_point begin = Clock::now();
    sweeper.advance(steps, apart || count < most ? Want::nothing : want);
    if (apart && count == most) sweeper.norms(want);
    seconds += seconds_since(begin);
    timed += count;
    if (const auto halt = sweeper.halted())  // an accelerated method that is done
      return seconds / static_cast<double>(std::max<Index>(1, timed - halt->unmade));
  }
  return seconds / static_cast<double>(timed);
}

}  // namespace jacobi
