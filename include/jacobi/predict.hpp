/// What a solve will take, before it is run.
#pragma once
#include <optional>
#include <span>

#include "jacobi/export.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// A forecast from the slowest mode: exact as a rate for constant coefficients on a box without a null space.
struct Prediction {
  double spectral_radius = 0;  ///< of the iteration, largest eigenvalue magnitude that matters; NaN of an
                               ///< accelerated method, or multigrid, without a rate
  bool exact = false;          ///< false: an estimate from one trial mode, a lower bound where A is symmetric
  double norm_initial = 0;     ///< in the norm of `stop`
  double tolerance = 0;
  std::optional<double> sweeps;  ///< until the norm meets the tolerance if all of it lay in the slowest mode
};

/// Eigenvalues of D^-1 A for chebyshev() and scheduled(), those of a null space aside: exact with constant
/// coefficients, alike on both sides; else from three quarters of a trial mode's Rayleigh quotient, an upper
/// bound of the smallest one, to the largest absolute row sum. Cost: as predict.
template <class T, int D>
JACOBI_API Range bounds(const Stencil<T, D>& a);

/// For grids, plans with one omega and those whose method knows its rate. b, x: rows values. Throws:
/// UsageError for a sparse matrix, which diagnose() is for. Cost: two slow passes, four where coefficients
/// vary.
template <class T>
JACOBI_API Prediction predict(const Operator<T>& a, const Plan& plan, std::span<const T> b,
                              std::span<const T> x, const Stop& stop);

}  // namespace jacobi
