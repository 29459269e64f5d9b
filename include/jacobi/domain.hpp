/// Grids with holes, inner points held fixed, and sides that exchange with what is beyond them.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/report.hpp"
#include "jacobi/solve.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// What a point of the grid is: solved for, held at a value, or left out.
enum class PointKind : std::uint8_t { unknown, fixed, outside };

/// What the points of a grid are: rows() values each, x fastest, or none.
template <class T>
struct DomainPoints {
  std::vector<PointKind> kinds = {};  ///< none: unknowns all
  /// u at fixed points, and at points outside unless these are insulated; others do not count. None: 0.
  std::vector<T> values = {};
  /// No flux between an unknown and a point outside. Else the point outside holds its value: a staircase in
  /// both cases, and of first order.
  bool insulated = false;
  std::vector<T> diagonal = {};  ///< added to the diagonal of unknowns, >= 0
  std::vector<T> source = {};    ///< added to b of unknowns (on stretched grids volumes are in it)
};

/// k du/dn + alpha u = beta on side k (2 d at the low end of direction d, 2 d + 1 at the high one), which is
/// Neumann's in `box`, without a value: adds 2 alpha / h to `diagonal`, 2 beta / h to `source` (on stretched
/// grids area over mean volume for 1 / h); of second order. alpha, beta: one value, or one per point of the
/// side. Throws: UsageError for another kind of side, or lengths that do not fit; InputError for alpha < 0 or
/// values that are not finite, naming the point.
template <class T, int D>
JACOBI_API void add_robin(const Stencil<T, D>& box, int k, std::span<const double> alpha,
                          std::span<const double> beta, DomainPoints<T>& to);

/// Unknowns that are coupled to one another and to no value that is given: each such part of a domain is
/// determined up to a constant.
struct Pocket {
  Index points = 0;
  Index first = 0;  ///< one of them
};

/// An operator on some points of a grid. A point that is no unknown is a row of a() without neighbours, whose
/// unknown is 0; what its value adds to its neighbours' equations is in fold(). So a() stays symmetric, and
/// every method, algorithm and backend takes it:
///   Domain<double, 2> domain(poisson(grid), points);
///   domain.fold(f, b);                                     // rows() values each
///   Report report = Solver<double>(domain.a(), multigrid(domain.a())).solve(b, x);
///   domain.finish(x); domain.finish(report);
/// solve() below does these at once. Copies share the coefficients. Memory: 2 D + 3 arrays of rows() values.
template <class T, int D>
class Domain {
 public:
  /// box: a symmetric diffusion, such as poisson() and diffusion() make; read here only.
  /// Throws: InputError where no unknown is left, or a value is not finite, or a diagonal negative, naming
  /// the point; UsageError for lengths that do not fit; BackendError where memory lacks. Cost: a few passes.
  JACOBI_API Domain(const Stencil<T, D>& box, DomainPoints<T> points);

  /// The operator; its sides hold no values. Views memory of this domain and its copies.
  const Stencil<T, D>& a() const { return a_; }
  /// Points that are solved for.
  Index unknowns() const { return unknowns_; }
  PointKind kind(Index p) const { return points_.kinds.empty() ? PointKind::unknown : points_.kinds[p]; }
  const std::vector<Pocket>& pockets() const { return pockets_; }
  /// Eigenvalues of D^-1 A on the whole box. Those of a() lie between them where no point is insulated and no
  /// diagonal was added.
  Range bounds_of_box() const { return bounds_; }

  /// Number of the pocket that the point lies in, or -1.
  Index pocket_of(Index p) const { return pocket_of_.empty() ? -1 : pocket_of_[static_cast<std::size_t>(p)]; }
  /// b and what sides, values and sources add, whatever its mean in a pocket, as problems in time have it; 0
  /// where no unknown is. in, out: rows() values, may be the same. Throws: UsageError for other lengths.
  JACOBI_API void add_given(std::span<const T> b, std::span<T> out) const;
  /// The right-hand side of a(): b and what sides, values and sources add; 0 where no unknown is. In a pocket
  /// the mean must be 0 up to rounding, or to the error of discretisation: that much is subtracted, and where
  /// `project` whatever it is; what is more than rounding is told in notes. in, out: rows() values, may be
  /// the same. Throws: InputError where a pocket has no solution, with the mean, the number of points and a
  /// place; UsageError for lengths that do not fit.
  JACOBI_API std::vector<Note> fold(std::span<const T> b, std::span<T> out, bool project = false) const;
  /// A start: 0 where no unknown is.
  JACOBI_API void start(std::span<T> x) const;
  /// From a solution of a() to u: fixed points take their values, points outside NaN, pockets the mean 0.
  JACOBI_API void finish(std::span<T> x) const;
  /// As finish(), but pockets keep their means: problems in time determine these.
  JACOBI_API void show(std::span<T> x) const;
  /// Counts unknowns only, and notes what the points are.
  JACOBI_API void finish(Report& report) const;

 private:
  std::span<T> array(int k) const;
  void check(const Stencil<T, D>& box) const;
  bool set_row(const Stencil<T, D>& box, Index p, const PerDirection<Index, D>& at);
  void find_pockets(const Grid<T, D>& grid, std::vector<bool> held);
  Stencil<T, D> make(const Stencil<T, D>& box);
  double value(Index p) const;
  bool is_unknown(Index p) const { return kind(p) == PointKind::unknown; }
  std::string place(Index p) const;

  DomainPoints<T> points_;
  std::shared_ptr<std::vector<T>> coefficients_;  ///< of each direction, then the diagonal
  Index unknowns_ = 0;
  std::vector<T> source_;  ///< what is added to b
  std::vector<Pocket> pockets_;
  std::vector<std::int32_t> pocket_of_;  ///< its number for each point, or -1; none without pockets
  Range bounds_;
  Stencil<T, D> a_;
};

/// Solves on the unknowns, from 0, by the method that choose() takes; x as Domain::finish leaves it.
/// Throws: as Domain::fold and solve() of a grid.
template <class T, int D>
JACOBI_API Solution<T> solve(const Domain<T, D>& domain, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());

}  // namespace jacobi
