/// A few sweeps, timed.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "core/executed.hpp"

namespace jacobi {

/// Times a few sweeps, so that the prediction is of this machine.
template <class T>
double seconds_per_sweep(Sweeper<T>& sweeper, std::span<const T> b, std::span<const T> x) {
  sweeper.load(b, x);
  std::vector<Step> steps(static_cast<std::size_t>(sweeper.sweeps_per_cycle()));
  double seconds = 0;
  while (seconds < 0.05 || !sweeper.executed().settled) {
    const Clock::time_point begin = Clock::now();
    sweeper.advance(steps, Want::nothing);
    seconds = seconds_since(begin);
    if (const auto halt = sweeper.halted())  // an accelerated method that is done
      return seconds /
             static_cast<double>(std::max<Index>(1, static_cast<Index>(steps.size()) - halt->unmade));
    if (seconds < 0.05) steps.resize(2 * steps.size());
  }
  return seconds / static_cast<double>(steps.size());
}

}  // namespace jacobi
