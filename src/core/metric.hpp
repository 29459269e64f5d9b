/// Lengths, areas and volumes of the cells around the unknowns of a grid.
#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "jacobi/grid.hpp"

namespace jacobi {

/// Names of Coordinates, in their order.
inline constexpr std::array<const char*, 3> coordinate_names = {"cartesian", "polar", "cylindrical"};

/// Whether the second direction is an angle around r = 0.
template <class T, int D>
bool has_angle(const Grid<T, D>& grid) {
  return grid.coordinates == Coordinates::polar || (grid.coordinates == Coordinates::cylindrical && D == 3);
}

/// Where the points before the first unknown and behind the last one of a direction are, Dirichlet's or those
/// that periods repeat; of a Neumann side the point on it.
struct Ends {
  double before = 0, behind = 0;
};
template <class T, int D>
Ends ends_of(const Grid<T, D>& grid, int d) {
  const std::vector<double>& at = grid.axes[d].at;
  const Index n = grid.unknowns[d];
  if (at.empty()) {
    const auto beyond = [&](int e) { return grid.sides[d][e].kind == BoundaryKind::neumann ? 0.0 : 1.0; };
    return {grid.coordinate(d, 0) - beyond(0) * grid.spacing[d],
            grid.coordinate(d, n - 1) + beyond(1) * grid.spacing[d]};
  }
  if (grid.sides[d][0].kind == BoundaryKind::periodic) return {at[n - 1] - (at[n] - at[0]), at[n]};
  return {at.front(), at.back()};
}

/// Cells of a grid as products over its directions, over the mean volume of a cell along each. A cell ends
/// half-way to its neighbours; on a Neumann side it counts with its mirror image, as its equation does. Where
/// nothing is stretched: volumes 1, lengths h^2, without rounding.
template <class T, int D>
class Metric {
 public:
  explicit Metric(const Grid<T, D>& grid) : is_plain_(!grid.is_stretched()), has_angle_(has_angle(grid)) {
    for (int d = 0; d < D; ++d) is_plain_ ? set_spacing(grid.spacing[d], d) : set_axis(grid, d);
  }

  double volume(const std::array<Index, D>& at) const {
    if (is_plain_) return 1;
    double product = 1;
    for (int d = 0; d < D; ++d) product *= volume_[d][at[d]];
    return product;
  }
  /// Volume over (area of the face towards neighbour k, times the distance of that): what divides k there.
  double over_coupling(const std::array<Index, D>& at, int k) const {
    if (is_plain_) return length_[k / 2][0];
    double product = length_[k / 2][at[k / 2] + k % 2];
    for (int e = 0; e < D; ++e)
      if (e != k / 2) product /= (has_angle_ && k / 2 == 1 && e == 0 ? around_ : volume_[e])[at[e]];
    return product;
  }
  /// Volume over the area of side k beside the unknown there.
  double over_side(const std::array<Index, D>& at, int k) const {
    double product = side_[k];
    if (is_plain_) return product;
    for (int e = 0; e < D; ++e)
      if (e != k / 2) product /= (has_angle_ && k / 2 == 1 && e == 0 ? strip_ : volume_[e])[at[e]];
    return product;
  }

 private:
  void set_spacing(double h, int d) {
    length_[d].assign(1, h * h);
    side_[2 * d] = side_[2 * d + 1] = h;
  }
  void set_axis(const Grid<T, D>& grid, int d) {
    const auto n = static_cast<std::size_t>(grid.unknowns[d]);
    const double h = grid.spacing[d];
    if (grid.axes[d].at.empty()) {
      set_spacing(h, d);
      volume_[d].assign(n, 1.0);
      length_[d].assign(n + 1, h * h);
      return;
    }
    const bool radial = d == 0 && grid.coordinates != Coordinates::cartesian;
    const auto integral = [&](double r) { return radial ? r * r / 2 : r; };
    const auto area = [&](double r) { return radial ? r : 1.0; };
    const Ends ends = ends_of(grid, d);
    std::vector<double> x{ends.before};
    for (std::size_t i = 0; i < n; ++i) x.push_back(grid.coordinate(d, static_cast<Index>(i)));
    x.push_back(ends.behind);
    const bool periodic = grid.sides[d][0].kind == BoundaryKind::periodic;
    const double low = periodic ? x[1] : x[0], high = x[n + 1];
    double intervals = static_cast<double>(n) + (periodic ? 0 : 1);
    for (int e = 0; e < 2; ++e) intervals -= grid.sides[d][e].kind == BoundaryKind::neumann ? 1 : 0;
    const double mean = (integral(high) - integral(low)) / intervals;
    for (std::size_t i = 1; i <= n; ++i) {
      const double from = (x[i - 1] + x[i]) / 2, to = (x[i] + x[i + 1]) / 2;
      const bool mirrored = x[i - 1] == x[i] || x[i] == x[i + 1];
      const double times = (mirrored ? 2 : 1) / mean;
      volume_[d].push_back(times * (integral(to) - integral(from)));
      if (radial && has_angle_) {
        around_.push_back(times * std::log(to / from));
        strip_.push_back(times * (to - from));
      }
    }
    for (std::size_t j = 0; j <= n; ++j) {
      // beyond a Neumann side the face before it is mirrored
      const std::size_t to = x[j] == x[j + 1] ? (j == 0 ? 1 : j - 1) : j;
      length_[d].push_back(mean * (x[to + 1] - x[to]) / area((x[to] + x[to + 1]) / 2));
    }
    side_[2 * d] = mean / area(low);
    side_[2 * d + 1] = mean / area(high);
  }

  bool is_plain_, has_angle_;
  std::array<std::vector<double>, D> volume_, length_;
  std::array<double, 2 * D> side_{};
  std::vector<double> around_, strip_;  ///< of cells along r, in faces and in sides across the angle
};

}  // namespace jacobi
