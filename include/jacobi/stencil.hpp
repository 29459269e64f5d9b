/// The structured operator: a star of 2 D + 1 points on a grid.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/grid.hpp"
#include "jacobi/norms.hpp"

namespace jacobi {

/// The neighbours of a point in the order of every coefficient list: west and east (x), south and north (y),
/// back and front (z); low side first.
enum class Direction { west = 0, east = 1, south = 2, north = 3, back = 4, front = 5 };

/// A: (A u)_p = center_p u_p + sum over k of off_k,p u_(neighbour k of p), D = 1, 2, 3, T = float or double.
/// At a side, the neighbour beyond is the boundary value (Dirichlet), the mirror point (Neumann) or the
/// first point at the other end (periodic). Validated once; no function changes the
/// grid or its values; safe to share between threads while viewed values stay.
/// Memory: constant coefficients none; arrays are views of the caller's memory unless a builder made them.
template <class T, int D>
class JACOBI_API Stencil {
  static_assert(Real<T>, "jacobi computes in float and double");
  static_assert(D >= 1 && D <= 3, "grids have 1, 2 or 3 dimensions");

 public:
  /// Constant coefficients (tridiagonal a, d, c; pentadiagonal a, d, c, e, f; heptadiagonal).
  /// center: the diagonal; off: one coefficient per Direction.
  /// Throws: InputError for a zero or non-finite diagonal or coefficient; UsageError for a grid that does
  /// not hold together (sizes, boundary values, fewer than 2 points at a Neumann or periodic side).
  static Stencil constant(Grid<T, D> grid, T center, const PerSide<T, D>& off);

  /// One array per diagonal, rows() values each, x fastest; the caller keeps them alive (no copy), and may
  /// change values between solves: Solver::values_changed() is to be called then.
  /// Throws: as constant(), naming the point: `ZeroDiagonal: point (3, 5)`.
  static Stencil variable(Grid<T, D> grid, std::span<const T> center,
                          const PerSide<std::span<const T>, D>& off);

  /// The same operator, validated again, after values were changed in the arrays viewed. Throws: as
  /// variable().
  Stencil validated() const;

  const Grid<T, D>& grid() const { return grid_; }
  Index rows() const { return rows_; }
  bool is_constant() const { return constant_; }
  /// One value if constant, else rows() values.
  std::span<const T> center() const { return center_; }
  std::span<const T> off(int k) const { return off_[static_cast<std::size_t>(k)]; }
  std::span<const T> off(Direction k) const { return off(static_cast<int>(k)); }
  T center(Index p) const { return value(center_, p); }
  T off(int k, Index p) const { return value(off(k), p); }
  T off(Direction k, Index p) const { return off(static_cast<int>(k), p); }
  /// The given boundary value at the s-th point of side k (Dirichlet: u; 0 where none was given).
  T boundary_value(int k, Index s) const;

  /// Points of side k (as many as unknowns beside it), and the unknown beside its s-th point.
  Index side_points(int k) const;
  Index side_unknown(int k, Index s) const;
  /// What the s-th point of a Neumann side k adds to b (2 h du/dn times minus the coefficient towards the
  /// mirror; 2 k du/dn / h for diffusion(), on stretched grids area over mean volume for 1 / h); empty where
  /// the derivative is 0.
  std::span<const double> neumann_flux(int k) const { return flux_[static_cast<std::size_t>(k)]; }
  std::span<const double> neumann_flux(Direction k) const { return neumann_flux(static_cast<int>(k)); }

  /// b with every boundary value folded in: the right-hand side of the system in the unknowns alone.
  /// in, out: rows() values, may be the same. Cost: one pass over b. Throws: UsageError for other lengths.
  void fold(std::span<const T> b, std::span<T> out) const;
  /// Norms of the folded b (what residuals are compared with), or of D^-1 b (updates) if `scaled`. Throws: as
  /// fold().
  Norms rhs_norms(std::span<const T> b, bool scaled) const;
  /// Norms of b - A x in the operator's natural scale, or of D^-1 (b - A x) if `scaled`, boundary values
  /// included, computed in double from the coefficients as given, point by point: the yardstick, independent
  /// of every sweep. Cost: one slow pass. Throws: as fold().
  Norms residual_norms(std::span<const T> b, std::span<const T> x, bool scaled = false) const;

