/// --project-rhs of `jacobi solve`: right-hand sides that have a solution.
#pragma once
#include <string>
#include <vector>

#include "system.hpp"

namespace jacobi::cli {

/// What was taken from the right-hand sides.
template <class T>
struct Projection {
  Columns<T> given;           ///< as they were; empty where nothing was removed
  std::vector<double> means;  ///< subtracted from each
};

/// Subtracts from every right-hand side its mean where each column of A sums to 0, up to rounding: what is
/// left is orthogonal to ones, the left null vector.
template <class T>
Projection<T> project_rhs(System<T>& system);

/// What was removed, and what that leaves of the right-hand side as given once x is known.
template <class T>
std::string removed_in_words(const Projection<T>& projection, const System<T>& system);

}  // namespace jacobi::cli
