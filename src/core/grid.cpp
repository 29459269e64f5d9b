#include "jacobi/grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/in_order.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/metric.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

constexpr std::array<char, 3> axis = {'x', 'y', 'z'};

template <class T>
int dirichlet_sides(const std::array<Side<T>, 2>& sides) {
  int count = 0;
  for (const Side<T>& side : sides) count += side.kind == BoundaryKind::dirichlet;
  return count;
}

template <class T>
void require_pair(const std::array<Side<T>, 2>& sides, int d) {
  const bool low = sides[0].kind == BoundaryKind::periodic;
  const bool high = sides[1].kind == BoundaryKind::periodic;
  if (low != high)
    throw UsageError(
        fmt::format("direction {} is periodic on one side only: a periodic direction needs both", axis[d]));
}

/// Throws: InputError where coordinates of direction d do not increase.
void require_increasing(const std::vector<double>& at, int d) {
  const std::size_t i = first_out_of_order(at);
  if (i == at.size()) return;
  if (!std::isfinite(at[i]))
    throw InputError(fmt::format("coordinate {} of {} is {}: it must be finite", i + 1, axis[d], at[i]));
  throw InputError(fmt::format("coordinates of {} must increase, and {} follows {} at point {}", axis[d],
                               at[i], at[i - 1], i + 1));
}

/// Throws: what cannot be meant by a grid whose first direction is a radius.
template <class T, int D>
void require_radius(const Grid<T, D>& grid) {
  if (grid.coordinates == Coordinates::polar && D != 2)
    throw UsageError(fmt::format(
        "polar coordinates, r and an angle, are of 2 dimensions, not {}: take cylindrical ones", D));
  const double inner = grid.axes[0].at.front();
  const BoundaryKind side = grid.sides[0][0].kind;
  if (side == BoundaryKind::periodic) throw UsageError("x is the radius here and cannot be periodic");
  if (inner < 0)
    throw InputError(fmt::format("x is the radius here and begins at {}: it must be >= 0", inner));
  if (inner > 0) return;
  if (has_angle(grid))
    throw InputError("x is the radius here and begins at 0, where all angles meet: begin beside it");
  if (side != BoundaryKind::neumann || !grid.sides[0][0].values.empty())
    throw UsageError(
        "the low side of x lies at r = 0, where nothing flows: neither u nor its derivative is given there");
}

}  // namespace

template <class T, int D>
Index Grid<T, D>::rows() const {
  Index product = 1;
  for (int d = 0; d < D; ++d) {
    if (unknowns[d] < 1)
      throw UsageError(fmt::format("a grid needs at least 1 unknown in {}, not {}", axis[d], unknowns[d]));
    if (product > std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(T)) / unknowns[d])
      throw UsageError("the grid has more unknowns than can be addressed");
    product *= unknowns[d];
  }
  return product;
}

template <class T, int D>
std::string Grid<T, D>::name(Index i) const {
  std::string text = "(";
  for (int d = 0; d < D; ++d) {
    text += fmt::format("{}{}", d == 0 ? "" : ", ", i % unknowns[d]);
    i /= unknowns[d];
  }
  return text + ")";
}

template <class T, int D>
Grid<T, D> unit_grid(const PerDirection<Index, D>& interior) {
  Grid<T, D> grid;
  grid.unknowns = interior;
  grid.rows();  // throws where a direction is empty
  for (int d = 0; d < D; ++d) grid.spacing[d] = grid.origin[d] = 1.0 / static_cast<double>(interior[d] + 1);
  return grid;
}

template <class T, int D>
Grid<T, D> make_grid(const PerDirection<Index, D>& points, const PerDirection<double, D>& lower,
                     const PerDirection<double, D>& upper, const Sides<T, D>& sides) {
  Grid<T, D> grid;
  grid.sides = sides;
  for (int d = 0; d < D; ++d) {
    require_pair(sides[d], d);
    const bool periodic = sides[d][0].kind == BoundaryKind::periodic;
    const Index least = periodic ? 2 : 3;
    if (points[d] < least)
      throw UsageError(fmt::format("{} points in {}: at least {} are needed", points[d], axis[d], least));
    const double length = upper[d] - lower[d];
    if (!(length > 0) || !std::isfinite(length))
      throw UsageError(fmt::format("the domain [{}, {}] in {} is empty", lower[d], upper[d], axis[d]));
    grid.unknowns[d] = points[d] - dirichlet_sides(sides[d]);
    grid.spacing[d] = length / static_cast<double>(periodic ? points[d] : points[d] - 1);
    const bool low_point_given = sides[d][0].kind == BoundaryKind::dirichlet;
    grid.origin[d] = lower[d] + (low_point_given ? grid.spacing[d] : 0.0);
  }
  grid.rows();
  return grid;
}

template <class T, int D>
Grid<T, D> on_axes(Grid<T, D> grid, PerDirection<std::vector<double>, D> axes, Coordinates coordinates) {
  grid.coordinates = coordinates;
  for (int d = 0; d < D; ++d) {
    const bool periodic = grid.sides[d][0].kind == BoundaryKind::periodic;
    const bool low_point_given = grid.sides[d][0].kind == BoundaryKind::dirichlet;
    const Index count = grid.unknowns[d] + (periodic ? 1 : dirichlet_sides(grid.sides[d]));
    std::vector<double>& at = axes[d];
    if (at.empty() && d == 0 && coordinates != Coordinates::cartesian)
      for (Index i = 0; i < count; ++i) at.push_back(grid.coordinate(d, i - (low_point_given ? 1 : 0)));
    if (at.empty()) continue;
    if (std::ssize(at) != count)
      throw UsageError(fmt::format(
          "{} coordinates of {} for {} points{}", at.size(), axis[d], periodic ? count - 1 : count,
          periodic ? fmt::format(": {} are needed, the last where the period ends", count) : ""));
    require_increasing(at, d);
    grid.spacing[d] = (at.back() - at.front()) / static_cast<double>(count - 1);
    grid.axes[d] = {std::move(at), low_point_given ? 1 : 0};
    grid.origin[d] = grid.coordinate(d, 0);
  }
  if (coordinates != Coordinates::cartesian) require_radius(grid);
  return grid;
}

template <class T, int D>
void times_volumes(const Grid<T, D>& grid, std::span<T> f) {
  require_lengths(grid.rows(), {{"f", f.size()}});
  if (!grid.is_stretched()) return;
  const Metric<T, D> metric(grid);
  walk(grid, [&](Index p, const Position<D>& at) { f[p] = static_cast<T>(f[p] * metric.volume(at)); });
}

#define JACOBI_INSTANTIATE(T, D)                                                                     \
  template struct Grid<T, D>;                                                                        \
  template Grid<T, D> unit_grid<T, D>(const PerDirection<Index, D>&);                                \
  template Grid<T, D> make_grid<T, D>(const PerDirection<Index, D>&, const PerDirection<double, D>&, \
                                      const PerDirection<double, D>&, const Sides<T, D>&);           \
  template Grid<T, D> on_axes<T, D>(Grid<T, D>, PerDirection<std::vector<double>, D>, Coordinates);  \
  template void times_volumes<T, D>(const Grid<T, D>&, std::span<T>);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
