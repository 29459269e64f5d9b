/// The blocking that is fastest here, by a short measurement.
#pragma once
#include <functional>
#include <span>

#include "jacobi/export.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

/// What tune() found.
struct Tuned {
  Blocking blocking;      ///< now in use
  double gain = 1;        ///< its speed over that of the blocking before; 1: that one stays
  bool measured = false;  ///< false: no blocking to tune, or ended before three rounds were complete
};

/// Sweeps with the blocking in use and a handful of others around it, in turns, and keeps another one only
/// if both its median and its best run are at least 3 % faster. Changes no bit of a solve afterwards.
/// b, x: rows values, as for load(), which is to be called again for a solve. seconds: to spend, about.
/// go_on: asked between runs, which take about seconds / 50, at most 0.2 s, at least one sweep; false ends
/// the tuning, none: go on.
template <class T>
JACOBI_API Tuned tune(Sweeper<T>& sweeper, std::span<const T> b, std::span<const T> x, double seconds,
                      const std::function<bool()>& go_on = {});

}  // namespace jacobi
