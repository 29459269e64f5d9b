/// Which weights a sweep takes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi {

/// One sweep, x_(n+1) = x_(n-1) + rho (x_n + omega D^-1 (b - A x_n) - x_(n-1)): rho = 1 needs no x_(n-1) and
/// is plain (omega = 1) or weighted Jacobi; rho != 1 is the three-term recurrence of Chebyshev's method.
struct Step {
  double omega = 1;
  double rho = 1;
};

/// What a sweep divides the residual of row i by: nothing (not for sweeps: of norms), the diagonal, or l1:
/// sign(a_ii) (|a_ii| + sum over j != i of |a_ij|). Sweeps write D for it in either case.
/// Source: Baker, Falgout, Kolev, Yang, "Multigrid smoothers for ultraparallel computing", 2011, section 5.
enum class Divisor { none, diagonal, l1 };

/// A generator of steps: everything that the iteration loop knows of a method.
struct Method {
  std::string name = "plain";
  /// Weights of sweep n = 0, 1, ... given those of the sweep before (undefined for n = 0).
  std::function<Step(Index n, const Step& before)> step = [](Index, const Step&) { return Step{}; };
  Divisor divisor = Divisor::diagonal;
  /// Sweeps that belong together: norms are tested after whole periods, since they may grow in between.
  Index period = 1;
  /// Factor per sweep that the method promises for the spectrum it was made for; 0: that of its omega.
  double rate = 0;
  double growth = 1;  ///< by how much errors of rounding may grow until the end of a period
};

/// Eigenvalues of D^-1 A lie in it.
struct Range {
  double low = 0, high = 0;
};

/// x_(n+1) = D^-1 (b - R x_n), R the off-diagonal part. Source: 000, "Solving a linear system".
Method plain();
/// x_(n+1) = x_n + omega D^-1 (b - A x_n), 0 < omega < 2. Throws: UsageError for another omega.
Method weighted(double omega);
/// x_(n+1) = x_n + D^-1 (b - A x_n) with the divisor l1: contracts for every symmetric positive definite A.
/// For sparse and dense matrices.
Method l1();
/// Chebyshev's semi-iteration, three-term: of all polynomials of degree n in D^-1 A with p(0) = 1, x_n takes
/// the one that is least on the spectrum, so that about sqrt(high / low) sweeps do what plain ones take high
/// / low for. An eigenvalue below `low` only converges slower, one above `high` may diverge. Throws:
/// UsageError unless 0 < low <= high < infinity. Cost: a three-term step reads x_(n-1) too. Source: Golub and
/// Varga, Numer. Math. 3 (1961) 147.
Method chebyshev(Range spectrum);
/// Scheduled relaxation: weighted Jacobi with these weights in turn, again and again. Their order decides how
/// much grows within a period, errors of rounding too. Throws: UsageError for none, or one that is not
/// positive and finite.
Method scheduled(std::vector<double> omegas);
/// The weights of which a period does the most for this spectrum, 1 over the roots of Chebyshev's polynomial,
/// in the order that keeps every partial product small. period: a power of two up to 2048.
/// Throws: UsageError for another period, or as chebyshev. Source: Lebedev and Finogenov, Zh. Vychisl. Mat.
/// Mat. Fiz. 11 (1971) 425.
Method scheduled(Range spectrum, Index period);

}  // namespace jacobi
