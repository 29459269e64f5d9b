/// The structured operator whose stencil is the whole box of 3^D points.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/export.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// A: (A u)_p = sum over i, j, k = -1, 0, 1 of c(i, j, k) u at p + (i, j, k), D = 1, 2, 3, the same
/// coefficients everywhere. Beyond a Dirichlet side u is 0: what is given there belongs into b, as
/// compact_poisson() and tensor_diffusion() have it. Beyond an insulated (Neumann) side lies the mirror
/// image, beyond a periodic one the other end. Immutable; safe to share between threads. Methods: plain,
/// weighted, l1 excepted, Chebyshev's, scheduled, cg, bicgstab, anderson; cg preconditioned by multigrid
/// cycles of star(). Backends: serial and threads.
template <class T>
class JACOBI_API BoxStencil {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  using Star = std::variant<Stencil<T, 1>, Stencil<T, 2>, Stencil<T, 3>>;

  /// coefficients: 3^D values, c(-1, -1, -1) first, i fastest.
  /// Throws: InputError for a zero centre or a coefficient that is not finite; UsageError for another number
  /// of them, a stretched grid, values in `sides`, or an insulated side across which they are not alike.
  template <int D>
  static BoxStencil constant(const Grid<T, D>& grid, std::span<const T> coefficients);

  JACOBI_LOCAL int dimensions() const { return dimensions_; }
  /// Unknowns per direction, 1 beyond the dimensions.
  JACOBI_LOCAL const std::array<Index, 3>& unknowns() const { return n_; }
  JACOBI_LOCAL Index rows() const { return n_[0] * n_[1] * n_[2]; }
  /// c(i, j, k), each of -1, 0, 1; 0 beyond the dimensions.
  JACOBI_LOCAL T coefficient(int i, int j = 0, int k = 0) const {
    return coefficients_[static_cast<std::size_t>(13 + i + 3 * j + 9 * k)];
  }
  JACOBI_LOCAL T diagonal(Index = 0) const { return coefficient(0); }
  /// What a row is divided by: the diagonal, or the sum of all magnitudes (l1), or 1.
  double divisor(Index, Divisor by) const;
  JACOBI_LOCAL BoundaryKind side(int d, int e) const { return sides_[static_cast<std::size_t>(2 * d + e)]; }
  /// "(3, 5)": how messages name the unknown number p.
  std::string name(Index p) const;

  /// The star of 2 D + 1 points with the same second moments and the same row sum, on the same grid: the same
  /// differential operator but for mixed derivatives, of second order. Its cycles precondition.
  JACOBI_LOCAL const Star& star() const { return *star_; }
  /// Whether star() is a diffusion, so that its cycles precondition.
  JACOBI_LOCAL bool has_cycles() const { return has_cycles_; }
  /// c(i, j, k) = c(-i, -j, -k): symmetric, up to the weights of points on insulated sides.
  bool symmetric() const;
  /// A maps constants to 0: no Dirichlet side, no reaction.
  bool singular() const;
  /// 1/2 for each insulated side that unknown p lies on.
  double weight(Index p) const;
  /// An interval that holds all eigenvalues of D^-1 A, or none where no proof is known.
  /// Where c is alike on both sides of every direction the ends are eigenvalues: products of sines and
  /// cosines are eigenvectors, and the symbol is linear in each cosine. For a tensor diffusion, with mixed
  /// differences: those of star() times the least and the largest eigenvalue of K scaled to a diagonal of 1.
  JACOBI_LOCAL const std::optional<Range>& bounds() const { return bounds_; }

  /// Norms of b, or of D^-1 b. Throws: UsageError for another length.
  Norms rhs_norms(std::span<const T> b, Divisor by = Divisor::none) const;
  /// Norms of b - A x over the divisors, in double from the coefficients as given: the yardstick. Throws: the
  /// same. Cost: one slow pass on all cores.
  Norms residual_norms(std::span<const T> b, std::span<const T> x, Divisor by = Divisor::none) const;

