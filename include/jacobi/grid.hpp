/// Where the unknowns of a structured problem lie, and what holds on the sides of the box around them.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// What holds on one side of the box.
/// dirichlet: u is given; the boundary points are not unknowns.
/// neumann: the outward derivative du/dn is given; the points on the side are unknowns, and the point beyond
///   mirrors the first one inside (u[-1] = u[1] + 2 h du/dn), which is second-order accurate.
/// periodic: both sides of the direction at once; a direction of n points does not repeat its first one.
enum class BoundaryKind { dirichlet, neumann, periodic };

/// One side of the box: its kind and the values given there.
template <class T>
struct Side {
  BoundaryKind kind = BoundaryKind::dirichlet;
  /// u (dirichlet) or du/dn (neumann): empty for 0, one value for all points of the side, or one for each
  /// unknown beside it, x fastest, then y, then z, without the side's own direction.
  std::vector<T> values = {};
};

/// Both sides of each direction: sides[d][0] at the low end, sides[d][1] at the high end; d = 0 is x.
template <class T, int D>
using Sides = PerDirection<std::array<Side<T>, 2>, D>;

/// What the directions of a grid measure.
/// cartesian: lengths.
/// polar: x is the radius r, y the angle in radians; 2D.
/// cylindrical: x is r; 1D (r), 2D (r, z) for what has the same values all around, 3D (r, angle, z).
enum class Coordinates { cartesian, polar, cylindrical };

/// Where the points of a direction lie that is not spaced equally: of all points, increasing, those on
/// Dirichlet sides included, and behind the last point of a periodic direction where its period ends.
struct AxisPoints {
  std::vector<double> at = {};  ///< empty: equally spaced
  Index first = 0;              ///< the first unknown among them
};

/// A box of unknowns in D = 1, 2 or 3 dimensions; vectors over it run x fastest, then y, z (as numpy: shape
/// (nz, ny, nx) in C order). Unknowns are spaced equally, but along directions with `axes`.
template <class T, int D>
struct JACOBI_API Grid {
  static_assert(Real<T>, "jacobi computes in float and double");
  static_assert(D >= 1 && D <= 3, "grids have 1, 2 or 3 dimensions");

  Grid() = default;  // no aggregate: {510, 510} means unknowns, and only where those are asked for

  PerDirection<Index, D> unknowns = {};  ///< unknowns per direction (without Dirichlet boundary points)
  PerDirection<double, D> spacing = {};  ///< distance of neighbours per direction, on average
  PerDirection<double, D> origin = {};   ///< coordinates of the first unknown
  Sides<T, D> sides = {};
  PerDirection<AxisPoints, D> axes = {};  ///< see on_axes()
  Coordinates coordinates = Coordinates::cartesian;

  /// Unknowns in all. Throws: UsageError if a direction has none or the product overflows.
  Index rows() const;
  /// Position of the unknown at index (x, y, z) along direction d.
  double coordinate(int d, Index i) const {
    const auto at = static_cast<std::size_t>(d);
    const AxisPoints& axis = axes[at];
    if (!axis.at.empty()) return axis.at[static_cast<std::size_t>(axis.first + i)];
    return origin[at] + static_cast<double>(i) * spacing[at];
  }
  /// Whether a direction has points of its own: then equations are multiplied by times_volumes()'s volumes.
  bool is_stretched() const {
    for (const AxisPoints& axis : axes)
      if (!axis.at.empty()) return true;
    return false;
  }
  /// "(3, 5)": how messages name the unknown number i.
  std::string name(Index i) const;
};

/// Unit box with Dirichlet sides (value 0): `interior` unknowns per direction, spacing 1 / (interior + 1).
template <class T, int D>
JACOBI_API Grid<T, D> unit_grid(const PerDirection<Index, D>& interior);

/// Grid of `points` per direction on the box [lower, upper], boundary included: Dirichlet sides take their
/// points away from the unknowns, Neumann sides keep theirs, a periodic direction of n points has spacing
/// (upper - lower) / n. Boundary values in `sides` are given per unknown beside the side.
/// Throws: UsageError for fewer than 3 points (2 where periodic), an empty or non-finite box, or one
/// periodic side without the other.
template <class T, int D>
JACOBI_API Grid<T, D> make_grid(const PerDirection<Index, D>& points, const PerDirection<double, D>& lower,
                                const PerDirection<double, D>& upper, const Sides<T, D>& sides = {});

/// The grid with its points at these coordinates (as AxisPoints::at; none: as they were), in these
/// coordinates:
///   Grid<double, 2> grid = on_axes(make_grid<double, 2>({65, 33}, {0, 0}, {1, 1}), {stretched, {}});
///   Stencil<double, 2> a = poisson(grid);          // symmetric, of second order where spacings vary
///   smoothly times_volumes<double, 2>(grid, f);             // the b of `a`
/// At r = 0 nothing flows: the low side of x is Neumann's there, without values. With an angle r > 0.
/// Throws: InputError for coordinates that do not increase, or r < 0, naming the place; UsageError for
/// another number of them (with the one expected), and coordinates or a side at r = 0 that cannot be meant.
template <class T, int D>
JACOBI_API Grid<T, D> on_axes(Grid<T, D> grid, PerDirection<std::vector<double>, D> axes,
                              Coordinates coordinates = Coordinates::cartesian);

/// f times the volume of each cell over the mean volume: the right-hand side of poisson() and diffusion() on
/// grids that are stretched, whose equations are multiplied so to be symmetric. Cells end half-way to
/// neighbours; one on a Neumann side counts with its mirror image. On other grids f stays.
/// f: rows() values. Throws: UsageError for another length.
template <class T, int D>
JACOBI_API void times_volumes(const Grid<T, D>& grid, std::span<T> f);

}  // namespace jacobi
