/// Operators of the coarser grids.
#pragma once
#include <array>
#include <vector>

#include "jacobi/stencil.hpp"
#include "sweep/multigrid/axis.hpp"

namespace jacobi::sweep {

/// A row without neighbours, where the rows beside it are coupled to the value there, or to nothing.
enum class Hole : unsigned char { none, held, insulated };

/// -div(k grad u) + c u as multigrid coarsens it, in units of the finest grid's coefficients.
template <int D>
struct Diffusion {
  std::array<Axis, D> axes;
  std::array<double, D> strength{};  ///< coupling of neighbours per direction: k / h^2, or its mean
  double reaction = 0;               ///< where constant
  /// Where coefficients vary: coupling across each face, one face more than unknowns along its direction, x
  /// fastest; else empty. Faces beyond a Neumann side repeat the one before.
  std::array<std::vector<double>, D> faces;
  std::vector<double> reactions;
  std::vector<Hole> holes;  ///< of each point, where there are any
  int first = -1;           ///< a direction that is coarsened alone while it is strong anywhere; -1: none
  bool is_hole(Index p) const { return !holes.empty() && holes[static_cast<std::size_t>(p)] != Hole::none; }
  bool constant() const { return reactions.empty(); }
};

/// Throws: UsageError where the operator is no symmetric diffusion with a reaction >= 0 (or minus one),
/// naming the coefficient.
template <class T, int D>
Diffusion<D> diffusion_of(const Stencil<T, D>& a);

/// Whether that is so where coefficients vary. Cost: a pass over them, and no memory.
template <class T, int D>
bool is_diffusion(const Stencil<T, D>& a);

/// Where couplings are strongest along one direction here and along another there, as of stretched grids,
/// these directions; else none. Cycles that coarsen one of them after the other reduce errors everywhere.
template <class T, int D>
std::vector<int> turns_of(const Stencil<T, D>& a);

/// Directions to coarsen: the strongest one, and those at least half as strong, of which sweeps leave only
/// smooth errors behind. None: neighbours are not coupled any more, and one plain sweep is a solution.
template <int D>
std::array<bool, D> directions(const Diffusion<D>& a);

/// The same problem on a grid coarser along these directions. A coarse face takes the mean of the fine faces
/// along its direction, as the energy of what is interpolated linearly has it (in series, harmonically, they
/// would be too weak for that: cycles diverge), averaged across it as residuals are.
template <int D>
Diffusion<D> coarser(const Diffusion<D>& fine, const std::array<bool, D>& along);

/// The diagonal of unknown p, what is divided by it (0 where it is 0, or p a hole), and its coupling to
/// neighbour k.
template <int D>
double diagonal_of(const Diffusion<D>& a, Index p);
template <int D>
double over_diagonal(const Diffusion<D>& a, Index p, double value) {
  const double diagonal = diagonal_of<D>(a, p);
  return diagonal > 0 && !a.is_hole(p) ? value / diagonal : 0;
}
template <int D>
double coupling_of(const Diffusion<D>& a, Index p, int k);

}  // namespace jacobi::sweep
