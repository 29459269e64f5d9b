/// The operators that have a name: poisson, diffusion, tridiagonal, pentadiagonal, heptadiagonal.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/instantiate.hpp"
#include "core/metric.hpp"
#include "core/walk.hpp"
#include "core/zeros.hpp"
#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

namespace {

/// where(): in words; asked for only where it is needed, for it takes longer than a point's coefficients.
template <class Where>
void require_reaction(double c, Where where) {
  if (!(c >= 0) || !std::isfinite(c))
    throw InputError(
        fmt::format("the reaction coefficient is {} at {}: it must be >= 0 and finite", c, where()));
}

/// The grid of the points where k is given: the unknowns and the points of the Dirichlet sides.
template <class T, int D>
struct PointGrid {
  explicit PointGrid(const Grid<T, D>& grid) : points(grid) {
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e)
        if (grid.sides[d][e].kind == BoundaryKind::dirichlet) {
          ++points.unknowns[d];
          if (e == 0) first[d] = 1;
        }
  }
  Index index(const PerDirection<Index, D>& unknown) const {
    Index p = 0;
    for (int d = D - 1; d >= 0; --d) p = p * points.unknowns[d] + unknown[d] + first[d];
    return p;
  }
  Grid<T, D> points;
  PerDirection<Index, D> first{};
};

/// Conductance of the face towards neighbour k: harmonic average of k over h^2.
template <class T, int D>
double face(const Grid<T, D>& grid, const Metric<T, D>& metric, const PointGrid<T, D>& at_points,
            std::span<const T> k_values, const Position<D>& at, int k) {
  const int d = k / 2;
  auto beyond = at;
  beyond[d] += k % 2 == 0 ? -1 : 1;
  const bool outside = beyond[d] < 0 || beyond[d] == grid.unknowns[d];
  const BoundaryKind kind = grid.sides[d][k % 2].kind;
  if (outside && kind == BoundaryKind::periodic) beyond[d] = beyond[d] < 0 ? grid.unknowns[d] - 1 : 0;
  if (outside && kind == BoundaryKind::neumann) beyond[d] = beyond[d] < 0 ? 1 : grid.unknowns[d] - 2;
  const double here = k_values[at_points.index(at)], there = k_values[at_points.index(beyond)];
  return 2 / (1 / here + 1 / there) / metric.over_coupling(at, k);
}

template <class T, int D>
bool is_closed(const Grid<T, D>& grid) {
  for (const auto& pair : grid.sides)
    for (const Side<T>& side : pair)
      if (side.kind == BoundaryKind::dirichlet) return false;
  return true;
}

/// A reaction that alone makes the operator regular must not be lost beside the diagonal that it is added to.
template <class T, int D, class U>
void require_kept(const Stencil<T, D>& a, std::span<const U> c) {
  if (!is_closed(a.grid())) return;
  double most = 0, off_by = 0;
  const Metric<T, D> metric(a.grid());
  for (Index p = 0; p < (a.is_constant() ? 1 : a.rows()); ++p) {
    const double given = static_cast<double>(c[c.size() == 1 ? 0 : p]) * metric.volume(position(a.grid(), p));
    double sum = a.center(p);
    for (int k = 0; k < 2 * D; ++k) sum += a.off(k, p);
    most = std::max(most, given);
    off_by = std::max(off_by, std::abs(sum - given));
  }
  if (most == 0 || (off_by <= 0.01 * most && !a.singular())) return;
  constexpr bool single = sizeof(T) == sizeof(float);
  throw InputError(
      fmt::format("the reaction, at most {:.3g}, is lost in {} beside a diagonal of {:.3g}, and without a "
                  "Dirichlet side nothing "
                  "else makes the solution unique: {}",
                  most, single ? "float" : "double", a.center(0),
                  single ? "take --precision double" : "leave it out, or take a larger one"));
}

}  // namespace

template <class T, int D>
Stencil<T, D> poisson(Grid<T, D> grid, double reaction) {
  require_reaction(reaction, [] { return "all points"; });
  if (grid.is_stretched()) {
    const std::vector<T> k(static_cast<std::size_t>(PointGrid<T, D>(grid).points.rows()), T(1));
    const T c = static_cast<T>(reaction);
    return diffusion<T, D>(std::move(grid), k, std::span<const T>(&c, reaction > 0 ? 1 : 0));
  }
  double center = reaction;
  PerSide<T, D> off;
  for (int d = 0; d < D; ++d) {
    const double weight = 1 / (grid.spacing[d] * grid.spacing[d]);
    off[2 * d] = off[2 * d + 1] = static_cast<T>(-weight);
    center += 2 * weight;
  }
  Stencil<T, D> a = Stencil<T, D>::constant(std::move(grid), static_cast<T>(center), off);
  if (reaction > 0) require_kept(a, std::span<const double>(&reaction, 1));
  return a;
}

template <class T, int D>
Stencil<T, D> poisson(const PerDirection<Index, D>& interior) {
  return poisson<T, D>(unit_grid<T, D>(interior));
}

