/// How one direction of a grid is coarsened.
#pragma once
#include <array>
#include <vector>

#include "jacobi/grid.hpp"
#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// One direction: its unknowns, what holds at its ends, and the distance of points in some fixed unit.
struct Axis {
  Index n = 1;
  std::array<BoundaryKind, 2> sides{};
  /// Places of the points from end to end, where these are not spaced equally.
  std::vector<double> x = {};
  Index shift() const { return sides[0] == BoundaryKind::dirichlet ? 1 : 0; }
  bool wraps() const { return sides[0] == BoundaryKind::periodic; }
  bool closed() const { return sides[0] == BoundaryKind::neumann && sides[1] == BoundaryKind::neumann; }
  /// Intervals between its ends; the length of one.
  Index intervals() const;
  double length(Index interval) const {
    return x.empty() ? 1 : x[static_cast<std::size_t>(interval + 1)] - x[static_cast<std::size_t>(interval)];
  }
  /// Trapezoidal weight of an unknown: the left null vector of an operator without Dirichlet sides.
  double weight(Index i) const;
};

/// The next coarser direction, with ceil(m / 2) intervals for m, of as many fine ones each. Where only
/// constants are left (a closed direction of one interval, a periodic one of two points) one unknown stands
/// for them. n > 1.
Axis coarsened(const Axis& fine);

/// Fine intervals per coarse one: 2, or a little less where the number of intervals is odd; 1 if only one
/// unknown is left of a closed direction.
double ratio(const Axis& fine, const Axis& coarse);

/// weight[t][I] of fine unknown 2 I + shift - 2 + t in the restriction to coarse unknown I, the transpose of
/// interpolation scaled so that constants keep their integral; upper[p % 2][p / 2]: weight of coarse point
/// p / 2 + 1 in fine point p, linear interpolation between places; cubic[p % 2][t][p / 2]: of coarse point p
/// / 2 - 1 + t, cubic interpolation of a solution that is 0 on Dirichlet sides, quadratic beside the sides.
struct AxisWeights {
  std::array<std::vector<double>, 4> weights;
  std::array<std::vector<double>, 2> upper;
  std::array<std::array<std::vector<double>, 4>, 2> cubic;
};
AxisWeights weights_of(const Axis& fine, const Axis& coarse);

}  // namespace jacobi::sweep
