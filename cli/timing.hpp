#pragma once
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::cli {

/// Times a few sweeps, so that the prediction is of this machine.
template <class T>
double seconds_per_sweep(Sweeper<T>& sweeper, std::span<const T> b, std::span<const T> x) {
  sweeper.load(b, x);
  std::vector<Step> steps(1);
  double seconds = 0;
  while (seconds < 0.05) {
    const Clock::time_point begin = Clock::now();
    sweeper.advance(steps, Want::nothing);
    seconds = seconds_since(begin);
    if (seconds < 0.05) steps.resize(2 * steps.size());
  }
  return seconds / static_cast<double>(steps.size());
}

}  // namespace jacobi::cli