template <class T, int D>
Stencil<T, D> diffusion(Grid<T, D> grid, std::span<const T> k, std::span<const T> c) {
  const Index rows = grid.rows();
  const PointGrid<T, D> at_points(grid);
  const Index given = at_points.points.rows();
  if (static_cast<Index>(k.size()) != given)
    throw UsageError(
        fmt::format("k has {} values for {} grid points (Dirichlet sides included)", k.size(), given));
  if (c.size() > 1 && static_cast<Index>(c.size()) != rows)
    throw UsageError(fmt::format("the reaction has {} values for {} unknowns", c.size(), rows));
  for (Index p = 0; p < given; ++p)
    if (!(k[p] > 0) || !std::isfinite(k[p]))
      throw InputError(fmt::format("k is {} at grid point {}: it must be positive and finite", k[p],
                                   at_points.points.name(p)));

  auto arrays = zeros<T>(static_cast<std::size_t>(rows), 2 * D + 1);
  const auto array = [&](int j) { return std::span<T>(arrays->data() + j * rows, rows); };
  const Metric<T, D> metric(grid);
  walk(grid, [&](Index p, const PerDirection<Index, D>& at) {
    const double reaction = c.empty() ? 0.0 : static_cast<double>(c[c.size() == 1 ? 0 : p]);
    require_reaction(reaction, [&] { return grid.name(p); });
    double center = reaction * metric.volume(at);
    for (int j = 0; j < 2 * D; ++j) {
      const double conductance = face(grid, metric, at_points, k, at, j);
      array(j)[p] = static_cast<T>(-conductance);
      center += conductance;
    }
    array(2 * D)[p] = static_cast<T>(center);
  });
  PerSide<std::span<const T>, D> off;
  for (int j = 0; j < 2 * D; ++j) off[j] = array(j);
  const std::span<const T> center = array(2 * D);
  Stencil<T, D> a(std::move(grid), center, off, std::move(arrays));
  if (!c.empty()) require_kept(a, c);
  // k du/dn enters over half a cell: k at the point itself, not at the mirrored face
  for (int j = 0; j < 2 * D; ++j)
    for (Index s = 0; s < static_cast<Index>(a.flux_[j].size()); ++s) {
      const auto at = position(a.grid_, a.side_unknown(j, s));
      const double conductivity = k[at_points.index(at)];
      a.flux_[j][s] = 2 * conductivity * a.boundary_value(j, s) / metric.over_side(at, j);
    }
  return a;
}

namespace {

/// Spacing 1, values 0 beyond the sides.
template <class T, int D>
Stencil<T, D> diagonals(PerDirection<Index, D> n, T center, const PerSide<T, D>& off) {
  Grid<T, D> grid;
  grid.unknowns = n;
  grid.spacing.fill(1);
  grid.origin.fill(1);
  return Stencil<T, D>::constant(std::move(grid), center, off);
}

}  // namespace

template <class T>
Stencil<T, 1> tridiagonal(Index n, T a, T d, T c) {
  return diagonals<T, 1>({n}, d, {a, c});
}

template <class T>
Stencil<T, 2> pentadiagonal(std::array<Index, 2> n, T a, T d, T c, T e, T f) {
  return diagonals<T, 2>(n, d, {a, c, e, f});
}

template <class T>
Stencil<T, 3> heptadiagonal(std::array<Index, 3> n, T a, T d, T c, T e, T f, T g, T h) {
  return diagonals<T, 3>(n, d, {a, c, e, f, g, h});
}

template <class T>
Stencil<T, 2> batch(const Stencil<T, 1>& a, Index copies) {
  if (copies < 1) throw UsageError(fmt::format("a batch of {} copies: take 1 or more", copies));
  if (!a.is_constant()) throw UsageError("a batch needs constant coefficients, and these vary along x");
  if (a.singular())
    throw UsageError("a batch of singular problems: give one end a Dirichlet value or add a reaction term");
  Grid<T, 2> grid;
  grid.unknowns = {copies, a.rows()};
  grid.spacing = {1, a.grid().spacing[0]};
  grid.origin = {0, a.grid().origin[0]};
  grid.sides[1] = a.grid().sides[0];
  return Stencil<T, 2>::constant(std::move(grid), a.center(0),
                                 {T(0), T(0), a.off(Direction::west, 0), a.off(Direction::east, 0)});
}

#define JACOBI_INSTANTIATE(T, D)                                       \
  template Stencil<T, D> poisson<T, D>(Grid<T, D>, double);            \
  template Stencil<T, D> poisson<T, D>(const PerDirection<Index, D>&); \
  template Stencil<T, D> diffusion<T, D>(Grid<T, D>, std::span<const T>, std::span<const T>);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

template Stencil<double, 2> batch<double>(const Stencil<double, 1>&, Index);
template Stencil<float, 2> batch<float>(const Stencil<float, 1>&, Index);
template Stencil<double, 1> tridiagonal<double>(Index, double, double, double);
template Stencil<float, 1> tridiagonal<float>(Index, float, float, float);
template Stencil<double, 2> pentadiagonal<double>(std::array<Index, 2>, double, double, double, double,
                                                  double);
template Stencil<float, 2> pentadiagonal<float>(std::array<Index, 2>, float, float, float, float, float);
template Stencil<double, 3> heptadiagonal<double>(std::array<Index, 3>, double, double, double, double,
                                                  double, double, double);
template Stencil<float, 3> heptadiagonal<float>(std::array<Index, 3>, float, float, float, float, float,
                                                float, float);

}  // namespace jacobi
