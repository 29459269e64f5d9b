/// `jacobi poisson --dry-run`: what a solve would take. Of a large problem only smaller ones are made.
#pragma once
#include <string>

#include "poisson_plan.hpp"

namespace jacobi::cli {

/// Prints and writes the forecast; returns the exit code. Throws: as a solve for what the problem is refused
/// for, as far as few of its points show that.
template <class T, int D>
int dry_run(const PoissonOptions& o, const Box& box);

/// The box with fewer points per direction, in about its shape, at most so many in all; no direction has
/// less than 33, unless it had.
Box with_at_most(const Box& box, double points);

/// "300 x 200 points, 59004 unknowns, spacing 0.1 x 0.2, constant coefficients".
template <class T, int D>
std::string describe_grid(const Problem<T, D>& p, const Box& box);

/// Bytes of a known solution at so many unknowns, where there is one.
double bytes_of_exact(const PoissonOptions& o, double rows);

}  // namespace jacobi::cli
