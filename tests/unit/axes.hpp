/// Problems on stretched grids whose solution is known.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

#include "core/walk.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/grid.hpp"

namespace jacobi::test {

using Map = std::function<double(double)>;

/// Coordinates of n points, map(0) and map(1) among them; of a period one more.
inline std::vector<double> points_of(const Map& map, Index intervals) {
  std::vector<double> at;
  for (Index i = 0; map && i <= intervals; ++i)
    at.push_back(map(static_cast<double>(i) / static_cast<double>(intervals)));
  return at;
}

inline double square(double s) { return s * (s + 0.2) / 1.2; }
inline double sinh_map(double s) { return std::sinh(3 * s) / std::sinh(3.0); }

/// What holds on a side: one of BoundaryKind's, or Robin's with alpha = 2.
enum class Kind { dirichlet, neumann, robin, periodic };

/// -div(k grad u) + u = f with u the product of sin(a_d x_d + b_d), and k = 1 + slope x.
template <int D>
struct Known {
  PerDirection<Map, D> maps = {};  ///< none: 0 to 1, equally spaced
  std::array<std::array<Kind, 2>, D> sides{};
  Coordinates coordinates = Coordinates::cartesian;
  PerDirection<double, D> a{}, b{};
  double slope = 0.5;

  using Point = PerDirection<double, D>;
  double factor(int d, double x) const { return std::sin(a[d] * x + b[d]); }
  double u(const Point& x) const {
    double product = 1;
    for (int d = 0; d < D; ++d) product *= factor(d, x[d]);
    return product;
  }
  /// Along direction d, of d lengths or angles.
  double derivative(const Point& x, int d) const {
    double product = a[d] * std::cos(a[d] * x[d] + b[d]);
    for (int e = 0; e < D; ++e)
      if (e != d) product *= factor(e, x[e]);
    return product;
  }
  bool is_angle(int d) const {
    return d == 1 &&
           (coordinates == Coordinates::polar || (coordinates == Coordinates::cylindrical && D == 3));
  }
  double k(const Point& x) const { return 1 + slope * x[0]; }
  double f(const Point& x) const {
    double sum = -slope * derivative(x, 0), at = k(x);
    for (int d = 0; d < D; ++d) sum += at * a[d] * a[d] * u(x) / (is_angle(d) ? x[0] * x[0] : 1);
    if (coordinates == Coordinates::cartesian) return sum + u(x);
    const double second = -a[0] * a[0] * u(x);  // to which u' / r tends at r = 0
    return sum + u(x) - at * (x[0] > 0 ? derivative(x, 0) / x[0] : second);
  }
};

/// The problem on as many intervals per direction; rms distance from u over all points, on sides as well.
template <class T, int D>
struct Discrete {
  Stencil<T, D> a;
  DomainPoints<T> points;
  std::vector<T> b, exact;
  double all_points;

  double error(const Stop& stop) const {
    const bool robin = !points.diagonal.empty();
    const Solution<T> found = robin ? solve(Domain<T, D>(a, points), RightHandSide<T>(b), stop)
                                    : solve(a, RightHandSide<T>(b), stop);
    if (!found.report.converged()) return 1e9;
    double sum = 0;
    for (std::size_t p = 0; p < exact.size(); ++p) sum += std::pow(double{found.x[p]} - exact[p], 2);
    return std::sqrt(sum / all_points);
  }
};

template <class T, int D>
Discrete<T, D> discrete(const Known<D>& known, Index intervals) {
  PerDirection<Index, D> points;
  PerDirection<double, D> lower, upper;
  PerDirection<std::vector<double>, D> axes;
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d) {
    points[d] = intervals + (known.sides[d][0] == Kind::periodic ? 0 : 1);
    lower[d] = known.maps[d] ? known.maps[d](0) : 0;
    upper[d] = known.maps[d] ? known.maps[d](1) : 1;
    axes[d] = points_of(known.maps[d], intervals);
    for (int e = 0; e < 2; ++e)
      sides[d][e].kind = known.sides[d][e] == Kind::dirichlet  ? BoundaryKind::dirichlet
                         : known.sides[d][e] == Kind::periodic ? BoundaryKind::periodic
                                                               : BoundaryKind::neumann;
  }
  const auto make = [&] {
    return on_axes(make_grid<T, D>(points, lower, upper, sides), axes, known.coordinates);
  };
  const Grid<T, D> bare = make();
  const auto place = [](const Grid<T, D>& grid, const Position<D>& at) {
    PerDirection<double, D> x;
    for (int d = 0; d < D; ++d) x[d] = grid.coordinate(d, at[d]);
    return x;
  };
  PerSide<std::vector<double>, D> beta;
  for (int k = 0; k < 2 * D; ++k) {
    const int d = k / 2;
    const Kind kind = known.sides[d][k % 2];
    const double end = k % 2 == 0 ? lower[d] : upper[d];
    if (kind == Kind::periodic || (end == 0 && d == 0 && known.coordinates != Coordinates::cartesian))
      continue;
    Grid<T, D> face = bare;
    face.unknowns[d] = 1;
    walk(face, [&](Index, const Position<D>& at) {
      auto x = place(face, at);
      x[d] = end;
      const double slope = (k % 2 == 0 ? -1 : 1) * known.derivative(x, d) / (known.is_angle(d) ? x[0] : 1);
      if (kind == Kind::dirichlet) sides[d][k % 2].values.push_back(static_cast<T>(known.u(x)));
      if (kind == Kind::neumann) sides[d][k % 2].values.push_back(static_cast<T>(slope));
      if (kind == Kind::robin) beta[k].push_back(known.k(x) * slope + 2 * known.u(x));
    });
  }
  const Grid<T, D> grid = make();
  std::vector<T> b, exact, k;
  walk(grid, [&](Index, const Position<D>& at) {
    b.push_back(static_cast<T>(known.f(place(grid, at))));
    exact.push_back(static_cast<T>(known.u(place(grid, at))));
  });
  Grid<T, D> all = grid;  // of all points
  for (int d = 0; d < D; ++d) {
    all.unknowns[d] = points[d];
    all.axes[d].first = 0;
    all.origin[d] = lower[d];
  }
  walk(all, [&](Index, const Position<D>& at) { k.push_back(static_cast<T>(known.k(place(all, at)))); });
  times_volumes<T, D>(grid, b);
  const T c = 1;
  Discrete<T, D> result{
      diffusion<T, D>(grid, k, std::span<const T>(&c, 1)), {}, b, exact, static_cast<double>(all.rows())};
  const std::array<double, 1> alpha{2};
  for (int side = 0; side < 2 * D; ++side)
    if (!beta[side].empty()) add_robin<T, D>(result.a, side, alpha, beta[side], result.points);
  return result;
}

/// Least squares' slope of log error over log intervals.
inline double slope_of(const std::vector<Index>& intervals, const std::vector<double>& errors) {
  const double n = static_cast<double>(errors.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double x = std::log2(static_cast<double>(intervals[i])), y = -std::log2(errors[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Of five grids, the finest with 16 times as many intervals as the coarsest; in 3D with 4 times as many.
template <class T, int D>
double order_of(const Known<D>& known, Index coarsest) {
  Stop stop;
  stop.relative = 1e-11;
  std::vector<double> errors;
  std::vector<Index> intervals;
  for (Index i = 0; i < 5; ++i)
    intervals.push_back(D == 3 ? coarsest * (i % 2 == 0 ? 2 : 3) << i / 2 : coarsest << i);
  for (const Index n : intervals) errors.push_back(discrete<T, D>(known, n).error(stop));
  return slope_of(intervals, errors);
}

}  // namespace jacobi::test
