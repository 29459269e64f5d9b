/// What a solve asks of its numbers, of the stopping test and of the method.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/facts.hpp"
#include "jacobi/error.hpp"
#include "jacobi/method.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Whether all are finite numbers: counted without a way out, so that a compiler makes vectors of it.
template <class T>
bool all_finite(std::span<const T> values) {
  Index others = 0;
  for (const T value : values) others += !(std::abs(value) <= std::numeric_limits<T>::max());
  return others == 0;
}

template <class T>
bool all_zero(std::span<const T> values) {
  Index others = 0;
  for (const T value : values) others += value != 0;
  return others == 0;
}

/// Throws: InputError for an entry of `what` that is not a finite number, with its place.
template <class T, class A>
void require_finite(const A& a, std::span<const T> values, const char* what) {
  if (all_finite(values)) return;
  const auto bad = std::ranges::find_if(values, [](T value) { return !std::isfinite(value); });
  const Index p = bad - values.begin();
  throw InputError(fmt::format("{}[{}]{} is {}: every entry must be finite", what, p, place_of(a, p), *bad));
}

/// Throws: UsageError for a stopping test that cannot be meant.
inline void require_sensible(const Stop& stop) {
  if (!(stop.relative >= 0) || !(stop.absolute >= 0))
    throw UsageError(fmt::format("tolerances must not be negative: relative {}, absolute {}", stop.relative,
                                 stop.absolute));
  if (stop.max_sweeps < 0 || !(stop.max_seconds >= 0) || stop.check_every < 0 || stop.first_check < 0)
    throw UsageError("limits and cadence must not be negative");
  if (!(stop.growth > 1))
    throw UsageError(fmt::format("growth {}: must be more than 1, or every solve has diverged", stop.growth));
  const bool no_tolerance = stop.absolute == 0 && (stop.relative == 0 || stop.reference == Reference::none);
  const bool no_limit = stop.max_sweeps == std::numeric_limits<Index>::max() && std::isinf(stop.max_seconds);
  if (no_tolerance && no_limit && !stop.progress)
    throw UsageError("the tolerance is 0 and nothing else can end the solve: give a tolerance or a limit");
}

/// Throws: UsageError for a method without steps, or a period that cannot be.
inline void require_sensible(const Method& method) {
  if (method.acceleration == Acceleration::anderson) anderson(method.anderson);  // which checks its options
  if (!accelerated(method) && !method.step)
    throw UsageError(fmt::format("method '{}' has no steps: its `step` is empty", method.name));
  constexpr Index longest = 1'000'000;
  if (method.period < 1 || method.period > longest)
    throw UsageError(fmt::format("method '{}': a period of {} sweeps: at least 1 is needed, and at most {}",
                                 method.name, method.period, longest));
}

}  // namespace jacobi
