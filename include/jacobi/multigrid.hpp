/// Geometric multigrid: weighted sweeps on a grid and on coarser and coarser ones.
#pragma once
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// A cycle: `pre` sweeps, the residual restricted to a grid of about half the points per direction, the
/// correction found there by the same means, interpolated and added, `post` sweeps; down to one point. Steps
/// of a plan's method are taken pre + post at a time: sweep j of every grid has the weight of step j.
/// Source: Brandt, Math. Comp. 31 (1977) 333; Trottenberg, Oosterlee, Schueller, "Multigrid", 2001.
struct Multigrid {
  Index pre = 2, post = 1;  ///< sweeps before and after the correction: 0 to 64, at least 1 after
  Index visits = 1;         ///< of the next coarser grid per visit of a grid: 1 is a V-cycle, 2 a W-cycle
  /// Nested iteration: the first cycle after load() starts from the solution of the next coarser grid, found
  /// likewise. One such cycle is about as good as discretisation is.
  bool full = true;
};

/// The weights 1/lambda_j of which one sweep each does the most for eigenvalues of D^-1 A in `spectrum`,
/// lambda_j the roots of Chebyshev's polynomial of degree `sweeps`; the smallest weight comes first.
/// Throws: UsageError unless 0 < low <= high < infinity and 1 <= sweeps.
JACOBI_API std::vector<double> chebyshev_weights(Range spectrum, Index sweeps);

/// The weights 1/lambda_j of Chebyshev's polynomials of the fourth kind, with the optimal factors of a
/// V-cycle, for eigenvalues of D^-1 A up to `high`, of which the least need not be known: lambda_j = high ((1
/// + c) cos((2 j - 1) t)^2 - c), t = pi / (4 sweeps + 2), c = tan(t)^2; the smallest weight comes first.
/// Throws: UsageError unless 0 < high < infinity and 1 <= sweeps.
/// Source: Lottes, "Optimal polynomial smoothers for multigrid V-cycles", arXiv 2202.08830, section 5; as
/// p(x) sqrt(1 + x / c) rises and falls as often as a polynomial of the first kind, its zeros are these.
JACOBI_API std::vector<double> fourth_kind_weights(double high, Index sweeps);

/// The one weight of sweeps that smooths best for a Laplacian in so many dimensions, 2 D / (2 D + 1).
/// Source: Trottenberg, Oosterlee, Schueller, "Multigrid", 2001, section 2.1.
constexpr double smoothing_weight(int dimensions) { return 2.0 * dimensions / (2 * dimensions + 1); }

}  // namespace jacobi
