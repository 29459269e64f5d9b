#include "jacobi/grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/instantiate.hpp"
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

#define JACOBI_INSTANTIATE(T, D)                                                                     \
  template struct Grid<T, D>;                                                                        \
  template Grid<T, D> unit_grid<T, D>(const PerDirection<Index, D>&);                                \
  template Grid<T, D> make_grid<T, D>(const PerDirection<Index, D>&, const PerDirection<double, D>&, \
                                      const PerDirection<double, D>&, const Sides<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
