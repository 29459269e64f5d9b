/// Algebraic multigrid: sweeps on a matrix and on smaller ones that are made from it.
#pragma once
#include <limits>
#include <memory>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// How a cycle visits coarser levels: once, twice, or twice as a step of conjugate gradients each.
enum class AmgCycle { v, w, k };

/// What the sweeps of a level divide by, and their weights. chebyshev: the diagonal, weights of Chebyshev's
/// polynomials of the fourth kind for the largest eigenvalue alone; l1: the l1 divisor and weight 1.
/// Source: Lottes, "Optimal polynomial smoothers for multigrid V-cycles", Numer. Linear Algebra Appl. 30
/// (2023), arXiv 2202.08830.
enum class AmgSmoother { chebyshev, l1 };

/// Of smoothed aggregation. Source: Vanek, Mandel, Brezina, Computing 56 (1996) 179.
struct Amg {
  Index pre = 1,
        post = 1;  ///< sweeps of a level before and after the coarser one's correction: 0 to 64, 1 to 64
  AmgCycle cycle = AmgCycle::v;
  AmgSmoother smoother = AmgSmoother::chebyshev;
  /// Unknowns i and j are coupled strongly where |a_ij| > strength sqrt(|a_ii a_jj|); in [0, 1).
  double strength = 0.08;
  Index block = 1;  ///< unknowns that belong together, as the displacements of a point do: consecutive rows
  /// Vectors that A nearly annihilates, of rows values each; none: those that are 1 on every block-th
  /// unknown. Of elasticity: rigid_body_modes().
  std::shared_ptr<const std::vector<std::vector<double>>> near_null = nullptr;
  Index coarsest = 300;  ///< rows up to which a level is factored, and no coarser one is made; 1 to 5000
  /// Entries of all levels over those of the matrix, above which prolongators are not smoothed; above 1.
  double complexity = 1.5;
  /// Of the levels' setup, at least 0. Longer ones end with BackendError; solve() by a Choice then takes its
  /// fallback.
  double max_setup_seconds = std::numeric_limits<double>::infinity();
};

/// Translations and rotations of points in 2 or 3 dimensions, 3 or 6 vectors of dimension * points values:
/// near_null of elasticity whose unknowns are the displacements of point after point. coordinates: those of
/// point after point. Throws: UsageError for another dimension, or coordinates that do not fill points.
JACOBI_API std::vector<std::vector<double>> rigid_body_modes(const std::vector<double>& coordinates,
                                                             Index dimension);

}  // namespace jacobi
