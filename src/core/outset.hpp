/// What a forecast reads off the start of a solve on a grid.
#pragma once
#include <optional>
#include <span>

#include "core/executed.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// Numbers of a problem at its start. Each grows with the number of points about as a power of that.
struct Outset {
  double initial = 0;  ///< norm of the start
  double rhs = 0;      ///< the same norm of the right-hand side, boundary values folded in
  double floor = 0;    ///< about the norm below which rounding keeps a solve
  Range modes;         ///< slowest_mode() and fastest_mode()
  double row = 2;      ///< largest absolute row sum of D^-1 A
};

/// Cost: six slow passes at most.
template <class T, int D>
Outset outset_of(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, const Stop& stop);

/// Of the same problem on `rows` unknowns, as two smaller ones of so many let it be expected.
Outset grown(const Outset& one, double rows_of_one, const Outset& half, double rows_of_half, double rows);

/// Eigenvalues as bounds() gives them. exact: of constant coefficients alike on both sides.
Range bounds_of(const Outset& outset, bool exact);

/// From a norm at the start and the modes of the operator.
Prediction predicted(const Plan& plan, const Stop& stop, Norm norm, const Outset& outset, bool exact);

/// The largest absolute row sum of D^-1 A.
template <class T, int D>
double largest_row(const Stencil<T, D>& a);

/// What was seen of multigrid's first cycles.
struct SeenCycles {
  std::optional<double> sweeps;  ///< to the tolerance; none where the norm does not fall
  double seconds_per_sweep = 0;
};

/// Makes cycles from the start on until the norm meets the tolerance, or for so many seconds and so many of
/// them; then the mean factor of the later two thirds is taken for the next ones too.
template <class T>
SeenCycles see_cycles(Sweeper<T>& sweeper, const Method& method, std::span<const T> b, std::span<const T> x,
                      Norm norm, double tolerance, double seconds, Index least = 1);

}  // namespace jacobi
