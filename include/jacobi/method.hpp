/// Which weights a sweep takes.
#pragma once
#include <functional>
#include <string>

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
};

/// x_(n+1) = D^-1 (b - R x_n), R the off-diagonal part. Source: 000, "Solving a linear system".
Method plain();
/// x_(n+1) = x_n + omega D^-1 (b - A x_n), 0 < omega < 2. Throws: UsageError for another omega.
Method weighted(double omega);
/// x_(n+1) = x_n + D^-1 (b - A x_n) with the divisor l1: contracts for every symmetric positive definite A.
/// For sparse and dense matrices.
Method l1();

}  // namespace jacobi