  /// visit(q, c) for every entry c of row p in column q, in order of k, j, i; a column may come again where a
  /// mirror image or a short period leads to it.
  template <class Visit>
  void each_entry(Index p, Visit&& visit) const {
    std::array<Index, 3> at;
    at[0] = p % n_[0];
    at[1] = p / n_[0] % n_[1];
    at[2] = p / (n_[0] * n_[1]);
    std::array<std::array<Index, 3>, 3> to;  // of each direction, low to high; -1: none
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < 3; ++i) to[d][i] = d < dimensions_ ? beside(d, at[d], i - 1) : (i == 1 ? 0 : -1);
    for (int number = 0; number < 27; ++number) {  // one loop, which compilers do not unroll
      const T c = coefficients_[number];
      const Index i = to[0][number % 3], j = to[1][number / 3 % 3], k = to[2][number / 9];
      if (c != 0 && i >= 0 && j >= 0 && k >= 0) visit(i + n_[0] * (j + n_[1] * k), c);
    }
  }
  /// Unknown of direction d that stands `step` from unknown `from`, or -1 where 0 does.
  JACOBI_LOCAL Index beside(int d, Index from, int step) const {
    const Index n = n_[d], to = from + step;
    if (to >= 0 && to < n) return to;
    const BoundaryKind kind = side(d, to < 0 ? 0 : 1);
    if (kind == BoundaryKind::dirichlet) return -1;
    if (kind == BoundaryKind::neumann) return to < 0 ? 1 : n - 2;
    return to < 0 ? n - 1 : 0;
  }

 private:
  BoxStencil() = default;
  JACOBI_LOCAL bool is_even(int d) const;
  JACOBI_LOCAL std::optional<Range> closed_form() const;
  JACOBI_LOCAL std::optional<Range> of_tensor() const;

  int dimensions_ = 1;
  std::array<Index, 3> n_{1, 1, 1};
  std::array<BoundaryKind, 6> sides_{};
  std::array<T, 27> coefficients_{};
  std::array<std::array<double, 3>, 3> moments_{};  ///< -1/2 sum of c i_d i_e: K_de / (h_d h_e)
  double row_sum_ = 0;
  std::shared_ptr<const Star> star_;
  bool has_cycles_ = false;
  std::optional<Range> bounds_;
};

/// An operator and the right-hand side that goes with it.
template <class T>
struct BoxProblem {
  BoxStencil<T> a;
  std::vector<T> b;  ///< rows() values, what is given on Dirichlet sides folded in
};

/// -laplacian u + reaction u = f, of fourth order on the box of 3^D points: with M_d = 1 + h_d^2/12 delta_d^2
/// the sum over d of (-delta_d^2) times the product of M_e, e != d, plus reaction times the product of all M,
/// acts on u, and the product of all M on f. On an insulated side f's mirror image has a kink, so that M
/// takes f0 + h/3 f' + h^2/12 f'' there, by one-sided differences. f: one value per grid point, those on
/// Dirichlet sides included (unknowns + number of its Dirichlet sides per direction), x fastest. given: u at
/// the same points, of which only those on Dirichlet sides count; empty: 0. Periodic and insulated sides:
/// also of fourth order. Throws: UsageError for other lengths, a stretched grid, or values in `sides`
/// (derivatives of other values than 0 cannot be had); InputError for a negative or non-finite reaction.
/// Source: Collatz, The Numerical Treatment of Differential Equations, 1960, appendix, table VI (the
/// "Mehrstellenverfahren").
template <class T, int D>
JACOBI_API BoxProblem<T> compact_poisson(const Grid<T, D>& grid, std::span<const T> f,
                                         std::span<const T> given = {}, double reaction = 0);

/// Its operator alone.
template <class T, int D>
JACOBI_API BoxStencil<T> compact_laplacian(const Grid<T, D>& grid, double reaction = 0);

/// -div(K grad u) + reaction u = f, of second order: K_dd by three points along d, 2 K_de u_de by the four
/// corners of the plane, (u(+,+) - u(+,-) - u(-,+) + u(-,-)) / (4 h_d h_e).
/// tensor: the upper triangle by rows: kxx; kxx, kxy, kyy; kxx, kxy, kxz, kyy, kyz, kzz. f, given: as for
/// compact_poisson(). Insulated sides: only of directions d with K_de = 0 for all e, where n K grad u = 0 is
/// du/dn = 0.
/// Throws: InputError for a tensor that is not finite or not positive definite, with its least eigenvalue, or
/// a negative reaction; UsageError as compact_poisson(), and for another number of entries.
template <class T, int D>
JACOBI_API BoxProblem<T> tensor_diffusion(const Grid<T, D>& grid, std::span<const double> tensor,
                                          std::span<const T> f, std::span<const T> given = {},
                                          double reaction = 0);

/// Its operator alone.
template <class T, int D>
JACOBI_API BoxStencil<T> tensor_operator(const Grid<T, D>& grid, std::span<const double> tensor,
                                         double reaction = 0);

}  // namespace jacobi