  /// No Dirichlet side and all row sums 0: A maps constants to 0, so a solution is unique up to a constant.
  bool singular() const { return singular_; }
  /// Weight of unknown p in the left null vector of a singular operator (1/2 per Neumann side it lies on):
  /// b is compatible iff sum of weight(p) b_p = 0.
  double weight(Index p) const;

  /// Rayleigh quotient of D^-1 A with its slowest smooth mode (product of sines, quarter waves or cosines as
  /// the sides demand): exact for constant coefficients, else an upper bound of the smallest eigenvalue of a
  /// symmetric operator; 1 minus it is the spectral radius of plain Jacobi, or a lower bound.
  double slowest_mode() const;
  /// The same with the fastest mode, which changes sign from point to point as far as an odd period lets it.
  double fastest_mode() const;

 private:
  template <class U, int E>
  friend Stencil<U, E> diffusion(Grid<U, E>, std::span<const U>, std::span<const U>);
  Stencil(Grid<T, D> grid, std::span<const T> center, const PerSide<std::span<const T>, D>& off,
          std::shared_ptr<const std::vector<T>> owned);
  static T value(std::span<const T> c, Index p) { return c[c.size() == 1 ? 0 : static_cast<std::size_t>(p)]; }
  void validate_coefficients() const;
  void set_fluxes();
  bool row_sums_vanish() const;
  void require_symmetric() const;

  Grid<T, D> grid_;
  Index rows_ = 0;
  bool constant_ = true;
  bool singular_ = false;
  std::span<const T> center_;
  PerSide<std::span<const T>, D> off_;
  PerSide<std::vector<double>, D> flux_;
  std::shared_ptr<const std::vector<T>> owned_;  ///< coefficients that no caller keeps
};

/// -laplacian u + reaction u on the grid: off = -1/h_d^2, center = sum of 2/h_d^2 + reaction; on stretched
/// grids diffusion() with k = 1.
/// Throws: InputError for a negative or non-finite reaction. Source: Loiseau (2025), "Discretizing the
/// problem".
template <class T, int D>
JACOBI_API Stencil<T, D> poisson(Grid<T, D> grid, double reaction = 0);
/// The same on the unit box with u = 0 on its sides: `interior` unknowns per direction.
template <class T, int D>
JACOBI_API Stencil<T, D> poisson(const PerDirection<Index, D>& interior);

/// -div(k grad u) + c u. k: one value per grid point, the points on Dirichlet sides included (their number
/// per direction is unknowns + number of its Dirichlet sides), x fastest; faces take the harmonic average
/// 2 k1 k2 / (k1 + k2); a Neumann side gets the flux k du/dn over half a cell. c: empty, one value, or one
/// per unknown, >= 0. Stretched grids: finite volumes, whose equations are multiplied by the volumes of
/// times_volumes(): the coefficient of a face is k area / distance over the mean volume. k at r = 0 counts as
/// others do. Throws: InputError where k is not positive and finite, or c negative, naming the point.
/// Cost: 2 D + 1 arrays of rows() values, owned by the result.
template <class T, int D>
JACOBI_API Stencil<T, D> diffusion(Grid<T, D> grid, std::span<const T> k, std::span<const T> c = {});

/// n equations a x_(i-1) + d x_i + c x_(i+1) = b_i with x = 0 beyond both ends.
template <class T>
JACOBI_API Stencil<T, 1> tridiagonal(Index n, T a, T d, T c);
/// nx x ny equations: a west, d centre, c east, e south, f north; 0 beyond the sides.
template <class T>
JACOBI_API Stencil<T, 2> pentadiagonal(std::array<Index, 2> n, T a, T d, T c, T e, T f);
/// nx x ny x nz equations: as pentadiagonal, with g back and h front.
template <class T>
JACOBI_API Stencil<T, 3> heptadiagonal(std::array<Index, 3> n, T a, T d, T c, T e, T f, T g, T h);

/// Independent 1D problems side by side, one system of copies x n equations: unknown i of problem c is number
/// c + copies i, so that vectors hold the same unknown of several problems. Every problem keeps the bits it
/// has alone (where a differs from c up to the sign of a zero, and as long as the problems beside it are
/// finite: their unknowns are multiplied by 0); norms are those of all together. b may differ from problem to
/// problem; for values at the ends that do, build the grid with Stencil::constant and no coefficient along x.
/// Throws: UsageError for fewer than 1 copy, varying coefficients, or a singular problem.
template <class T>
JACOBI_API Stencil<T, 2> batch(const Stencil<T, 1>& a, Index copies);

}  // namespace jacobi
