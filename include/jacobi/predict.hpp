/// What a solve will take, before it is run.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jacobi/automatic.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/diagnosis.hpp"
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

/// Sweeps that a diagnosis expects of a choice until stop's norm is met: of one with a reason, as advised; of
/// a plan that was asked for with one weight or l1, as if the error were all in the slowest mode; of cg at
/// most, by Chebyshev's bound, as far as the eigenvalues are known; of bicgstab a guess. None of methods that
/// were not looked at. Cost: none to speak of.
JACOBI_API std::optional<double> predicted_sweeps(const Diagnosis& d, const Choice& choice,
                                                  Norm norm = Norm::automatic);

/// Spectral radius that a diagnosis expects of one weight or l1, as predicted_sweeps; else none.
JACOBI_API std::optional<double> predicted_radius(const Diagnosis& d, const Plan& plan);

/// A solve that was not made: what it would take and do.
struct Forecast {
  Choice choice;
  std::optional<Diagnosis> diagnosis;  ///< of a matrix
  Prediction prediction;               ///< of a grid; of a matrix radius and sweeps alone
  bool one_mode = false;               ///< the prediction of a grid is from one smooth mode: a lower bound
  Index unknowns = 0;
  int threads = 1;
  std::string rung, algorithm;   ///< that swept
  double memory = 0;             ///< bytes that the process takes at most
  double bytes_per_sweep = 0;    ///< moved
  double seconds_per_sweep = 0;  ///< measured
  double rounding_floor = 0;     ///< of a grid: about the norm below which rounding keeps a solve
  std::vector<Note> notes;
};

/// Of a grid: a prediction for the plan of `choice`, and a measurement of a few of its sweeps.
/// b, x: rows values. Throws: InputError for a singular operator without a solution; as Backend::bind.
/// Cost: binding, about 0.1 s of sweeps, and that of predict().
template <class T, int D>
JACOBI_API Forecast forecast(const Stencil<T, D>& a, const Choice& choice, std::span<const T> b,
                             std::span<const T> x, const Stop& stop, const Backend& on);

/// Of a matrix, Csr or Dense, that was diagnosed. b, x: of the first of so many right-hand sides.
/// Throws: as Solver. Cost: binding, and about 0.1 s of sweeps.
template <class T>
JACOBI_API Forecast forecast(const Operator<T>& a, const Diagnosis& d, const Choice& choice,
                             std::span<const T> b, std::span<const T> x, const Stop& stop,
                             const std::shared_ptr<const Backend>& on, Index rhs_count = 1);

/// The forecast in lines, as `--dry-run` prints it.
JACOBI_API std::string to_text(const Forecast& forecast);

/// The forecast as a JSON object, schema 1, indented by 2; a key without a value is null.
JACOBI_API std::string to_json(const Forecast& forecast);

}  // namespace jacobi
