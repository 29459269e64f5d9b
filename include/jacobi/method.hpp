/// Which weights a sweep takes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jacobi/export.hpp"
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

/// How iterates are combined where inner products decide, and not weights known beforehand. A sweep is then
/// one product with A.
enum class Acceleration { none, cg, bicgstab, anderson };

/// Of anderson().
struct AndersonOptions {
  Index depth = 10;    ///< differences of iterates kept, 1 to 32
  Index period = 2;    ///< every so many sweeps combine them, the others are weighted ones
  double omega = 0.5;  ///< weight of both, in (0, 2)
};

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
  /// Of a grid whose points are coloured like a chequerboard: sweep n = 0, 2, ... updates the black ones
  /// (sum of indices odd) from the red ones alone, sweep n = 1, 3, ... the red ones from the black ones.
  /// Steps have omega = 1 then.
  bool red_black = false;
  Acceleration acceleration = Acceleration::none;  ///< else `step` is not asked
  AndersonOptions anderson = {};
};

inline bool accelerated(const Method& method) { return method.acceleration != Acceleration::none; }

/// Eigenvalues of D^-1 A lie in it.
struct Range {
  double low = 0, high = 0;
};

/// x_(n+1) = D^-1 (b - R x_n), R the off-diagonal part. Source: Loiseau (2025), "Solving a linear system".
JACOBI_API Method plain();
/// x_(n+1) = x_n + omega D^-1 (b - A x_n), 0 < omega < 2. Throws: UsageError for another omega.
JACOBI_API Method weighted(double omega);
/// x_(n+1) = x_n + D^-1 (b - A x_n) with the divisor l1: contracts for every symmetric positive definite A.
/// For sparse and dense matrices.
JACOBI_API Method l1();
/// Chebyshev's semi-iteration, three-term: of all polynomials of degree n in D^-1 A with p(0) = 1, x_n takes
/// the one that is least on the spectrum, so that about sqrt(high / low) sweeps do what plain ones take high
/// / low for. An eigenvalue below `low` only converges slower, one above `high` may diverge. Throws:
/// UsageError unless 0 < low <= high < infinity. Cost: a three-term step reads x_(n-1) too. Source: Golub and
/// Varga, Numer. Math. 3 (1961) 147.
JACOBI_API Method chebyshev(Range spectrum);
/// Plain Jacobi, decoupled: a point's neighbours have the other colour, so that red points of x_0, black ones
/// of x_1, red ones of x_2, ... need nothing else. A sweep updates one colour, half of the unknowns; after n
/// sweeps its points have the values of x_n, bit for bit, the others those of x_(n-1), and that is the
/// iterate returned. Norms are tested after every second sweep; an update is what the last two sweeps
/// changed. For grids without a periodic direction of odd length. Source: Varga, Matrix Iterative Analysis,
/// section 5.2.
JACOBI_API Method red_black();
/// Chebyshev's semi-iteration in the same way: x_(n+1) of one colour follows from x_n of the other and
/// x_(n-1) of its own. `low`: least eigenvalue of D^-1 A, the greatest one is then 2 - low. Throws:
/// UsageError unless 0 < low <= 1. Source: Golub and Varga, Numer. Math. 3 (1961) 157.
JACOBI_API Method cyclic_chebyshev(double low);
/// Scheduled relaxation: weighted Jacobi with these weights in turn, again and again. Their order decides how
/// much grows within a period, errors of rounding too. Throws: UsageError for none, or one that is not
/// positive and finite.
JACOBI_API Method scheduled(std::vector<double> omegas);
/// The weights of which a period does the most for this spectrum, 1 over the roots of Chebyshev's polynomial,
/// in the order that keeps every partial product small. period: a power of two up to 2048.
/// Throws: UsageError for another period, or as chebyshev. Source: Lebedev and Finogenov, Zh. Vychisl. Mat.
/// Mat. Fiz. 11 (1971) 425.
JACOBI_API Method scheduled(Range spectrum, Index period);
/// Conjugate gradients, preconditioned by the diagonal, for symmetric definite A (a negative definite one is
/// as good): of all x_0 + p(D^-1 A) D^-1 r_0, deg p < n, x_n has the least error in the norm of A. Another A
/// is refused where it is not symmetric, and ends a solve with Status::breakdown where it is not definite.
/// Cost: a product and 11 words per unknown. Source: Hestenes and Stiefel, J. Res. NBS 49 (1952) 409.
JACOBI_API Method cg();
/// BiCGStab, preconditioned by the diagonal from the right, for any A: an iteration is two sweeps, the first
/// of which ends with an iterate too. Restarts from the true residual where it breaks down.
/// Cost: a product and 13.5 words per unknown. Source: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992)
/// 631.
JACOBI_API Method bicgstab();
/// Jacobi sweeps of which every period-th is Anderson's: it goes to where the last differences let the next
/// correction D^-1 (b - A x) be least. Also where plain sweeps diverge; returns to the best iterate, with
/// shorter periods and smaller weights, where the residual has grown. Throws: UsageError for options out of
/// bounds. Cost: a product and 9 words per unknown, 3 depth + 4 more in every period-th; 2 depth + 5 vectors.
/// Source: Pratapa, Suryanarayana, Pask, J. Comput. Phys. 306 (2016) 43; Walker and Ni, SIAM J. Numer. Anal.
/// 49 (2011) 1715.
JACOBI_API Method anderson(AndersonOptions options = {});

}  // namespace jacobi
