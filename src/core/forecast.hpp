/// What a forecast needs that whoever plans a solve asks as well.
#pragma once
#include <optional>
#include <span>

#include "core/outset.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// What a program itself takes, with its libraries.
inline constexpr double bytes_of_the_process = 12e6;

/// Bytes that solving takes at most: b, both iterates and what `auto` goes back to, the operator and the
/// sweeps.
template <class T, int D>
double bytes_to_solve(const Stencil<T, D>& a, const Choice& choice, int threads);

/// About the norm below which rounding keeps a solve, if f lies in the slowest mode: u is then D^-1 f over
/// its eigenvalue.
template <class T, int D>
double rounding_floor_of_mode(const Stencil<T, D>& a, std::span<const T> b, const Stop& stop);

/// A grid's problem as far as a forecast asks of the whole.
struct WholeGrid {
  double rows = 0;
  double memory = 0;           ///< bytes_to_solve()
  Norm norm = Norm::residual;  ///< the one tested
  Outset outset;
  bool exact = false;  ///< constant coefficients, alike on both sides
};

/// The whole, or the same problem on fewer points.
template <class T, int D>
struct SeenGrid {
  const Stencil<T, D>& a;
  std::span<const T> b, x;
};

template <class T, int D>
WholeGrid whole_of(const SeenGrid<T, D>& grid, const Choice& choice, const Stop& stop, int threads);

/// The forecast of a problem of which only smaller ones are made. seen: where multigrid's cycles are counted;
/// timed: where sweeps are timed, whose time grows as the unknowns do. Both may be the same.
template <class T, int D>
Forecast forecast(const WholeGrid& whole, const Choice& choice, const SeenGrid<T, D>& seen,
                  const SeenGrid<T, D>& timed, const Stop& stop, const Backend& on);

/// Sweeps that conjugate gradients take by Chebyshev's bound of the error's norm; nothing where A may not be
/// definite.
std::optional<double> sweeps_of_cg(const Diagnosis& d);

/// Whether the estimate of the least eigenvalue settled, on which such sweeps depend: where the spectral
/// radius did, and lies at that end. Else it is too large.
bool knows_least_eigenvalue(const Diagnosis& d);

/// Whether no sweeps are expected to converge.
inline bool advises_no_sweeps(const Diagnosis& d) {
  return d.verdict == Verdict::unusable || d.method == Advised::none;
}

/// Which of the sweeps that a diagnosis may advise the plan makes; none: others.
Advised kind_of_sweeps(const Plan& plan);

}  // namespace jacobi
