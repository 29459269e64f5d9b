/// Where the unknowns of a structured problem lie, and what holds on the sides of the box around them.
#pragma once
#include <array>
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

/// A box of equally spaced unknowns in D = 1, 2 or 3 dimensions; vectors over it run x fastest, then y, z
/// (as numpy: shape (nz, ny, nx) in C order).
template <class T, int D>
struct JACOBI_API Grid {
  static_assert(Real<T>, "jacobi computes in float and double");
  static_assert(D >= 1 && D <= 3, "grids have 1, 2 or 3 dimensions");

  Grid() = default;  // no aggregate: {510, 510} means unknowns, and only where those are asked for

  PerDirection<Index, D> unknowns = {};  ///< unknowns per direction (without Dirichlet boundary points)
  PerDirection<double, D> spacing = {};  ///< distance of neighbours per direction
  PerDirection<double, D> origin = {};   ///< coordinates of the first unknown
  Sides<T, D> sides = {};

  /// Unknowns in all. Throws: UsageError if a direction has none or the product overflows.
  Index rows() const;
  /// Position of the unknown at index (x, y, z) along direction d.
  double coordinate(int d, Index i) const {
    const auto at = static_cast<std::size_t>(d);
    return origin[at] + static_cast<double>(i) * spacing[at];
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

}  // namespace jacobi
