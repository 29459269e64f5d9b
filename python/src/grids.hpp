/// From the description of a grid to an operator on it.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/metric.hpp"
#include "watch.hpp"

namespace jacobi::python {

/// A grid as Python describes it: x first. spacing: empty where lower and upper say it.
struct Box {
  std::vector<Index> unknowns;
  std::vector<double> lower, upper, spacing;
  std::vector<std::string> kinds;           ///< of sides x-, x+, y-, ...
  std::vector<std::vector<double>> values;  ///< of sides
  std::vector<std::vector<double>> axes;    ///< coordinates of all points, or none
  std::string coordinates;
};

inline BoundaryKind kind_of(const std::string& text) {
  if (text == "dirichlet") return BoundaryKind::dirichlet;
  if (text == "neumann") return BoundaryKind::neumann;
  if (text == "periodic") return BoundaryKind::periodic;
  throw UsageError(
      fmt::format("there is no boundary condition '{}': take dirichlet, neumann or periodic", text));
}

inline Coordinates coordinates_of(const std::string& text) {
  const auto found = std::ranges::find(coordinate_names, text);
  if (found != coordinate_names.end()) return static_cast<Coordinates>(found - coordinate_names.begin());
  throw UsageError(fmt::format("there are no coordinates '{}': take cartesian, polar or cylindrical", text));
}

template <class T, int D>
Grid<T, D> grid_of_equal_distances(const Box& box) {
  PerDirection<Index, D> unknowns, points;
  PerDirection<double, D> lower, upper;
  Sides<T, D> sides;
  for (std::size_t d = 0; d < D; ++d) {
    unknowns[d] = points[d] = box.unknowns[d];
    lower[d] = box.lower[d];
    upper[d] = box.upper[d];
    if (!box.axes[d].empty()) {
      lower[d] = box.axes[d].front();
      upper[d] = box.axes[d].back();
    }
    for (std::size_t end = 0; end < 2; ++end) {
      Side<T>& side = sides[d][end];
      side.kind = kind_of(box.kinds[2 * d + end]);
      for (const double value : box.values[2 * d + end]) side.values.push_back(static_cast<T>(value));
      points[d] += side.kind == BoundaryKind::dirichlet;
    }
  }
  if (box.spacing.empty()) return make_grid<T, D>(points, lower, upper, sides);
  Grid<T, D> grid;
  grid.unknowns = unknowns;
  grid.sides = sides;
  for (std::size_t d = 0; d < D; ++d) {
    grid.spacing[d] = box.spacing[d];
    grid.origin[d] = lower[d] + (sides[d][0].kind == BoundaryKind::dirichlet ? box.spacing[d] : 0);
  }
  return grid;
}

template <class T, int D>
Grid<T, D> grid_of(const Box& box) {
  const Coordinates coordinates = coordinates_of(box.coordinates);
  PerDirection<std::vector<double>, D> axes;
  for (std::size_t d = 0; d < D; ++d) axes[d] = box.axes[d];
  for (const auto& at : axes)  // before the ends are looked at
    if (std::ranges::any_of(at, [](double x) { return !std::isfinite(x); }))
      throw InputError("axes: coordinates must be finite");
  return on_axes(grid_of_equal_distances<T, D>(box), axes, coordinates);
}

/// make(grid of as many directions as the box has), without the GIL.
template <class T, class Make>
Matrix<T> on_grid(const Box& box, typename Matrix<T>::Arrays keeps, Make make) {
  const std::size_t d = box.unknowns.size();
  if (d < 1 || d > 3) throw UsageError(fmt::format("a grid of {} dimensions: 1, 2 or 3", d));
  for (const Index n : box.unknowns)
    if (n < 1) throw UsageError(fmt::format("a grid with {} unknowns in a direction: at least 1", n));
  std::optional<Operator<T>> a;
  double unknowns = 1;
  for (const Index n : box.unknowns) unknowns *= static_cast<double>(n);
  interruptibly(unknowns, [&] {
    if (d == 1)
      a.emplace(make(grid_of<T, 1>(box)));
    else if (d == 2)
      a.emplace(make(grid_of<T, 2>(box)));
    else
      a.emplace(make(grid_of<T, 3>(box)));
  });
  return Matrix<T>(std::move(*a), std::move(keeps));
}

}  // namespace jacobi::python
